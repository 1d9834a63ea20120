/* json: what a value is, and typed members with their error messages.
 *
 * A whole number is one that a double holds exactly and whose neighbours it holds too, |n| < 2^53: beyond
 * that the text's last digits may already be lost. */
#include "json_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t largest_whole = (INT64_C(1) << 53) - 1;

/* ---- values ---- */

enum sy_json_kind sy_json_kind(const struct sy_json *value)
{
    const cJSON *node = sy_json_node(value);
    if (cJSON_IsBool(node))
        return SY_JSON_BOOL;
    if (cJSON_IsNumber(node))
        return SY_JSON_NUMBER;
    if (cJSON_IsString(node))
        return SY_JSON_STRING;
    if (cJSON_IsArray(node))
        return SY_JSON_ARRAY;
    return cJSON_IsObject(node) ? SY_JSON_OBJECT : SY_JSON_NULL;
}

const struct sy_json *sy_json_member(const struct sy_json *object, const char *key)
{
    const cJSON *node = sy_json_node(object);
    return cJSON_IsObject(node) ? sy_json_value(cJSON_GetObjectItemCaseSensitive(node, key)) : NULL;
}

size_t sy_json_count(const struct sy_json *array_or_object)
{
    size_t count = 0;
    for (const struct sy_json *i = sy_json_first(array_or_object); i != NULL; i = sy_json_next(i))
        count++;
    return count;
}

const struct sy_json *sy_json_first(const struct sy_json *array_or_object)
{
    return array_or_object == NULL ? NULL : sy_json_value(sy_json_node(array_or_object)->child);
}

const struct sy_json *sy_json_next(const struct sy_json *item)
{
    return sy_json_value(sy_json_node(item)->next);
}

const char *sy_json_key(const struct sy_json *member)
{
    return sy_json_node(member)->string;
}

const char *sy_json_string(const struct sy_json *value)
{
    return cJSON_GetStringValue(sy_json_node(value));
}

double sy_json_number(const struct sy_json *value)
{
    return cJSON_GetNumberValue(sy_json_node(value));
}

bool sy_json_true(const struct sy_json *value)
{
    return cJSON_IsTrue(sy_json_node(value));
}

/* ---- messages ---- */

static const char *kind_name(const struct sy_json *value)
{
    static const char *const names[] = {"null",     "true or false", "a number",
                                        "a string", "an array",      "an object"};
    return names[sy_json_kind(value)];
}

char *sy_json_describe(const struct sy_json *value)
{
    enum { SHORT = 40 };
    enum sy_json_kind kind = sy_json_kind(value);
    if (kind == SY_JSON_ARRAY || kind == SY_JSON_OBJECT)
        return sy_strdup(kind_name(value));
    char *text = sy_json_text(value, false);
    if (strlen(text) <= SHORT)
        return text;
    free(text);
    return sy_strdup(kind_name(value));
}

/* "must be WHAT, not VALUE" */
static enum sy_status must_be(const struct sy_json_doc *doc, const struct sy_json *value, const char *what,
                              struct sy_error *error)
{
    char *found = sy_json_describe(value);
    enum sy_status status = sy_json_fail(doc, value, error, "must be %s, not %s", what, found);
    free(found);
    return status;
}

/* "NOUN", and the range where it has ends ("" for none). */
static char *with_range(const char *noun, const char *min, const char *max)
{
    if (*min != '\0' && *max != '\0')
        return sy_format("%s from %s to %s", noun, min, max);
    if (*min != '\0')
        return sy_format("%s of at least %s", noun, min);
    return *max != '\0' ? sy_format("%s of at most %s", noun, max) : sy_strdup(noun);
}

/* ---- keys ---- */

/* The words of a space-separated list; *copy holds their bytes. Both are new. */
static const char **split(const char *list, char **copy, size_t *count)
{
    const char **words = NULL;
    size_t capacity = 0;
    *copy = sy_strdup(list);
    *count = 0;
    const char *separator = strchr(list, '|') ? "|" : " ";
    char *rest, *word = strtok_r(*copy, separator, &rest);
    for (; word != NULL; word = strtok_r(NULL, separator, &rest)) {
        words = sy_grow(words, &capacity, *count + 1, sizeof *words);
        words[(*count)++] = word;
    }
    return words;
}

