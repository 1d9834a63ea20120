/* json: reading and locating.
 *
 * cJSON builds the tree but is lax (01, +1, control characters, any bytes) and keeps no positions, so a
 * strict scan of the text comes first: it rejects what RFC 8259 does, with line and column, and notes
 * where each value begins. Values begin in the text in the order in which a depth-first walk of the tree
 * meets them, hence starts[i] belongs to the walk's i-th node; errors find their place by that walk, and
 * reading pays next to nothing for it.
 *
 * Sources: RFC 8259 (JSON), RFC 3629 (UTF-8), RFC 7396 (merge patch). */
#include "json_internal.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 200,      /* far below cJSON's own limit of 1000 */
    LONGEST_NUMBER = 60 /* cJSON reads at most 63 characters of a number */
};

struct sy_json_doc {
    char *name, *text; /* text NULL: made by a patch */
    size_t length;
    size_t *starts; /* byte offsets of the values, in depth-first order */
    size_t count, capacity;
    cJSON *root;
};

/* ---- places ---- */

struct place {
    size_t line, column;
};

static struct place place_of(const struct sy_json_doc *doc, size_t offset)
{
    struct place place = {1, 1};
    for (size_t i = 0; i < offset;) {
        size_t length = sy_utf8_length(doc->text + i, doc->length - i);
        if (doc->text[i] == '\n')
            place = (struct place){place.line + 1, 1};
        else
            place.column++;
        i += length == 0 ? 1 : length;
    }
    return place;
}

static bool plain_key(const char *key)
{
    return *key != '\0' &&
           strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == strlen(key);
}

static void add_step(struct sy_text *path, const cJSON *parent, const cJSON *child, size_t index)
{
    if (cJSON_IsArray(parent)) {
        sy_text_printf(path, "[%zu]", index);
    } else if (plain_key(child->string)) {
        sy_text_printf(path, ".%s", child->string);
    } else {
        sy_text_puts(path, "[");
        sy_json_add_quoted(path, child->string);
        sy_text_puts(path, "]");
    }
}

/* Walks depth first from `node` to `wanted`; *passed counts the nodes before it, path gets its steps. */
static bool find(const cJSON *node, const cJSON *wanted, size_t *passed, struct sy_text *path)
{
    if (node == wanted)
        return true;
    ++*passed;
    size_t index = 0, length = path->length;
    for (const cJSON *child = node->child; child != NULL; child = child->next) {
        add_step(path, node, child, index++);
        if (find(child, wanted, passed, path))
            return true;
        path->length = length;
        path->bytes[length] = '\0';
    }
    return false;
}

enum sy_status sy_json_fail(const struct sy_json_doc *doc, const struct sy_json *value,
                            struct sy_error *error, const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (value == NULL)
        return sy_fail(error, SY_BAD_INPUT, "%s: %s", doc->name, message);
    struct sy_text path = SY_TEXT_INIT;
    size_t passed = 0;
    sy_text_puts(&path, "$");
    bool found = find(doc->root, sy_json_node(value), &passed, &path);
    assert(found);
    (void)found;
    if (doc->text == NULL) {
        sy_fail(error, SY_BAD_INPUT, "%s: %s: %s", doc->name, path.bytes, message);
    } else {
        struct place at = place_of(doc, doc->starts[passed]);
        sy_fail(error, SY_BAD_INPUT, "%s:%zu:%zu: %s: %s", doc->name, at.line, at.column, path.bytes,
                message);
    }
    sy_text_clear(&path);
    return SY_BAD_INPUT;
}

/* ---- the scan ---- */

struct scan {
    struct sy_json_doc *doc;
    size_t at;
    int depth;
    struct sy_error *error;
};

static enum sy_status scan_fail(struct scan *scan, size_t at, const char *message)
{
    struct place place = place_of(scan->doc, at);
    return sy_fail(scan->error, SY_BAD_INPUT, "%s:%zu:%zu: %s", scan->doc->name, place.line, place.column,
                   message);
}

/* The byte at the scan, or -1 at the end. */
static int peek(const struct scan *scan)
{
    return scan->at < scan->doc->length ? (unsigned char)scan->doc->text[scan->at] : -1;
}

