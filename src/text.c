/* text: growable text, numbers in text, UTF-8, the nearest word.
 *
 * Numbers are read and written in the "C" locale whatever the process has set, since files must not
 * depend on a user's decimal comma. The edit distance is the optimal string alignment distance (insert,
 * delete, replace, swap of neighbours). */
#include "steelyard/base.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- growable text ---- */

/* Room for `length` more bytes and a NUL. */
static void reserve(struct sy_text *text, size_t length)
{
    if (length >= SIZE_MAX - text->length)
        sy_out_of_memory();
    text->bytes = sy_grow(text->bytes, &text->capacity, text->length + length + 1, 1);
}

void sy_text_add(struct sy_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length > 0)
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void sy_text_puts(struct sy_text *text, const char *string)
{
    sy_text_add(text, string, strlen(string));
}

static void add_formatted(struct sy_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        sy_out_of_memory();
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

void sy_text_printf(struct sy_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(text, format, arguments);
    va_end(arguments);
}

void sy_text_clear(struct sy_text *text)
{
    free(text->bytes);
    *text = (struct sy_text)SY_TEXT_INIT;
}

char *sy_format(const char *format, ...)
{
    struct sy_text text = SY_TEXT_INIT;
    va_list arguments;
    va_start(arguments, format);
    add_formatted(&text, format, arguments);
    va_end(arguments);
    return text.bytes;
}

char *sy_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(sy_alloc(size, 1), text, size);
}

/* ---- numbers ---- */

bool sy_parse_u64(const char *text, uint64_t *out)
{
    uint64_t number = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        uint64_t digit = (uint64_t)(*text - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

bool sy_parse_i64(const char *text, int64_t min, int64_t max, int64_t *out)
{
    bool negative = *text == '-';
    uint64_t size;
    if (!sy_parse_u64(text + negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    int64_t number = size > (uint64_t)INT64_MAX ? INT64_MIN : negative ? -(int64_t)size : (int64_t)size;
    if (number < min || number > max)
        return false;
    *out = number;
    return true;
}

/* The "C" locale; glibc and musl hand out a constant, so that making one costs nothing. */
static locale_t c_locale(void)
{
    locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (locale == (locale_t)0)
        sy_out_of_memory();
    return locale;
}

static double read_double(const char *text, char **end)
{
    locale_t locale = c_locale(), before = uselocale(locale);
    double number = strtod(text, end);
    uselocale(before);
    freelocale(locale);
    return number;
}

bool sy_parse_double(const char *text, double *out)
{
    /* Keeps out white space, hexadecimal, infinities and NaN, all of which strtod takes. */
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    char *end;
    double number = read_double(text, &end);
    if (*end != '\0' || !isfinite(number))
        return false;
    *out = number;
    return true;
}

void sy_double_text(double number, char text[32])
{
    assert(isfinite(number));
    locale_t locale = c_locale(), before = uselocale(locale);
    char written[32];
    if (number == floor(number) && fabs(number) >= 1e15 && fabs(number) < 9007199254740992.0)
        snprintf(written, sizeof written, "%.0f", number);
    else
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(written, sizeof written, "%.*g", digits, number);
            if (strtod(written, NULL) == number)
                break;
        }
    memcpy(text, written, sizeof written);
    uselocale(before);
    freelocale(locale);
}

/* ---- UTF-8 ---- */

size_t sy_utf8_length(const char *bytes, size_t available)
{
    if (available == 0)
        return 0;
    const unsigned char *at = (const unsigned char *)bytes;
    unsigned char first = at[0];
    if (first < 0x80)
        return 1;
    /* The second byte's range is narrower after some first bytes: no overlong forms, no surrogates,
     * nothing beyond U+10FFFF (RFC 3629, section 4). */
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (length == 0 || length > available || at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* ---- the nearest word ---- */

enum { LONGEST_WORD = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t rows[3][LONGEST_WORD + 1] = {{0}};
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

const char *sy_nearest_word(const char *word, const char *const *words, size_t count)
{
    size_t length = strlen(word);
    if (length < 2 || length > LONGEST_WORD)
        return NULL;
    const char *nearest = NULL;
    size_t best = length < 6 ? 2 : length / 3 + 1; /* one slip in a short word, one in three letters else */
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(words[i]);
        if (other > LONGEST_WORD)
            continue;
        size_t distance = edit_distance(word, length, words[i], other);
        if (distance < best) {
            best = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