static bool is_listed(const char *key, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(key, words[i]) == 0)
            return true;
    return false;
}

static enum sy_status fail_unknown(const struct sy_json_doc *doc, const struct sy_json *member,
                                   const char *const *words, size_t count, struct sy_error *error)
{
    const char *key = sy_json_key(member), *nearest = sy_nearest_word(key, words, count);
    struct sy_text message = SY_TEXT_INIT;
    sy_text_printf(&message, "unknown key '%.80s'", key);
    if (nearest != NULL)
        sy_text_printf(&message, ": did you mean '%s'?", nearest);
    sy_text_puts(&message, count == 0 ? " (no keys are allowed here)" : " (allowed: ");
    for (size_t i = 0; i < count; i++)
        sy_text_printf(&message, "%s%s", words[i], i + 1 < count ? ", " : ")");
    enum sy_status status = sy_json_fail(doc, member, error, "%s", message.bytes);
    sy_text_clear(&message);
    return status;
}

enum sy_status sy_json_check_keys(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *allowed, struct sy_error *error)
{
    if (sy_json_kind(object) != SY_JSON_OBJECT)
        return must_be(doc, object, "an object", error);
    char *copy;
    size_t count;
    const char **words = split(allowed, &copy, &count);
    enum sy_status status = SY_OK;
    const struct sy_json *member = sy_json_first(object);
    for (; status == SY_OK && member != NULL; member = sy_json_next(member))
        if (!is_listed(sy_json_key(member), words, count))
            status = fail_unknown(doc, member, words, count, error);
    free(words);
    free(copy);
    return status;
}

/* ---- members ---- */

/* *out is NULL when the member is absent and need not be there. */
static enum sy_status get(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                          bool needed, const struct sy_json **out, struct sy_error *error)
{
    *out = NULL;
    if (sy_json_kind(object) != SY_JSON_OBJECT)
        return must_be(doc, object, "an object", error);
    *out = sy_json_member(object, key);
    if (*out == NULL && needed)
        return sy_json_fail(doc, object, error, "missing key '%s'", key);
    return SY_OK;
}

static enum sy_status get_string(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                                 bool needed, const char **out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, needed, &value, error);
    if (status != SY_OK || value == NULL)
        return status;
    if (sy_json_kind(value) != SY_JSON_STRING)
        return must_be(doc, value, "a string", error);
    *out = sy_json_string(value);
    return SY_OK;
}

static bool is_whole(const struct sy_json *value)
{
    double number = sy_json_number(value);
    return fabs(number) <= (double)largest_whole && number == floor(number);
}

static enum sy_status fail_int(const struct sy_json_doc *doc, const struct sy_json *value, int64_t min,
                               int64_t max, struct sy_error *error)
{
    char low[24] = "", high[24] = "", *what;
    if (min != INT64_MIN)
        snprintf(low, sizeof low, "%" PRId64, min);
    if (max != INT64_MAX)
        snprintf(high, sizeof high, "%" PRId64, max);
    what = with_range("a whole number", low, high);
    enum sy_status status = must_be(doc, value, what, error);
    free(what);
    return status;
}

static enum sy_status get_int(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                              bool needed, const int64_t range[2], int64_t *out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, needed, &value, error);
    if (status != SY_OK || value == NULL)
        return status;
    int64_t number = is_whole(value) ? (int64_t)sy_json_number(value) : 0;
    if (!is_whole(value) || number < range[0] || number > range[1])
        return fail_int(doc, value, range[0], range[1], error);
    *out = number;
    return SY_OK;
}

static enum sy_status get_u64(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                              bool needed, uint64_t *out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, needed, &value, error);
    if (status != SY_OK || value == NULL)
        return status;
    if (is_whole(value) && sy_json_number(value) >= 0)
        *out = (uint64_t)sy_json_number(value);
    else if (sy_json_kind(value) != SY_JSON_STRING || !sy_parse_u64(sy_json_string(value), out))
        return must_be(doc, value, "a whole number from 0 to 2^64 - 1, as a string of digits from 2^53 on",
                       error);
    return SY_OK;
}

