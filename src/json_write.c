/* json: building values and writing their text.
 *
 * cJSON holds the tree; the text is written here, since cJSON's own printing loses bits of numbers and
 * indents with tabs. */
#include "json_internal.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- building ---- */

/* cJSON's constructors fail for want of memory only. */
static struct sy_json *made(cJSON *node)
{
    if (node == NULL)
        sy_out_of_memory();
    return (struct sy_json *)node;
}

struct sy_json *sy_json_new_object(void)
{
    return made(cJSON_CreateObject());
}

struct sy_json *sy_json_new_array(void)
{
    return made(cJSON_CreateArray());
}

struct sy_json *sy_json_new_number(double number)
{
    return isfinite(number) ? made(cJSON_CreateNumber(number)) : sy_json_new_null();
}

struct sy_json *sy_json_new_int(int64_t number)
{
    assert(number > -(INT64_C(1) << 53) && number < INT64_C(1) << 53);
    return made(cJSON_CreateNumber((double)number));
}

struct sy_json *sy_json_new_u64(uint64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    return sy_json_new_string(digits);
}

struct sy_json *sy_json_new_string(const char *text)
{
    return made(cJSON_CreateString(text));
}

struct sy_json *sy_json_new_bool(bool value)
{
    return made(cJSON_CreateBool(value));
}

struct sy_json *sy_json_new_null(void)
{
    return made(cJSON_CreateNull());
}

struct sy_json *sy_json_copy(const struct sy_json *value)
{
    return made(cJSON_Duplicate(sy_json_node(value), true));
}

void sy_json_add(struct sy_json *object, const char *key, struct sy_json *value)
{
    assert(sy_json_kind(object) == SY_JSON_OBJECT && sy_json_member(object, key) == NULL);
    if (!cJSON_AddItemToObject((cJSON *)object, key, (cJSON *)value))
        sy_out_of_memory();
}

void sy_json_append(struct sy_json *array, struct sy_json *value)
{
    assert(sy_json_kind(array) == SY_JSON_ARRAY);
    if (!cJSON_AddItemToArray((cJSON *)array, (cJSON *)value))
        sy_out_of_memory();
}

void sy_json_delete(struct sy_json *value)
{
    cJSON_Delete((cJSON *)value);
}

void sy_json_add_number(struct sy_json *object, const char *key, double number)
{
    sy_json_add(object, key, sy_json_new_number(number));
}

void sy_json_add_int(struct sy_json *object, const char *key, int64_t number)
{
    sy_json_add(object, key, sy_json_new_int(number));
}

void sy_json_add_u64(struct sy_json *object, const char *key, uint64_t number)
{
    sy_json_add(object, key, sy_json_new_u64(number));
}

void sy_json_add_string(struct sy_json *object, const char *key, const char *text)
{
    sy_json_add(object, key, sy_json_new_string(text));
}

void sy_json_add_bool(struct sy_json *object, const char *key, bool value)
{
    sy_json_add(object, key, sy_json_new_bool(value));
}

/* ---- text ---- */

/* The letter of a two-character escape, or NUL. */
static char escape_letter(char byte)
{
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *found = strchr(from, byte);
    return found == NULL ? '\0' : to[found - from];
}

void sy_json_add_quoted(struct sy_text *text, const char *string)
{
    sy_text_puts(text, "\"");
    for (size_t left = strlen(string); left > 0;) {
        size_t length = sy_utf8_length(string, left);
        char letter = escape_letter(*string);
        if (length == 0)
            sy_text_puts(text, "\xef\xbf\xbd");
        else if (letter != '\0')
            sy_text_printf(text, "\\%c", letter);
        else if ((unsigned char)*string < 0x20)
            sy_text_printf(text, "\\u%04x", (unsigned)*string);
        else
            sy_text_add(text, string, length);
        length = length == 0 ? 1 : length;
        string += length;
        left -= length;
    }
    sy_text_puts(text, "\"");
}

enum { ONE_LINE = -1 }; /* in place of an indentation depth */

static void add_break(struct sy_text *text, int depth)
{
    if (depth != ONE_LINE)
        sy_text_printf(text, "\n%*s", 2 * depth, "");
}

static bool holds_containers(const cJSON *array)
{
    for (const cJSON *item = array->child; item != NULL; item = item->next)
        if (cJSON_IsArray(item) || cJSON_IsObject(item))
            return true;
    return false;
}

static void add_value(struct sy_text *text, const cJSON *node, int depth);

static void add_container(struct sy_text *text, const cJSON *node, int depth)
{
    bool object = cJSON_IsObject(node), broken = node->child != NULL && (object || holds_containers(node));
    int inner = depth == ONE_LINE || !broken ? ONE_LINE : depth + 1;
    sy_text_puts(text, object ? "{" : "[");
    for (const cJSON *child = node->child; child != NULL; child = child->next) {
        add_break(text, inner);
        if (object) {
            sy_json_add_quoted(text, child->string);
            sy_text_puts(text, depth == ONE_LINE ? ":" : ": ");
        }
        add_value(text, child, inner);
        if (child->next != NULL)
            sy_text_puts(text, depth != ONE_LINE && inner == ONE_LINE ? ", " : ",");
    }
    if (inner != ONE_LINE)
        add_break(text, depth);
    sy_text_puts(text, object ? "}" : "]");
}

static void add_value(struct sy_text *text, const cJSON *node, int depth)
{
    char number[32];
    switch (sy_json_kind(sy_json_value(node))) {
    case SY_JSON_NULL:
        sy_text_puts(text, "null");
        break;
    case SY_JSON_BOOL:
        sy_text_puts(text, cJSON_IsTrue(node) ? "true" : "false");
        break;
    case SY_JSON_NUMBER:
        sy_double_text(node->valuedouble, number);
        sy_text_puts(text, number);
        break;
    case SY_JSON_STRING:
        sy_json_add_quoted(text, node->valuestring);
        break;
    case SY_JSON_ARRAY:
    case SY_JSON_OBJECT:
        add_container(text, node, depth);
        break;
    }
}

char *sy_json_text(const struct sy_json *value, bool indented)
{
    struct sy_text text = SY_TEXT_INIT;
    add_value(&text, sy_json_node(value), indented ? 0 : ONE_LINE);
    return text.bytes;
}
