/* base: status and error text, memory, text and numbers, files, random numbers, digests.
 *
 * Every fallible function of the library returns an sy_status and, when it is not SY_OK, fills the
 * caller's sy_error with one sentence that says where the trouble is and what to do. Only main prints it. */
#ifndef STEELYARD_BASE_H
#define STEELYARD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SY_MUST_USE __attribute__((warn_unused_result))
#define SY_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* The values are the program's exit codes. */
enum sy_status {
    SY_OK = 0,
    SY_FAILED = 1,    /* the work could not be done: disk, memory, a check that failed */
    SY_USAGE = 2,     /* the command line is wrong */
    SY_BAD_INPUT = 65 /* an input file (or a position, a move) is wrong */
};

struct sy_error {
    char message[1024];
};

/* Fills *error (cut to fit; error may be NULL) and returns status, so that a caller can write
 * `return sy_fail(error, SY_BAD_INPUT, ...)`. The message is one line of UTF-8: control characters and
 * broken bytes that an argument carried become '?'. error->message may itself be an argument. */
enum sy_status sy_fail(struct sy_error *error, enum sy_status status, const char *format, ...)
    SY_PRINTF(3, 4);

/* Puts "prefix: " before the message already in *error; returns status. */
enum sy_status sy_fail_within(struct sy_error *error, enum sy_status status, const char *format, ...)
    SY_PRINTF(3, 4);

/* Memory: these never return NULL. Running out of memory ends the program with a message, since no
 * caller could do better. Release with free(). */
_Noreturn void sy_out_of_memory(void);
void *sy_alloc(size_t count, size_t size); /* zeroed; checks the product */

/* Memory that is used all over and all the time: zeroed, aligned to cache lines at least, and where it is
 * large in huge pages if the system has them, as page table walks cost more than what is looked up. free()
 * it. */
void *sy_alloc_hot(size_t size);
void *sy_realloc(void *old, size_t count, size_t size);
char *sy_strdup(const char *text);
char *sy_format(const char *format, ...) SY_PRINTF(1, 2); /* a new string */

/* Growable text. Start from SY_TEXT_INIT; `bytes` is always NUL-terminated once anything was added. */
struct sy_text {
    char *bytes;
    size_t length, capacity;
};
#define SY_TEXT_INIT                                                                                         \
    {                                                                                                        \
        NULL, 0, 0                                                                                           \
    }
void sy_text_add(struct sy_text *text, const char *bytes, size_t length);
void sy_text_puts(struct sy_text *text, const char *string);
void sy_text_printf(struct sy_text *text, const char *format, ...) SY_PRINTF(2, 3);
void sy_text_clear(struct sy_text *text); /* frees and resets */

/* Grows *items (elements of `size` bytes) so that at least `needed` fit; amortised. */
void *sy_grow(void *items, size_t *capacity, size_t needed, size_t size);

/* Whole-string number parsing: no white space, no trailing text, range checked. */
bool sy_parse_u64(const char *text, uint64_t *out);
bool sy_parse_i64(const char *text, int64_t min, int64_t max, int64_t *out);
bool sy_parse_double(const char *text, double *out); /* finite only, "C" locale whatever is set */

/* A finite number with the fewest of 15, 16 or 17 significant digits that read back bit-identical (-0
 * included), whole numbers below 2^53 without an exponent; "C" locale whatever is set. */
void sy_double_text(double number, char text[32]);

/* The length of the UTF-8 character (RFC 3629) that begins the `available` bytes; 0 when they begin with
 * none. */
size_t sy_utf8_length(const char *bytes, size_t available);

/* The nearest of `count` words by edit distance, NULL when none is near: for
 * "unknown key 'rang': did you mean 'range'?". */
const char *sy_nearest_word(const char *word, const char *const *words, size_t count);

/* Reads a whole file; *out gets a new NUL-terminated string of *length bytes. Errors name the file: a
 * file that cannot be opened is bad input, a read that breaks off has failed. */
SY_MUST_USE enum sy_status sy_read_file(const char *path, char **out, size_t *length, struct sy_error *error);

/* Writes a whole file so that a reader sees either the old bytes or all the new ones (temporary file in
 * the same directory, fsync, rename). A full disk or an unwritable directory loses nothing. A symbolic
 * link is followed; a device or pipe is written in place. */
SY_MUST_USE enum sy_status sy_write_file(const char *path, const char *bytes, size_t length,
                                         struct sy_error *error);

/* Creates a directory and its parents; an existing directory is fine. */
SY_MUST_USE enum sy_status sy_make_directory(const char *path, struct sy_error *error);

/* Random numbers: xoshiro256** (Blackman and Vigna 2018), seeded through SplitMix64. A stream is keyed
 * by (seed, stream, purpose), so that game n draws the same numbers on any thread. */
struct sy_random {
    uint64_t state[4];
};
struct sy_random sy_random_stream(uint64_t seed, uint64_t stream, uint64_t purpose);
uint64_t sy_random_u64(struct sy_random *random);
uint64_t sy_random_below(struct sy_random *random, uint64_t bound); /* unbiased, 0 <= x < bound, bound > 0 */
double sy_random_unit(struct sy_random *random);                    /* [0, 1), 53 bits */
double sy_random_normal(struct sy_random *random);                  /* mean 0, variance 1 */
uint64_t sy_mix64(uint64_t x);                                      /* SplitMix64's finaliser */

/* SHA-256 of bytes as 64 lower-case hexadecimal digits and a NUL (libmd). */
void sy_sha256(const void *bytes, size_t length, char hex[65]);

/* The same over a stream of pieces. */
struct sy_digest; /* opaque */
struct sy_digest *sy_digest_create(void);
void sy_digest_add(struct sy_digest *digest, const void *bytes, size_t length);
void sy_digest_finish(struct sy_digest *digest, char hex[65]); /* also frees it */
void sy_digest_free(struct sy_digest *digest);                 /* NULL ok; when not finished */

#endif
