/* Tests of json. */
#include "steelyard/json.h"

#include <CUnit/CUnit.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_json_suite(void);

static struct sy_error error;

static struct sy_json_doc *read_text(const char *text)
{
    struct sy_json_doc *doc = NULL;
    error.message[0] = '\0';
    enum sy_status status = sy_json_read("t", text, strlen(text), &doc, &error);
    CU_ASSERT_EQUAL(status, doc == NULL ? SY_BAD_INPUT : SY_OK);
    return doc;
}

/* For texts that the test knows to be good. */
static struct sy_json_doc *must_read(const char *text)
{
    struct sy_json_doc *doc = read_text(text);
    if (doc == NULL)
        printf("\n%s\n", error.message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
    return doc;
}

static void expect_text(const struct sy_json *value, const char *expected)
{
    char *text = sy_json_text(value, false);
    CU_ASSERT_STRING_EQUAL(text, expected);
    free(text);
}

/* ---- reading ---- */

static void test_walk(void)
{
    struct sy_json_doc *doc =
        must_read(" {\"a\" : [1, -2.5e1, \"x\\u00e9\\ud83c\\udf3b\\n\"],\r\n\t\"b\":true,"
                  "\"c\":null,\"d\":{},\"e\":[]} ");
    const struct sy_json *root = sy_json_root(doc), *list = sy_json_member(root, "a");
    CU_ASSERT_STRING_EQUAL(sy_json_name(doc), "t");
    CU_ASSERT_EQUAL(sy_json_kind(root), SY_JSON_OBJECT);
    CU_ASSERT_EQUAL(sy_json_count(root), 5);
    CU_ASSERT_EQUAL(sy_json_count(list), 3);
    const struct sy_json *item = sy_json_first(list);
    CU_ASSERT_EQUAL(sy_json_number(item), 1);
    CU_ASSERT(isnan(sy_json_number(list)));
    CU_ASSERT_PTR_NULL(sy_json_string(item));
    item = sy_json_next(item);
    CU_ASSERT_EQUAL(sy_json_number(item), -25);
    item = sy_json_next(item);
    CU_ASSERT_STRING_EQUAL(sy_json_string(item), "x\xc3\xa9\xf0\x9f\x8c\xbb\n");
    CU_ASSERT_PTR_NULL(sy_json_next(item));
    CU_ASSERT_PTR_NULL(sy_json_member(root, "A"));
    CU_ASSERT_PTR_NULL(sy_json_member(list, "a"));
    static const char *const keys[] = {"a", "b", "c", "d", "e"};
    static const enum sy_json_kind kinds[] = {SY_JSON_ARRAY, SY_JSON_BOOL, SY_JSON_NULL, SY_JSON_OBJECT,
                                              SY_JSON_ARRAY};
    size_t i = 0;
    for (item = sy_json_first(root); item != NULL; item = sy_json_next(item), i++) {
        CU_ASSERT_STRING_EQUAL(sy_json_key(item), keys[i]);
        CU_ASSERT_EQUAL(sy_json_kind(item), kinds[i]);
        CU_ASSERT_EQUAL(sy_json_true(item), i == 1);
    }
    CU_ASSERT_PTR_NULL(sy_json_first(sy_json_member(root, "d")));
    sy_json_free(doc);
    sy_json_free(NULL);
}

static void test_accepted(void)
{
    static const char *const texts[] = {
        "0",   "-0",    "1E5",    "0.5e+01", "null",         "\"\"",     "[]",    " [ ] ",   "{}",
        "{ }", "false", "[[[]]]", "1e-999",  "\"\\u0020/\"", "\"\x7f\"", "[1]\n", "\"\\/\"", "{\"\":[{}]}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sy_json_free(must_read(texts[i]));
    struct sy_json_doc *doc = must_read("\xef\xbb\xbf[1]"); /* a byte order mark */
    expect_text(sy_json_root(doc), "[1]");
    sy_json_free(doc);
}

static const struct {
    const char *text, *message;
} rejected[] = {
    {"", "t:1:1: expected a value, but the text ends"},
    {"  \n ", "t:2:2: expected a value, but the text ends"},
    {"[1,]", "t:1:4: expected a value, not ']'"},
    {"[,1]", "t:1:2: expected a value, not ','"},
    {"[1 2]", "t:1:4: expected ',' or ']' after an item, not '2'"},
    {"[1", "t:1:3: expected ',' or ']' after an item, but the text ends"},
    {"{\"a\":1,}", "t:1:8: expected a key in double quotes, not '}'"},
    {"{a:1}", "t:1:2: expected a key in double quotes, not 'a'"},
    {"{'a':1}", "t:1:2: expected a key in double quotes, not '''"},
    {"{\"a\" 1}", "t:1:6: expected ':' after a key, not '1'"},
    {"{\"a\":1 \"b\":2}", "t:1:8: expected ',' or '}' after a member, not '\"'"},
    {"{\"a\":}", "t:1:6: expected a value, not '}'"},
    {"{\"a\":1]", "t:1:7: expected ',' or '}' after a member, not ']'"},
    {"[1]\n[2]", "t:2:1: expected nothing after the value, not '['"},
    {"1 x", "t:1:3: expected nothing after the value, not 'x'"},
    {"// no\n1", "t:1:1: expected a value, not '/'"},
    {"[1]\f", "t:1:4: expected nothing after the value, not the byte 0x0c"},
    /* numbers and words */
    {"[01]", "t:1:2: '01' is not a JSON value"},
    {"-01", "t:1:1: '-01' is not a JSON value"},
    {"+1", "t:1:1: '+1' is not a JSON value"},
    {".5", "t:1:1: '.5' is not a JSON value"},
    {"5.", "t:1:1: '5.' is not a JSON value"},
    {"1e", "t:1:1: '1e' is not a JSON value"},
    {"1e+", "t:1:1: '1e+' is not a JSON value"},
    {"1.e5", "t:1:1: '1.e5' is not a JSON value"},
    {"-", "t:1:1: '-' is not a JSON value"},
    {"0x10", "t:1:1: '0x10' is not a JSON value"},
    {"1-2", "t:1:1: '1-2' is not a JSON value"},
    {"NaN", "t:1:1: 'NaN' is not a JSON value"},
    {"-Infinity", "t:1:1: '-Infinity' is not a JSON value"},
    {"True", "t:1:1: 'True' is not a JSON value"},
    {"nullx", "t:1:1: 'nullx' is not a JSON value"},
    {"[\n  1e999]", "t:2:3: the number 1e999 is too large"},
    {"-1e309", "t:1:1: the number -1e309 is too large"},
    {"0.1111111111111111111111111111111111111111111111111111111111111111",
     "t:1:1: a number or word of more than 60 characters"},
    /* strings */
    {"[\"a]", "t:1:2: a string without its closing quote"},
    {"\"a\nb\"", "t:1:3: a control character in a string (a missing quote?)"},
    {"\"\t\"", "t:1:2: a control character in a string (a missing quote?)"},
    {"\"\\x41\"", "t:1:2: unknown escape in a string; a backslash is written \\\\"},
    {"\"\\", "t:1:2: unknown escape in a string; a backslash is written \\\\"},
    {"\"\\u12g4\"", "t:1:2: \\u must be followed by four hexadecimal digits"},
    {"\"\\u12", "t:1:2: \\u must be followed by four hexadecimal digits"},
    {"\"a\\u0000b\"", "t:1:3: a string must not hold the character \\u0000"},
    {"\"\\ud800\"", "t:1:2: half of a surrogate pair"},
    {"\"\\udc00\\ud800\"", "t:1:2: half of a surrogate pair"},
    {"\"\\ud800\\u0041\"", "t:1:2: half of a surrogate pair"},
    {"\"\\ud83c\\udf3", "t:1:2: half of a surrogate pair"},
    /* UTF-8; columns count characters */
    {"\"\xc3\xa9\xff\"", "t:1:3: not UTF-8"},
    {"\"\xed\xa0\x80\"", "t:1:2: not UTF-8"},
    {"\"\xc0\x80\"", "t:1:2: not UTF-8"},
    {"[\"\xe2\x99\x94\xc3\xa9\", x]", "t:1:8: 'x' is not a JSON value"},
    {"\xff", "t:1:1: expected a value, not the byte 0xff"},
    /* keys */
    {"{\"a\":1,\n \"b\":{\"c\":[],\"c\":2}}", "t:2:18: $.b.c: the key 'c' is here a second time"},
    {"[{},{\"\":1,\"x\":2,\"\":3}]", "t:1:20: $[1][\"\"]: the key '' is here a second time"},
    {"{\"a\":1,\"\\u0061\":2}", "t:1:17: $.a: the key 'a' is here a second time"},
};

static void test_rejected(void)
{
    for (size_t i = 0; i < sizeof rejected / sizeof *rejected; i++) {
        struct sy_json_doc *doc = read_text(rejected[i].text);
        CU_ASSERT_PTR_NULL(doc);
        CU_ASSERT_STRING_EQUAL(error.message, rejected[i].message);
        sy_json_free(doc);
    }
}

static void test_nul_bytes(void)
{
    struct sy_json_doc *doc = NULL;
    CU_ASSERT_EQUAL(sy_json_read("t", "[1]\0", 4, &doc, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:4: expected nothing after the value, not the byte 0x00");
    CU_ASSERT_EQUAL(sy_json_read("t", "[1,\0]", 5, &doc, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:4: expected a value, not the byte 0x00");
    CU_ASSERT_EQUAL(sy_json_read("t", "\"a\0b\"", 5, &doc, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:3: a control character in a string (a missing quote?)");
    CU_ASSERT_PTR_NULL(doc);
}

static struct sy_json_doc *read_nested(int depth, const char *open, const char *close)
{
    struct sy_text text = SY_TEXT_INIT;
    for (int i = 0; i < depth; i++)
        sy_text_puts(&text, open);
    sy_text_puts(&text, "1");
    for (int i = 0; i < depth; i++)
        sy_text_puts(&text, close);
    struct sy_json_doc *doc = read_text(text.bytes);
    sy_text_clear(&text);
    return doc;
}

static void test_nesting(void)
{
    struct sy_json_doc *doc = read_nested(200, "[", "]");
    CU_ASSERT_PTR_NOT_NULL(doc);
    sy_json_free(doc);
    CU_ASSERT_PTR_NULL(read_nested(201, "[", "]"));
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:201: nested more than 200 deep");
    CU_ASSERT_PTR_NULL(read_nested(1000000, "[", ""));
    CU_ASSERT_PTR_NULL(read_nested(100000, "{\"a\":[", "]}"));
}

/* Every beginning of a text, and every text with one byte changed, is read or rejected, never more; what
 * is read can be written and read again to the same text. */
static void try_bytes(const char *bytes, size_t length, size_t *good)
{
    struct sy_json_doc *doc = NULL, *again = NULL;
    char *exact = sy_alloc(length, 1); /* so that a sanitizer sees a step beyond the end */
    memcpy(exact, bytes, length);
    if (sy_json_read("t", exact, length, &doc, &error) == SY_OK) {
        char *text = sy_json_text(sy_json_root(doc), *good % 2 == 0);
        ++*good;
        CU_ASSERT_EQUAL_FATAL(sy_json_read("u", text, strlen(text), &again, &error), SY_OK);
        char *second = sy_json_text(sy_json_root(again), true),
             *first = sy_json_text(sy_json_root(doc), true);
        CU_ASSERT_STRING_EQUAL(first, second);
        free(second);
        free(first);
        free(text);
        sy_json_free(again);
        sy_json_free(doc);
    }
    free(exact);
}

static void test_damaged(void)
{
    static const char text[] = "{\"a\":[1,-2.5e3,0.1],\"b\\n\":{\"c\":true,\"\\u00e9\xc3\xa9\":null},"
                               "\"d\":\"\\ud83c\\udf3b\\\\\",\"e\":[[],{}]} ";
    char bytes[sizeof text];
    size_t length = sizeof text - 1, good = 0;
    struct sy_random random = sy_random_stream(1, 2, 3);
    for (size_t i = 0; i < length - 1; i++)
        try_bytes(text, i, &good);
    CU_ASSERT_EQUAL(good, 0);
    for (int i = 0; i < 20000; i++) {
        memcpy(bytes, text, sizeof text);
        for (uint64_t changes = 1 + sy_random_below(&random, 3); changes > 0; changes--) {
            static const char likely[] = "{}[],:\"\\0159.eE+-u \n\x80\xc3";
            size_t at = (size_t)sy_random_below(&random, length);
            bytes[at] = sy_random_below(&random, 4) == 0
                            ? (char)sy_random_below(&random, 256)
                            : likely[sy_random_below(&random, sizeof likely - 1)];
        }
        try_bytes(bytes, length, &good);
    }
    CU_ASSERT(good > 500);
}

static void test_read_file(void)
{
    struct sy_json_doc *doc = NULL;
    CU_ASSERT_EQUAL(sy_json_read_file("/nonexistent/x.json", &doc, &error), SY_BAD_INPUT);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "/nonexistent/x.json: cannot open"));
    CU_ASSERT_EQUAL(sy_json_read_file("/dev/null", &doc, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "/dev/null:1:1: expected a value, but the text ends");
    CU_ASSERT_PTR_NULL(doc);
}

/* ---- errors ---- */

static const char sample[] = "{\n"
                             "  \"name\": \"P\xc3\xa4nal\", \"size\": 3,\n"
                             "  \"pieces\": [\n"
                             "    {\"letter\": \"R\", \"moves\": [{\"range\": 1}, {\"range\": -2}]},\n"
                             "    {\"a b\": {\"k\\\"\": 1.5}, \"big\": 9007199254740992, \"no\": null,\n"
                             "     \"digits\": \"18446744073709551615\"}\n"
                             "  ]\n"
                             "}\n";

static const struct sy_json *item_at(const struct sy_json *array, int index)
{
    const struct sy_json *item = sy_json_first(array);
    for (; index > 0; index--)
        item = sy_json_next(item);
    return item;
}

static void test_places(void)
{
    struct sy_json_doc *doc = must_read(sample);
    const struct sy_json *root = sy_json_root(doc), *pieces = sy_json_member(root, "pieces");
    const struct sy_json *moves = sy_json_member(item_at(pieces, 0), "moves");
    int64_t range;
    CU_ASSERT_EQUAL(sy_json_get_int(doc, item_at(moves, 1), "range", 1, 127, &range, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:4:55: $.pieces[0].moves[1].range: must be a whole number from 1 "
                                          "to 127, not -2");
    CU_ASSERT_EQUAL(sy_json_fail(doc, root, &error, "is %d", 1), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:1: $: is 1");
    sy_json_fail(doc, sy_json_member(root, "size"), &error, "no");
    CU_ASSERT_STRING_EQUAL(error.message, "t:2:28: $.size: no"); /* after a two-byte character */
    sy_json_fail(doc, item_at(pieces, 1), &error, "no");
    CU_ASSERT_STRING_EQUAL(error.message, "t:5:5: $.pieces[1]: no");
    sy_json_fail(doc, sy_json_first(sy_json_member(item_at(pieces, 1), "a b")), &error, "no");
    CU_ASSERT_STRING_EQUAL(error.message, "t:5:21: $.pieces[1][\"a b\"][\"k\\\"\"]: no");
    sy_json_fail(doc, NULL, &error, "no");
    CU_ASSERT_STRING_EQUAL(error.message, "t: no");
    sy_json_free(doc);
}

static void test_check_keys(void)
{
    struct sy_json_doc *doc = must_read("{\"a\":{\"rang\":1,\"step\":2},\n \"b\":3}");
    const struct sy_json *root = sy_json_root(doc), *a = sy_json_member(root, "a");
    CU_ASSERT_EQUAL(sy_json_check_keys(doc, root, "b a", &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_check_keys(doc, a, "range step", &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(
        error.message, "t:1:14: $.a.rang: unknown key 'rang': did you mean 'range'? (allowed: range, step)");
    CU_ASSERT_EQUAL(sy_json_check_keys(doc, root, "a", &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:2:6: $.b: unknown key 'b' (allowed: a)");
    CU_ASSERT_EQUAL(sy_json_check_keys(doc, root, "", &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:6: $.a: unknown key 'a' (no keys are allowed here)");
    CU_ASSERT_EQUAL(sy_json_check_keys(doc, sy_json_member(root, "b"), "a", &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:2:6: $.b: must be an object, not 3");
    sy_json_free(doc);
}

/* ---- typed members ---- */

static const char members[] = "{\"s\":\"x\",\"i\":-7,\"f\":1.5,\"t\":true,\"n\":null,\"o\":{},\"a\":[],"
                              "\"most\":9007199254740991,\"over\":9007199254740992,\"e\":1e3,"
                              "\"u\":\"18446744073709551615\",\"v\":\"18446744073709551616\"}";

static void test_get_string(void)
{
    struct sy_json_doc *doc = must_read(members);
    const struct sy_json *root = sy_json_root(doc);
    const char *text = "untouched";
    CU_ASSERT_EQUAL(sy_json_get_string_or(doc, root, "absent", &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(text, "untouched");
    CU_ASSERT_EQUAL(sy_json_get_string(doc, root, "absent", &text, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:1: $: missing key 'absent'");
    CU_ASSERT_EQUAL(sy_json_get_string_or(doc, root, "n", &text, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:38: $.n: must be a string, not null");
    CU_ASSERT_EQUAL(sy_json_get_string(doc, root, "s", &text, &error), SY_OK);
    CU_ASSERT_STRING_EQUAL(text, "x");
    CU_ASSERT_EQUAL(sy_json_get_string(doc, sy_json_member(root, "i"), "s", &text, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:14: $.i: must be an object, not -7");
    sy_json_free(doc);
}

static void test_get_int(void)
{
    struct sy_json_doc *doc = must_read(members);
    const struct sy_json *root = sy_json_root(doc);
    int64_t number = 42;
    CU_ASSERT_EQUAL(sy_json_get_int_or(doc, root, "absent", 0, 1, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "absent", 0, 1, &number, &error), SY_BAD_INPUT);
    static const char *const bad[] = {"f", "s", "t", "n", "o", "a", "over", "u"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_EQUAL(sy_json_get_int_or(doc, root, bad[i], INT64_MIN, INT64_MAX, &number, &error),
                        SY_BAD_INPUT);
    CU_ASSERT_EQUAL(number, 42);
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "i", -7, -7, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, -7);
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "i", -6, INT64_MAX, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:14: $.i: must be a whole number of at least -6, not -7");
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "i", INT64_MIN, -8, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:14: $.i: must be a whole number of at most -8, not -7");
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "e", 0, 1000, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, 1000);
    CU_ASSERT_EQUAL(sy_json_get_int(doc, root, "most", 0, INT64_MAX, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, INT64_C(9007199254740991));
    sy_json_free(doc);
}

static void test_get_u64(void)
{
    struct sy_json_doc *doc = must_read(members);
    const struct sy_json *root = sy_json_root(doc);
    uint64_t number = 42;
    CU_ASSERT_EQUAL(sy_json_get_u64_or(doc, root, "absent", &number, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_get_u64(doc, root, "absent", &number, &error), SY_BAD_INPUT);
    static const char *const bad[] = {"f", "s", "t", "n", "o", "a", "over", "v", "i"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CU_ASSERT_EQUAL(sy_json_get_u64_or(doc, root, bad[i], &number, &error), SY_BAD_INPUT);
    CU_ASSERT_EQUAL(number, 42);
    CU_ASSERT_STRING_EQUAL(error.message,
                           "t:1:14: $.i: must be a whole number from 0 to 2^64 - 1, as a string "
                           "of digits from 2^53 on, not -7");
    CU_ASSERT_EQUAL(sy_json_get_u64(doc, root, "u", &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, UINT64_MAX);
    CU_ASSERT_EQUAL(sy_json_get_u64(doc, root, "most", &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, UINT64_C(9007199254740991));
    sy_json_free(doc);
}

static void test_get_double(void)
{
    struct sy_json_doc *doc = must_read(members);
    const struct sy_json *root = sy_json_root(doc);
    double number = 42;
    CU_ASSERT_EQUAL(sy_json_get_double_or(doc, root, "absent", 0, 1, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_get_double(doc, root, "absent", 0, 1, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_EQUAL(sy_json_get_double(doc, root, "s", -INFINITY, INFINITY, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:6: $.s: must be a number, not \"x\"");
    CU_ASSERT_EQUAL(sy_json_get_double_or(doc, root, "f", 0, 1.25, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:21: $.f: must be a number from 0 to 1.25, not 1.5");
    CU_ASSERT_EQUAL(sy_json_get_double_or(doc, root, "f", 2, INFINITY, &number, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:21: $.f: must be a number of at least 2, not 1.5");
    CU_ASSERT_EQUAL(number, 42);
    CU_ASSERT_EQUAL(sy_json_get_double(doc, root, "f", 1.5, 1.5, &number, &error), SY_OK);
    CU_ASSERT_EQUAL(number, 1.5);
    sy_json_free(doc);
}

static void test_get_others(void)
{
    struct sy_json_doc *doc = must_read(members);
    const struct sy_json *root = sy_json_root(doc), *value = root;
    bool flag = false;
    CU_ASSERT_EQUAL(sy_json_get_bool_or(doc, root, "t", &flag, &error), SY_OK);
    CU_ASSERT(flag);
    CU_ASSERT_EQUAL(sy_json_get_bool_or(doc, root, "absent", &flag, &error), SY_OK);
    CU_ASSERT(flag);
    CU_ASSERT_EQUAL(sy_json_get_bool_or(doc, root, "i", &flag, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:14: $.i: must be true or false, not -7");
    CU_ASSERT_EQUAL(sy_json_get_object(doc, root, "o", &value, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_kind(value), SY_JSON_OBJECT);
    CU_ASSERT_EQUAL(sy_json_get_object_or(doc, root, "absent", &value, &error), SY_OK);
    CU_ASSERT_PTR_NULL(value);
    CU_ASSERT_EQUAL(sy_json_get_object(doc, root, "absent", &value, &error), SY_BAD_INPUT);
    CU_ASSERT_EQUAL(sy_json_get_object_or(doc, root, "a", &value, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:54: $.a: must be an object, not an array");
    CU_ASSERT_EQUAL(sy_json_get_array(doc, root, "a", &value, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_json_kind(value), SY_JSON_ARRAY);
    CU_ASSERT_EQUAL(sy_json_get_array_or(doc, root, "absent", &value, &error), SY_OK);
    CU_ASSERT_PTR_NULL(value);
    CU_ASSERT_EQUAL(sy_json_get_array(doc, root, "absent", &value, &error), SY_BAD_INPUT);
    CU_ASSERT_EQUAL(sy_json_get_array_or(doc, root, "o", &value, &error), SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:47: $.o: must be an array, not an object");
    sy_json_free(doc);
}

static void test_describe_long(void)
{
    struct sy_json_doc *doc = must_read("{\"s\":\"0123456789012345678901234567890123456789\"}");
    int64_t number;
    CU_ASSERT_EQUAL(sy_json_get_int(doc, sy_json_root(doc), "s", INT64_MIN, INT64_MAX, &number, &error),
                    SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "t:1:6: $.s: must be a whole number, not a string");
    sy_json_free(doc);
}

/* ---- merge patches ---- */

/* RFC 7396, appendix A. */
static const struct {
    const char *target, *patch, *result;
} merges[] = {
    {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
    {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
    {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
    {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
    {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
    {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
    {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
    {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
    {"{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"},
    {"{\"a\":\"foo\"}", "null", "null"},
    {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
    {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
    {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
    {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
    /* not of the RFC: members keep their order, and case counts */
    {"{\"x\":1,\"y\":2,\"z\":3}", "{\"w\":0,\"y\":[]}", "{\"x\":1,\"y\":[],\"z\":3,\"w\":0}"},
    {"{\"x\":1}", "{\"X\":2}", "{\"x\":1,\"X\":2}"},
};

static void test_merge(void)
{
    for (size_t i = 0; i < sizeof merges / sizeof *merges; i++) {
        struct sy_json_doc *target = must_read(merges[i].target), *patch = must_read(merges[i].patch);
        struct sy_json_doc *result = sy_json_merge("m", sy_json_root(target), sy_json_root(patch));
        expect_text(sy_json_root(target), merges[i].target);
        sy_json_free(patch);
        sy_json_free(target);
        expect_text(sy_json_root(result), merges[i].result); /* it owns all it has */
        sy_json_free(result);
    }
}

static void test_merge_errors(void)
{
    struct sy_json_doc *target = must_read("{\"a\":{\"b\":1}}"), *patch = must_read("{\"a\":{\"b\":-3}}");
    struct sy_json_doc *result = sy_json_merge("x patched", sy_json_root(target), sy_json_root(patch));
    int64_t number;
    CU_ASSERT_EQUAL(
        sy_json_get_int(result, sy_json_member(sy_json_root(result), "a"), "b", 0, 9, &number, &error),
        SY_BAD_INPUT);
    CU_ASSERT_STRING_EQUAL(error.message, "x patched: $.a.b: must be a whole number from 0 to 9, not -3");
    CU_ASSERT_STRING_EQUAL(sy_json_name(result), "x patched");
    sy_json_free(result);
    sy_json_free(patch);
    sy_json_free(target);
}

/* ---- writing ---- */

static struct sy_json *build(void)
{
    struct sy_json *root = sy_json_new_object(), *list = sy_json_new_array(), *mixed = sy_json_new_array();
    sy_json_add_string(root, "s", "q\"\\\b\f\n\r\t\x01\x7f \xc3\xa9");
    sy_json_add_number(root, "third", 1.0 / 3);
    sy_json_add_number(root, "none", NAN);
    sy_json_add_int(root, "int", -9007199254740991);
    sy_json_add_u64(root, "u", UINT64_MAX);
    sy_json_add_bool(root, "yes", true);
    sy_json_add(root, "no", sy_json_new_bool(false));
    for (int i = 0; i < 3; i++)
        sy_json_append(list, sy_json_new_int(i));
    sy_json_append(mixed, sy_json_copy(list));
    sy_json_append(mixed, sy_json_new_object());
    sy_json_append(mixed, sy_json_new_array());
    sy_json_append(mixed, sy_json_new_null());
    sy_json_add(root, "list", list);
    sy_json_add(root, "m\n", mixed);
    return root;
}

static void test_text_forms(void)
{
    struct sy_json *root = build();
    expect_text(root, "{\"s\":\"q\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f \xc3\xa9\",\"third\":0.3333333333333333,"
                      "\"none\":null,\"int\":-9007199254740991,\"u\":\"18446744073709551615\",\"yes\":true,"
                      "\"no\":false,\"list\":[0,1,2],\"m\\n\":[[0,1,2],{},[],null]}");
    char *text = sy_json_text(root, true);
    CU_ASSERT_STRING_EQUAL(text, "{\n"
                                 "  \"s\": \"q\\\"\\\\\\b\\f\\n\\r\\t\\u0001\x7f \xc3\xa9\",\n"
                                 "  \"third\": 0.3333333333333333,\n"
                                 "  \"none\": null,\n"
                                 "  \"int\": -9007199254740991,\n"
                                 "  \"u\": \"18446744073709551615\",\n"
                                 "  \"yes\": true,\n"
                                 "  \"no\": false,\n"
                                 "  \"list\": [0, 1, 2],\n"
                                 "  \"m\\n\": [\n"
                                 "    [0, 1, 2],\n"
                                 "    {},\n"
                                 "    [],\n"
                                 "    null\n"
                                 "  ]\n"
                                 "}");
    struct sy_json_doc *doc = must_read(text);
    char *again = sy_json_text(sy_json_root(doc), true);
    CU_ASSERT_STRING_EQUAL(again, text);
    free(again);
    free(text);
    sy_json_free(doc);
    struct sy_json *copy = sy_json_copy(root);
    sy_json_delete(root);
    CU_ASSERT_EQUAL(sy_json_number(sy_json_member(copy, "third")), 1.0 / 3);
    sy_json_delete(copy);
    sy_json_delete(NULL);
}

static void test_broken_bytes(void)
{
    struct sy_json *value = sy_json_new_string("a\xff\xc3");
    expect_text(value, "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
    sy_json_delete(value);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void test_round_trip(void)
{
    enum { COUNT = 20000 };
    static double numbers[COUNT] = {
        0.0,       -0.0, DBL_MAX, -DBL_MAX,           DBL_MIN, DBL_TRUE_MIN, 1.0 / 3.0,
        0.1 + 0.2, 1e15, 1e16,    9007199254740992.0, 5e-324,  1e23,         -1e-7,
        123456.0,  1e300};
    struct sy_random random = sy_random_stream(5, 6, 7);
    for (int i = 16; i < COUNT; i++)
        do {
            uint64_t bits = sy_random_u64(&random);
            memcpy(&numbers[i], &bits, sizeof bits);
        } while (!isfinite(numbers[i]));
    struct sy_json *array = sy_json_new_array();
    for (int i = 0; i < COUNT; i++)
        sy_json_append(array, sy_json_new_number(numbers[i]));
    char *text = sy_json_text(array, true);
    struct sy_json_doc *doc = must_read(text);
    const struct sy_json *item = sy_json_first(sy_json_root(doc));
    int lost = 0;
    for (int i = 0; i < COUNT; i++, item = sy_json_next(item))
        lost += !same_bits(sy_json_number(item), numbers[i]);
    CU_ASSERT_EQUAL(lost, 0);
    CU_ASSERT_PTR_NULL(item);
    sy_json_free(doc);
    free(text);
    sy_json_delete(array);
}

void test_json_suite(void)
{
    CU_pSuite suite = CU_add_suite("json", NULL, NULL);
    CU_add_test(suite, "walking a document", test_walk);
    CU_add_test(suite, "texts that are accepted", test_accepted);
    CU_add_test(suite, "texts that are rejected, and where", test_rejected);
    CU_add_test(suite, "NUL bytes", test_nul_bytes);
    CU_add_test(suite, "nesting", test_nesting);
    CU_add_test(suite, "damaged texts", test_damaged);
    CU_add_test(suite, "bad files", test_read_file);
    CU_add_test(suite, "line, column and path", test_places);
    CU_add_test(suite, "unknown keys", test_check_keys);
    CU_add_test(suite, "strings", test_get_string);
    CU_add_test(suite, "whole numbers", test_get_int);
    CU_add_test(suite, "64-bit numbers", test_get_u64);
    CU_add_test(suite, "numbers", test_get_double);
    CU_add_test(suite, "booleans, objects, arrays", test_get_others);
    CU_add_test(suite, "long values in messages", test_describe_long);
    CU_add_test(suite, "merge patch: RFC 7396, appendix A", test_merge);
    CU_add_test(suite, "merge patch: errors give the path", test_merge_errors);
    CU_add_test(suite, "written text", test_text_forms);
    CU_add_test(suite, "bytes that are not UTF-8", test_broken_bytes);
    CU_add_test(suite, "doubles round trip bit for bit", test_round_trip);
}
