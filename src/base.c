/* base: error messages and memory.
 *
 * An error message is always one line of UTF-8, so that whatever a broken input file holds, the terminal
 * gets a line of text. Memory never comes back NULL. */
#define _DEFAULT_SOURCE /* madvise */
#include "steelyard/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { CACHE_LINE = 64, HUGE_PAGE = 2 << 20 };

/* Copies a message that may hold anything, as one line of UTF-8. */
static void copy_clean(char *to, const char *from)
{
    size_t left = strlen(from);
    while (left > 0) {
        size_t length = sy_utf8_length(from, left);
        unsigned char first = (unsigned char)*from;
        if (length == 0 || first < 0x20 || first == 0x7f) {
            *to++ = '?';
            length = 1;
        } else {
            memcpy(to, from, length);
            to += length;
        }
        from += length;
        left -= length;
    }
    *to = '\0';
}

static void mark_cut(char *message, size_t size)
{
    static const char mark[] = "...";
    memcpy(message + size - sizeof mark, mark, sizeof mark);
}

/* Formats aside before it copies, since an argument may point into error->message. */
static void fill(struct sy_error *error, const char *format, va_list arguments, const char *rest)
{
    char message[sizeof error->message];
    int length = vsnprintf(message, sizeof message, format, arguments);
    size_t used = length < 0 ? 0 : (size_t)length;
    if (length >= 0 && used < sizeof message && *rest != '\0') {
        int more = snprintf(message + used, sizeof message - used, ": %s", rest);
        used += more < 0 ? 0 : (size_t)more;
    }
    if (used >= sizeof message)
        mark_cut(message, sizeof message);
    copy_clean(error->message, message);
}

enum sy_status sy_fail(struct sy_error *error, enum sy_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    fill(error, format, arguments, "");
    va_end(arguments);
    return status;
}

enum sy_status sy_fail_within(struct sy_error *error, enum sy_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    struct sy_error inner = *error;
    va_list arguments;
    va_start(arguments, format);
    fill(error, format, arguments, inner.message);
    va_end(arguments);
    return status;
}

_Noreturn void sy_out_of_memory(void)
{
    fputs("steelyard: out of memory\n", stderr);
    exit(SY_FAILED);
}

static size_t product(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size)
        sy_out_of_memory();
    return count * size;
}

void *sy_alloc(size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *memory = calloc(bytes == 0 ? 1 : bytes, 1);
    if (memory == NULL)
        sy_out_of_memory();
    return memory;
}

void *sy_alloc_hot(size_t size)
{
    const size_t unit = size < HUGE_PAGE ? CACHE_LINE : HUGE_PAGE;
    void *memory = aligned_alloc(unit, (size + unit - 1) / unit * unit);
    if (memory == NULL)
        sy_out_of_memory();
#ifdef MADV_HUGEPAGE
    if (unit == HUGE_PAGE)
        (void)madvise(memory, (size + unit - 1) / unit * unit, MADV_HUGEPAGE); /* advice: it may fail */
#endif
    memset(memory, 0, size);
    return memory;
}

void *sy_realloc(void *old, size_t count, size_t size)
{
    size_t bytes = product(count, size);
    void *memory = realloc(old, bytes == 0 ? 1 : bytes);
    if (memory == NULL)
        sy_out_of_memory();
    return memory;
}

void *sy_grow(void *items, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return items;
    size_t larger = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (larger < needed)
        larger = needed;
    items = sy_realloc(items, larger, size);
    *capacity = larger;
    return items;
}
