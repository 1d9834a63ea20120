/* shipped: the variant files that are compiled into the program, as the build found them in
 * experiments/variants/. */
#ifndef STEELYARD_SHIPPED_H
#define STEELYARD_SHIPPED_H

#include <stddef.h>

struct sy_shipped_file {
    const char *name;           /* the file's name without ".json" */
    const unsigned char *bytes; /* its contents, followed by a zero byte that length does not count */
    size_t length;
};

/* Sorted by name, bytewise; after the last file comes an entry whose name is NULL. */
extern const struct sy_shipped_file sy_shipped_variants[];
extern const size_t sy_shipped_variant_count;

#endif
