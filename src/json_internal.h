/* What json's own files share: a value is a cJSON node under another name. */
#ifndef STEELYARD_JSON_INTERNAL_H
#define STEELYARD_JSON_INTERNAL_H

#include "steelyard/json.h"

#include <cjson/cJSON.h>

static inline const cJSON *sy_json_node(const struct sy_json *value)
{
    return (const cJSON *)value;
}

static inline const struct sy_json *sy_json_value(const cJSON *node)
{
    return (const struct sy_json *)node;
}

/* Adds a string in double quotes, escaped. */
void sy_json_add_quoted(struct sy_text *text, const char *string);

#endif