static int peek_after_space(struct scan *scan)
{
    int byte;
    while ((byte = peek(scan)) == ' ' || byte == '\n' || byte == '\r' || byte == '\t')
        scan->at++;
    return byte;
}

static enum sy_status scan_expected(struct scan *scan, const char *what)
{
    char message[160];
    int byte = peek(scan);
    if (byte < 0)
        snprintf(message, sizeof message, "expected %s, but the text ends", what);
    else if (byte > 0x20 && byte < 0x7f)
        snprintf(message, sizeof message, "expected %s, not '%c'", what, byte);
    else
        snprintf(message, sizeof message, "expected %s, not the byte 0x%02x", what, (unsigned)byte);
    return scan_fail(scan, scan->at, message);
}

/* The four hexadecimal digits at `at` as a number, or -1. */
static long hexadecimal4(const struct scan *scan, size_t at)
{
    const struct sy_json_doc *doc = scan->doc;
    long number = 0;
    for (size_t i = at; i < at + 4; i++) {
        static const char digits[] = "0123456789abcdef";
        if (i >= doc->length || doc->text[i] == '\0')
            return -1;
        char lower = (char)(doc->text[i] | 0x20);
        const char *digit = doc->text[i] < '0' ? NULL : strchr(digits, lower);
        if (digit == NULL)
            return -1;
        number = number * 16 + (digit - digits);
    }
    return number;
}

/* After "\u": one code unit, or a surrogate pair. */
static enum sy_status scan_unicode(struct scan *scan, size_t escape)
{
    long unit = hexadecimal4(scan, scan->at);
    if (unit < 0)
        return scan_fail(scan, escape, "\\u must be followed by four hexadecimal digits");
    if (unit == 0)
        return scan_fail(scan, escape, "a string must not hold the character \\u0000");
    scan->at += 4;
    if (unit < 0xd800 || unit > 0xdfff)
        return SY_OK;
    const struct sy_json_doc *doc = scan->doc;
    bool second = doc->length - scan->at >= 2 && memcmp(doc->text + scan->at, "\\u", 2) == 0;
    long low = second ? hexadecimal4(scan, scan->at + 2) : -1;
    if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff)
        return scan_fail(scan, escape, "half of a surrogate pair");
    scan->at += 6;
    return SY_OK;
}

static enum sy_status scan_escape(struct scan *scan)
{
    size_t escape = scan->at++;
    int byte = peek(scan);
    if (byte <= 0 || strchr("\"\\/bfnrtu", byte) == NULL)
        return scan_fail(scan, escape, "unknown escape in a string; a backslash is written \\\\");
    scan->at++;
    return byte == 'u' ? scan_unicode(scan, escape) : SY_OK;
}

static enum sy_status scan_string(struct scan *scan)
{
    const struct sy_json_doc *doc = scan->doc;
    size_t open = scan->at++;
    for (;;) {
        int byte = peek(scan);
        if (byte < 0)
            return scan_fail(scan, open, "a string without its closing quote");
        if (byte < 0x20)
            return scan_fail(scan, scan->at, "a control character in a string (a missing quote?)");
        if (byte == '"')
            break;
        if (byte == '\\') {
            enum sy_status status = scan_escape(scan);
            if (status != SY_OK)
                return status;
            continue;
        }
        size_t length = sy_utf8_length(doc->text + scan->at, doc->length - scan->at);
        if (length == 0)
            return scan_fail(scan, scan->at, "not UTF-8");
        scan->at += length;
    }
    scan->at++;
    return SY_OK;
}