static enum sy_status fail_double(const struct sy_json_doc *doc, const struct sy_json *value, double min,
                                  double max, struct sy_error *error)
{
    char low[32] = "", high[32] = "", *what;
    if (isfinite(min))
        sy_double_text(min, low);
    if (isfinite(max))
        sy_double_text(max, high);
    what = with_range("a number", low, high);
    enum sy_status status = must_be(doc, value, what, error);
    free(what);
    return status;
}

static enum sy_status get_double(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                                 bool needed, const double range[2], double *out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, needed, &value, error);
    if (status != SY_OK || value == NULL)
        return status;
    double number = sy_json_number(value);
    if (!(number >= range[0] && number <= range[1]))
        return fail_double(doc, value, range[0], range[1], error);
    *out = number;
    return SY_OK;
}

static enum sy_status get_container(const struct sy_json_doc *doc, const struct sy_json *object,
                                    const char *key, bool needed, enum sy_json_kind kind,
                                    const struct sy_json **out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, needed, &value, error);
    if (status != SY_OK)
        return status;
    if (value != NULL && sy_json_kind(value) != kind)
        return must_be(doc, value, kind == SY_JSON_ARRAY ? "an array" : "an object", error);
    *out = value;
    return SY_OK;
}

enum sy_status sy_json_get_string(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *key, const char **out, struct sy_error *error)
{
    return get_string(doc, object, key, true, out, error);
}

enum sy_status sy_json_get_string_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                     const char *key, const char **out, struct sy_error *error)
{
    return get_string(doc, object, key, false, out, error);
}

enum sy_status sy_json_get_int(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                               int64_t min, int64_t max, int64_t *out, struct sy_error *error)
{
    return get_int(doc, object, key, true, (const int64_t[]){min, max}, out, error);
}

enum sy_status sy_json_get_int_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *key, int64_t min, int64_t max, int64_t *out,
                                  struct sy_error *error)
{
    return get_int(doc, object, key, false, (const int64_t[]){min, max}, out, error);
}

enum sy_status sy_json_get_u64(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                               uint64_t *out, struct sy_error *error)
{
    return get_u64(doc, object, key, true, out, error);
}

enum sy_status sy_json_get_u64_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *key, uint64_t *out, struct sy_error *error)
{
    return get_u64(doc, object, key, false, out, error);
}

enum sy_status sy_json_get_double(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *key, double min, double max, double *out,
                                  struct sy_error *error)
{
    return get_double(doc, object, key, true, (const double[]){min, max}, out, error);
}

enum sy_status sy_json_get_double_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                     const char *key, double min, double max, double *out,
                                     struct sy_error *error)
{
    return get_double(doc, object, key, false, (const double[]){min, max}, out, error);
}

enum sy_status sy_json_get_bool_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                   const char *key, bool *out, struct sy_error *error)
{
    const struct sy_json *value;
    enum sy_status status = get(doc, object, key, false, &value, error);
    if (status != SY_OK || value == NULL)
        return status;
    if (sy_json_kind(value) != SY_JSON_BOOL)
        return must_be(doc, value, "true or false", error);
    *out = sy_json_true(value);
    return SY_OK;
}

enum sy_status sy_json_get_object(const struct sy_json_doc *doc, const struct sy_json *object,
                                  const char *key, const struct sy_json **out, struct sy_error *error)
{
    return get_container(doc, object, key, true, SY_JSON_OBJECT, out, error);
}

enum sy_status sy_json_get_object_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                     const char *key, const struct sy_json **out, struct sy_error *error)
{
    return get_container(doc, object, key, false, SY_JSON_OBJECT, out, error);
}

enum sy_status sy_json_get_array(const struct sy_json_doc *doc, const struct sy_json *object, const char *key,
                                 const struct sy_json **out, struct sy_error *error)
{
    return get_container(doc, object, key, true, SY_JSON_ARRAY, out, error);
}

enum sy_status sy_json_get_array_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                    const char *key, const struct sy_json **out, struct sy_error *error)
{
    return get_container(doc, object, key, false, SY_JSON_ARRAY, out, error);
}
