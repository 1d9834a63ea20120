/* Tests of reader: lines from pipes, as they come. */
#include "steelyard/reader.h"

#include "steelyard/base.h"
#include "steelyard/clock.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void test_reader_suite(void);

struct stream {
    int ends[2];
    struct sy_reader reader;
};

static void open_stream(struct stream *stream)
{
    if (pipe(stream->ends) != 0)
        abort();
    sy_reader_init(&stream->reader, stream->ends[0]);
}

static void close_stream(struct stream *stream)
{
    sy_reader_clear(&stream->reader);
    close(stream->ends[0]);
}

static void write_text(const struct stream *stream, const char *text)
{
    CU_ASSERT_EQUAL(write(stream->ends[1], text, strlen(text)), (ssize_t)strlen(text));
}

static void expect(struct stream *stream, const char *line)
{
    const char *got = sy_reader_next(&stream->reader, INFINITY);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    CU_ASSERT_STRING_EQUAL(got, line);
}

static void test_lines(void)
{
    struct stream stream;
    open_stream(&stream);
    write_text(&stream, "one\ntwo words\r\n\nthr");
    expect(&stream, "one");
    expect(&stream, "two words");
    expect(&stream, "");
    CU_ASSERT_PTR_NULL(sy_reader_next(&stream.reader, 0));
    CU_ASSERT_FALSE(stream.reader.ended);
    write_text(&stream, "ee\nlast");
    expect(&stream, "three");
    close(stream.ends[1]);
    expect(&stream, "last");
    CU_ASSERT_PTR_NULL(sy_reader_next(&stream.reader, INFINITY));
    CU_ASSERT_TRUE(stream.reader.ended);
    close_stream(&stream);
}

static void test_deadline(void)
{
    struct stream stream;
    open_stream(&stream);
    const double began = sy_clock();
    CU_ASSERT_PTR_NULL(sy_reader_next(&stream.reader, began + 0.03));
    CU_ASSERT_TRUE(sy_clock() >= began + 0.03);
    write_text(&stream, "late\n");
    CU_ASSERT_STRING_EQUAL(sy_reader_next(&stream.reader, began),
                           "late"); /* what is there is given all the same */
    close(stream.ends[1]);
    CU_ASSERT_PTR_NULL(sy_reader_next(&stream.reader, 0));
    CU_ASSERT_TRUE(stream.reader.ended);
    close_stream(&stream);
}

/* Much longer than what is read at once, with another behind it. */
static void test_long_lines(void)
{
    enum { LENGTH = 30000 };
    struct stream stream;
    char *line = sy_alloc(LENGTH + 1, 1);
    memset(line, 'x', LENGTH);
    open_stream(&stream);
    write_text(&stream, line);
    write_text(&stream, "\nshort\n");
    expect(&stream, line);
    expect(&stream, "short");
    close(stream.ends[1]);
    close_stream(&stream);
    free(line);
}

static void test_no_descriptor(void)
{
    struct sy_reader reader;
    sy_reader_init(&reader, 1000000);
    CU_ASSERT_PTR_NULL(sy_reader_next(&reader, INFINITY));
    CU_ASSERT_TRUE(reader.ended);
    sy_reader_clear(&reader);
}

void test_reader_suite(void)
{
    CU_pSuite suite = CU_add_suite("reader", NULL, NULL);
    CU_add_test(suite, "lines as they come", test_lines);
    CU_add_test(suite, "a deadline", test_deadline);
    CU_add_test(suite, "long lines", test_long_lines);
    CU_add_test(suite, "a descriptor that is none", test_no_descriptor);
}