static size_t skip_digits(const char *text, size_t at)
{
    while (text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* RFC 8259, section 6; the text ends with a NUL. */
static size_t number_length(const char *text)
{
    size_t at = text[0] == '-', digits = at;
    at = text[at] == '0' ? at + 1 : skip_digits(text, at);
    if (at == digits)
        return 0;
    if (text[at] == '.') {
        digits = at + 1;
        at = skip_digits(text, digits);
        if (at == digits)
            return 0;
    }
    if (text[at] == 'e' || text[at] == 'E') {
        digits = at + 1 + (text[at + 1] == '+' || text[at + 1] == '-');
        at = skip_digits(text, digits);
        if (at == digits)
            return 0;
    }
    return at;
}

/* A word or a number: whatever letters, digits and signs stand together. */
static enum sy_status scan_word(struct scan *scan)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    const char *text = scan->doc->text + scan->at;
    size_t length = strspn(text, letters);
    char word[LONGEST_NUMBER + 1], message[160];
    double number;
    if (length == 0)
        return scan_expected(scan, "a value");
    if (length > LONGEST_NUMBER)
        return scan_fail(scan, scan->at, "a number or word of more than 60 characters");
    memcpy(word, text, length);
    word[length] = '\0';
    bool known = strcmp(word, "true") == 0 || strcmp(word, "false") == 0 || strcmp(word, "null") == 0;
    if (!known && number_length(word) != length) {
        snprintf(message, sizeof message, "'%s' is not a JSON value", word);
        return scan_fail(scan, scan->at, message);
    }
    if (!known && !sy_parse_double(word, &number)) {
        snprintf(message, sizeof message, "the number %s is too large", word);
        return scan_fail(scan, scan->at, message);
    }
    scan->at += length;
    return SY_OK;
}

static enum sy_status scan_value(struct scan *scan);

static enum sy_status scan_key(struct scan *scan)
{
    if (peek_after_space(scan) != '"')
        return scan_expected(scan, "a key in double quotes");
    enum sy_status status = scan_string(scan);
    if (status != SY_OK)
        return status;
    if (peek_after_space(scan) != ':')
        return scan_expected(scan, "':' after a key");
    scan->at++;
    return SY_OK;
}

/* An array or an object, from its opening bracket on. */
static enum sy_status scan_container(struct scan *scan, int close)
{
    if (scan->depth == DEEPEST)
        return scan_fail(scan, scan->at, "nested more than 200 deep");
    scan->depth++;
    scan->at++;
    bool first = true;
    while (!first || peek_after_space(scan) != close) {
        first = false;
        enum sy_status status = close == '}' ? scan_key(scan) : SY_OK;
        if (status == SY_OK)
            status = scan_value(scan);
        if (status != SY_OK)
            return status;
        int byte = peek_after_space(scan);
        if (byte == close)
            break;
        if (byte != ',')
            return scan_expected(scan,
                                 close == '}' ? "',' or '}' after a member" : "',' or ']' after an item");
        scan->at++;
    }
    scan->at++;
    scan->depth--;
    return SY_OK;
}

static enum sy_status scan_value(struct scan *scan)
{
    struct sy_json_doc *doc = scan->doc;
    int byte = peek_after_space(scan);
    doc->starts = sy_grow(doc->starts, &doc->capacity, doc->count + 1, sizeof *doc->starts);
    doc->starts[doc->count++] = scan->at;
    switch (byte) {
    case '{':
        return scan_container(scan, '}');
    case '[':
        return scan_container(scan, ']');
    case '"':
        return scan_string(scan);
    default:
        return scan_word(scan);
    }
}

static enum sy_status scan_text(struct sy_json_doc *doc, struct sy_error *error)
{
    struct scan scan = {doc, 0, 0, error};
    enum sy_status status = scan_value(&scan);
    if (status == SY_OK && peek_after_space(&scan) >= 0)
        return scan_expected(&scan, "nothing after the value");
    return status;
}

/* ---- reading ---- */

static int compare_keys(const void *a, const void *b)
{
    const cJSON *const *left = a, *const *right = b;
    return strcmp((*left)->string, (*right)->string);
}

/* The later member of a pair with one key, or NULL. Sorts, since a hostile object can be large. */
static const cJSON *repeated_member(const cJSON *object)
{
    size_t count = sy_json_count(sy_json_value(object)), i = 0;
    const cJSON **members = sy_alloc(count, sizeof *members), *repeated = NULL;
    for (const cJSON *member = object->child; member != NULL; member = member->next)
        members[i++] = member;
    qsort(members, count, sizeof *members, compare_keys);
    for (i = 1; repeated == NULL && i < count; i++)
        if (compare_keys(&members[i - 1], &members[i]) == 0)
            repeated = members[i];
    const char *key = repeated == NULL ? NULL : repeated->string;
    free(members);
    if (key == NULL)
        return NULL;
    bool seen = false;
    for (const cJSON *member = object->child; member != NULL; member = member->next)
        if (strcmp(member->string, key) == 0) {
            if (seen)
                return member;
            seen = true;
        }
    return NULL;
}

static enum sy_status check_repeats(const struct sy_json_doc *doc, const cJSON *node, struct sy_error *error)
{
    const cJSON *repeated = cJSON_IsObject(node) ? repeated_member(node) : NULL;
    if (repeated != NULL)
        return sy_json_fail(doc, sy_json_value(repeated), error, "the key '%s' is here a second time",
                            repeated->string);
    enum sy_status status = SY_OK;
    for (const cJSON *child = node->child; status == SY_OK && child != NULL; child = child->next)
        if (child->child != NULL)
            status = check_repeats(doc, child, error);
    return status;
}

/* A byte order mark is not text (RFC 8259, section 8.1 lets a reader ignore it). */
static void drop_mark(struct sy_json_doc *doc)
{
    if (doc->length >= 3 && memcmp(doc->text, "\xef\xbb\xbf", 3) == 0) {
        doc->length -= 3;
        memmove(doc->text, doc->text + 3, doc->length + 1);
    }
}

/* Takes `text`, which must have a NUL after its length. */
static enum sy_status read_owned(const char *name, char *text, size_t length, struct sy_json_doc **out,
                                 struct sy_error *error)
{
    struct sy_json_doc *doc = sy_alloc(1, sizeof *doc);
    doc->name = sy_strdup(name);
    doc->text = text;
    doc->length = length;
    drop_mark(doc);
    enum sy_status status = scan_text(doc, error);
    if (status == SY_OK) {
        doc->root = cJSON_ParseWithLength(doc->text, doc->length);
        if (doc->root == NULL) /* the scan has passed all that cJSON can object to */
            sy_out_of_memory();
        status = check_repeats(doc, doc->root, error);
    }
    if (status == SY_OK)
        *out = doc;
    else
        sy_json_free(doc);
    return status;
}

enum sy_status sy_json_read(const char *name, const char *text, size_t length, struct sy_json_doc **out,
                            struct sy_error *error)
{
    char *copy = sy_alloc(length + 1, 1);
    if (length > 0)
        memcpy(copy, text, length);
    return read_owned(name, copy, length, out, error);
}

enum sy_status sy_json_read_file(const char *path, struct sy_json_doc **out, struct sy_error *error)
{
    char *text;
    size_t length;
    enum sy_status status = sy_read_file(path, &text, &length, error);
    return status == SY_OK ? read_owned(path, text, length, out, error) : status;
}

void sy_json_free(struct sy_json_doc *doc)
{
    if (doc == NULL)
        return;
    cJSON_Delete(doc->root);
    free(doc->starts);
    free(doc->text);
    free(doc->name);
    free(doc);
}

const struct sy_json *sy_json_root(const struct sy_json_doc *doc)
{
    return sy_json_value(doc->root);
}

const char *sy_json_name(const struct sy_json_doc *doc)
{
    return doc->name;
}

/* ---- merging ---- */

/* `target` NULL: there is none. */
static struct sy_json *merged(const struct sy_json *target, const struct sy_json *patch)
{
    if (sy_json_kind(patch) != SY_JSON_OBJECT)
        return sy_json_copy(patch);
    if (target != NULL && sy_json_kind(target) != SY_JSON_OBJECT)
        target = NULL;
    struct sy_json *result = sy_json_new_object();
    for (const struct sy_json *old = sy_json_first(target); old != NULL; old = sy_json_next(old)) {
        const struct sy_json *change = sy_json_member(patch, sy_json_key(old));
        if (change == NULL)
            sy_json_add(result, sy_json_key(old), sy_json_copy(old));
        else if (sy_json_kind(change) != SY_JSON_NULL)
            sy_json_add(result, sy_json_key(old), merged(old, change));
    }
    for (const struct sy_json *added = sy_json_first(patch); added != NULL; added = sy_json_next(added)) {
        const char *key = sy_json_key(added);
        if (sy_json_kind(added) != SY_JSON_NULL && sy_json_member(target, key) == NULL)
            sy_json_add(result, key, merged(NULL, added));
    }
    return result;
}

struct sy_json_doc *sy_json_merge(const char *name, const struct sy_json *target, const struct sy_json *patch)
{
    struct sy_json_doc *doc = sy_alloc(1, sizeof *doc);
    doc->name = sy_strdup(name);
    doc->root = (cJSON *)merged(target, patch);
    return doc;
}
