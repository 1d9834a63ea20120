/* JSON Schema (draft 2020-12): type, const and enum of texts, required, properties, additionalProperties
 * false, items, minimum, maximum, pattern of digests, and $ref into $defs. A keyword that is none of these
 * fails the check, so that nothing in the schema goes unchecked. */
#include "schema_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check {
    const struct sy_json *root;
    char path[512];
};

static bool holds(struct check *check, const struct sy_json *schema, const struct sy_json *value);

static bool complain(const struct check *check, const char *what)
{
    fprintf(stderr, "schema: $%s: %s\n", check->path, what);
    return false;
}

static bool is_type(const struct sy_json *value, const char *type)
{
    const enum sy_json_kind kind = sy_json_kind(value);
    const double number = sy_json_number(value);
    return strcmp(type, "object") == 0    ? kind == SY_JSON_OBJECT
           : strcmp(type, "array") == 0   ? kind == SY_JSON_ARRAY
           : strcmp(type, "string") == 0  ? kind == SY_JSON_STRING
           : strcmp(type, "boolean") == 0 ? kind == SY_JSON_BOOL
           : strcmp(type, "null") == 0    ? kind == SY_JSON_NULL
           : strcmp(type, "number") == 0  ? kind == SY_JSON_NUMBER
           : strcmp(type, "integer") == 0 ? kind == SY_JSON_NUMBER && !(floor(number) < number)
                                          : false;
}

static bool has_type(const struct sy_json *types, const struct sy_json *value)
{
    if (sy_json_string(types))
        return is_type(value, sy_json_string(types));
    for (const struct sy_json *type = sy_json_first(types); type; type = sy_json_next(type))
        if (is_type(value, sy_json_string(type)))
            return true;
    return false;
}

static bool is_text(const struct sy_json *value, const struct sy_json *text)
{
    const char *is = sy_json_string(value);
    return is && strcmp(is, sy_json_string(text)) == 0;
}

static bool is_one_of(const struct sy_json *texts, const struct sy_json *value)
{
    for (const struct sy_json *text = sy_json_first(texts); text; text = sy_json_next(text))
        if (is_text(value, text))
            return true;
    return false;
}

static bool is_digest(const struct sy_json *value)
{
    const char *text = sy_json_string(value);
    return text && strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static bool has_all(const struct sy_json *required, const struct sy_json *value)
{
    for (const struct sy_json *key = sy_json_first(required); key; key = sy_json_next(key))
        if (!sy_json_member(value, sy_json_string(key)))
            return false;
    return true;
}

static bool step_into(struct check *check, const char *name, const struct sy_json *schema,
                      const struct sy_json *value)
{
    const size_t length = strlen(check->path);
    snprintf(check->path + length, sizeof check->path - length, ".%s", name);
    const bool good = holds(check, schema, value);
    check->path[length] = '\0';
    return good;
}

static bool members_hold(struct check *check, const struct sy_json *schema, const struct sy_json *value)
{
    const struct sy_json *properties = sy_json_member(schema, "properties");
    const bool closed = sy_json_member(schema, "additionalProperties") != NULL;
    for (const struct sy_json *member = sy_json_first(value); member; member = sy_json_next(member)) {
        const struct sy_json *inner = sy_json_member(properties, sy_json_key(member));
        if (!inner && closed) {
            fprintf(stderr, "schema: %s is not allowed\n", sy_json_key(member));
            return complain(check, "a member too many");
        }
        if (inner && !step_into(check, sy_json_key(member), inner, member))
            return false;
    }
    return true;
}

static bool items_hold(struct check *check, const struct sy_json *schema, const struct sy_json *value)
{
    for (const struct sy_json *item = sy_json_first(value); item; item = sy_json_next(item))
        if (!step_into(check, "[]", schema, item))
            return false;
    return true;
}

static bool keyword_holds(struct check *check, const char *key, const struct sy_json *rule,
                          const struct sy_json *schema, const struct sy_json *value)
{
    const enum sy_json_kind kind = sy_json_kind(value);
    if (strcmp(key, "$ref") == 0)
        return holds(check, sy_json_member(sy_json_member(check->root, "$defs"), sy_json_string(rule) + 8),
                     value);
    if (strcmp(key, "type") == 0)
        return has_type(rule, value) || complain(check, "of a wrong type");
    if (strcmp(key, "const") == 0)
        return is_text(value, rule) || complain(check, "not the constant");
    if (strcmp(key, "enum") == 0)
        return is_one_of(rule, value) || complain(check, "none of the texts");
    if (strcmp(key, "pattern") == 0)
        return is_digest(value) || complain(check, "no digest");
    if (strcmp(key, "minimum") == 0)
        return kind != SY_JSON_NUMBER || sy_json_number(value) >= sy_json_number(rule) ||
               complain(check, "too small");
    if (strcmp(key, "maximum") == 0)
        return kind != SY_JSON_NUMBER || sy_json_number(value) <= sy_json_number(rule) ||
               complain(check, "too large");
    if (strcmp(key, "required") == 0)
        return kind != SY_JSON_OBJECT || has_all(rule, value) || complain(check, "lacks a member");
    if (strcmp(key, "properties") == 0)
        return kind != SY_JSON_OBJECT || members_hold(check, schema, value);
    if (strcmp(key, "items") == 0)
        return kind != SY_JSON_ARRAY || items_hold(check, rule, value);
    static const char *const silent[] = {"$schema", "title", "description", "$defs", "additionalProperties"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (strcmp(key, silent[i]) == 0)
            return true;
    return complain(check, "under a keyword that the check does not know");
}

static bool holds(struct check *check, const struct sy_json *schema, const struct sy_json *value)
{
    if (!schema)
        return complain(check, "without a schema");
    for (const struct sy_json *rule = sy_json_first(schema); rule; rule = sy_json_next(rule))
        if (!keyword_holds(check, sy_json_key(rule), rule, schema, value))
            return false;
    return true;
}

bool schema_holds(const struct sy_json *schema, const struct sy_json *value)
{
    struct check check = {schema, ""};
    return holds(&check, schema, value);
}
