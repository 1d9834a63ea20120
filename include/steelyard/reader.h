/* reader: the lines that come from a descriptor, as they come, for conversations with other programs. */
#ifndef STEELYARD_READER_H
#define STEELYARD_READER_H

#include <stdbool.h>
#include <stddef.h>

struct sy_reader {
    int descriptor;
    bool ended;                     /* nothing more will come */
    char *bytes;                    /* what has come and was not given away yet: [start, length) */
    size_t start, length, capacity; /* of bytes */
};

/* The descriptor stays the caller's. */
void sy_reader_init(struct sy_reader *reader, int descriptor);
void sy_reader_clear(struct sy_reader *reader); /* frees */

/* The next line without its end, which the caller may change, borrowed until the next call. Waits until the
 * deadline (sy_clock; INFINITY: as long as it takes; 0: takes only what is there); NULL when none has come by
 * then, or none will: see `ended`. */
char *sy_reader_next(struct sy_reader *reader, double deadline);

#endif
