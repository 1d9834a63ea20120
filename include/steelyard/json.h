/* json: reading JSON so that every error says file, line, column and path; writing it so that every
 * number reads back bit-identical. The only user of cJSON; nobody else includes its header.
 *
 * A document owns its values; a value is borrowed from its document and dies with it. Getters take the
 * object and the key, check kind and range, and on failure write an error such as
 *   panal.json:12:18: $.pieces[3].moves[0].range: must be a whole number from 1 to 127, not -2
 * Documents made by a patch have no text of their own, so their errors give the path alone. */
#ifndef STEELYARD_JSON_H
#define STEELYARD_JSON_H

#include "steelyard/base.h"

struct sy_json_doc; /* opaque: owns text and tree */
struct sy_json;     /* opaque: a value inside a document */

/* ---- reading ---- */

/* `name` is what errors call the source. Rejects whatever RFC 8259 does, and duplicate keys, invalid
 * UTF-8, \u0000, numbers that overflow or are longer than 60 characters, and nesting deeper than 200.
 * Columns count characters, from 1. *out is set on success only. */
SY_MUST_USE enum sy_status sy_json_read(const char *name, const char *text, size_t length,
                                        struct sy_json_doc **out, struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_read_file(const char *path, struct sy_json_doc **out,
                                             struct sy_error *error);
void sy_json_free(struct sy_json_doc *doc); /* NULL ok */

const struct sy_json *sy_json_root(const struct sy_json_doc *doc);
const char *sy_json_name(const struct sy_json_doc *doc);

/* RFC 7396: a new document, `target` with `patch` (values of any document, or built ones) merged in. name:
 * see read. An empty object as the patch copies the target. */
struct sy_json_doc *sy_json_merge(const char *name, const struct sy_json *target,
                                  const struct sy_json *patch);

/* Fills *error with "NAME:LINE:COLUMN: PATH: " and the message, for a value of this document; without line
 * and column in a document made by a patch; with NAME alone when value is NULL. Returns SY_BAD_INPUT. */
enum sy_status sy_json_fail(const struct sy_json_doc *doc, const struct sy_json *value,
                            struct sy_error *error, const char *format, ...) SY_PRINTF(4, 5);

enum sy_json_kind {
    SY_JSON_NULL,
    SY_JSON_BOOL,
    SY_JSON_NUMBER,
    SY_JSON_STRING,
    SY_JSON_ARRAY,
    SY_JSON_OBJECT
};
enum sy_json_kind sy_json_kind(const struct sy_json *value);
const struct sy_json *sy_json_member(const struct sy_json *object, const char *key); /* NULL when absent */
size_t sy_json_count(const struct sy_json *array_or_object);
/* Iteration in file order over an array's items or an object's members; NULL ends. */
const struct sy_json *sy_json_first(const struct sy_json *array_or_object);
const struct sy_json *sy_json_next(const struct sy_json *item);
const char *sy_json_key(const struct sy_json *member);   /* an object's member's own key */
const char *sy_json_string(const struct sy_json *value); /* NULL unless a string */
double sy_json_number(const struct sy_json *value);      /* NaN unless a number */
bool sy_json_true(const struct sy_json *value);          /* value is the literal true */

/* For messages: the value itself when it is short, else what it is ("an object"). A new string. */
char *sy_json_describe(const struct sy_json *value);

/* Rejects a value that is not an object, or has a key not in the list (separated by "|", or by spaces): names
 * the key, the nearest known one, and all that are allowed. */
SY_MUST_USE enum sy_status sy_json_check_keys(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *allowed, struct sy_error *error);

/* Typed members. `object` must be an object, or the getter fails. Each fails when the member is absent
 * ("missing key 'x'") unless a fallback is taken by the `_or` form, which then leaves *out untouched, and
 * always fails when it is there with a wrong kind or range. Strings are borrowed from the document. Whole
 * numbers from 2^53 on come as strings of digits, which get_u64 accepts. A range's end that is INT64_MIN,
 * INT64_MAX or infinite is no limit. */
SY_MUST_USE enum sy_status sy_json_get_string(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *key, const char **out, struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_string_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                                 const char *key, const char **out, struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_int(const struct sy_json_doc *doc, const struct sy_json *object,
                                           const char *key, int64_t min, int64_t max, int64_t *out,
                                           struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_int_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *key, int64_t min, int64_t max, int64_t *out,
                                              struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_u64(const struct sy_json_doc *doc, const struct sy_json *object,
                                           const char *key, uint64_t *out, struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_u64_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *key, uint64_t *out, struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_double(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *key, double min, double max, double *out,
                                              struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_double_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                                 const char *key, double min, double max, double *out,
                                                 struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_bool_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                               const char *key, bool *out, struct sy_error *error);
/* An object or array member; absent gives NULL and SY_OK in the `_or` forms. */
SY_MUST_USE enum sy_status sy_json_get_object(const struct sy_json_doc *doc, const struct sy_json *object,
                                              const char *key, const struct sy_json **out,
                                              struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_object_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                                 const char *key, const struct sy_json **out,
                                                 struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_array(const struct sy_json_doc *doc, const struct sy_json *object,
                                             const char *key, const struct sy_json **out,
                                             struct sy_error *error);
SY_MUST_USE enum sy_status sy_json_get_array_or(const struct sy_json_doc *doc, const struct sy_json *object,
                                                const char *key, const struct sy_json **out,
                                                struct sy_error *error);

/* ---- writing ---- */

/* A value under construction. It belongs to the caller until it is added to a parent; adding moves it.
 * Release an unadded one with sy_json_delete (NULL ok). Keys and strings are copied; bytes in them that
 * are not UTF-8 are written as U+FFFD. Members keep the order in which they were added; a key is added
 * once. */
struct sy_json *sy_json_new_object(void);
struct sy_json *sy_json_new_array(void);
struct sy_json *sy_json_new_number(double number); /* written as by sy_double_text; null when not finite */
struct sy_json *sy_json_new_int(int64_t number);   /* |number| < 2^53 */
struct sy_json *sy_json_new_u64(uint64_t number);  /* as a string of digits */
struct sy_json *sy_json_new_string(const char *text);
struct sy_json *sy_json_new_bool(bool value);
struct sy_json *sy_json_new_null(void);
struct sy_json *sy_json_copy(const struct sy_json *value); /* a deep copy of a read or built value */
void sy_json_add(struct sy_json *object, const char *key, struct sy_json *value);
void sy_json_append(struct sy_json *array, struct sy_json *value);
void sy_json_delete(struct sy_json *value);

/* Short forms of sy_json_add(object, key, sy_json_new_*(value)). */
void sy_json_add_number(struct sy_json *object, const char *key, double number);
void sy_json_add_int(struct sy_json *object, const char *key, int64_t number);
void sy_json_add_u64(struct sy_json *object, const char *key, uint64_t number);
void sy_json_add_string(struct sy_json *object, const char *key, const char *text);
void sy_json_add_bool(struct sy_json *object, const char *key, bool value);

/* The text of a read or built value, a new string without a final newline: on one line without spaces, or
 * indented by two spaces with arrays of plain values on one line. */
char *sy_json_text(const struct sy_json *value, bool indented);

#endif
