/* reader: cuts what a descriptor gives into lines.
 *
 * Nothing is read before it is there, so that a caller who gave a deadline keeps it. What follows the last
 * newline is a line when the input ends; a line beyond all measure ends the input. */
#include "steelyard/reader.h"

#include "steelyard/base.h"
#include "steelyard/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096, LONGEST = 1 << 20 };
static const double longest_poll = 1000; /* seconds: what poll counts must fit an int */

void sy_reader_init(struct sy_reader *reader, int descriptor)
{
    *reader = (struct sy_reader){.descriptor = descriptor};
}

void sy_reader_clear(struct sy_reader *reader)
{
    free(reader->bytes);
    *reader = (struct sy_reader){.descriptor = reader->descriptor, .ended = true};
}

/* The line that the bytes begin with, if it is whole. */
static char *cut(struct sy_reader *reader)
{
    const size_t waiting = reader->length - reader->start;
    if (waiting == 0)
        return NULL;
    char *line = reader->bytes + reader->start;
    char *end = memchr(line, '\n', waiting);
    if (end == NULL && !reader->ended)
        return NULL;
    if (end == NULL)
        end = line + waiting; /* there is room for the NUL, as for every byte read */
    reader->start = end < line + waiting ? reader->start + (size_t)(end - line) + 1 : reader->length;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

static void read_more(struct sy_reader *reader)
{
    if (reader->start > 0) {
        memmove(reader->bytes, reader->bytes + reader->start, reader->length - reader->start);
        reader->length -= reader->start;
        reader->start = 0;
    }
    reader->bytes = sy_grow(reader->bytes, &reader->capacity, reader->length + PIECE + 1, 1);
    const ssize_t got = read(reader->descriptor, reader->bytes + reader->length, PIECE);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (got > 0)
        reader->length += (size_t)got;
    reader->ended = got <= 0 || reader->length > LONGEST;
}

static bool has_come(const struct sy_reader *reader, double deadline)
{
    const double left = fmin(fmax(deadline - sy_clock(), 0), longest_poll);
    struct pollfd ready = {.fd = reader->descriptor, .events = POLLIN};
    return poll(&ready, 1, (int)ceil(1000 * left)) > 0;
}

char *sy_reader_next(struct sy_reader *reader, double deadline)
{
    for (;;) {
        char *line = cut(reader);
        if (line != NULL || reader->ended)
            return line;
        if (has_come(reader, deadline))
            read_more(reader);
        else if (deadline <= sy_clock())
            return NULL;
    }
}
