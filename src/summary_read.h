/* Short readers of a summary, for table and pictures. All take NULL and give NaN, "" or NULL for what is not
 * there, so that a number that is null needs no care but isfinite(). */
#ifndef STEELYARD_SUMMARY_READ_H
#define STEELYARD_SUMMARY_READ_H

#include "steelyard/json.h"

static inline const struct sy_json *sy_read_at(const struct sy_json *object, const char *key,
                                               const char *inner)
{
    return sy_json_member(sy_json_member(object, key), inner);
}

static inline double sy_read_number(const struct sy_json *object, const char *key)
{
    return sy_json_number(sy_json_member(object, key));
}

static inline const char *sy_read_string(const struct sy_json *object, const char *key)
{
    const char *text = sy_json_string(sy_json_member(object, key));
    return text ? text : "";
}

/* The n-th item, NULL beyond the last. */
static inline const struct sy_json *sy_read_item(const struct sy_json *array, size_t n)
{
    const struct sy_json *item = sy_json_first(array);
    while (item && n-- > 0) {
        item = sy_json_next(item);
    }
    return item;
}

#endif
