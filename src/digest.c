/* digest: SHA-256 (FIPS 180-4), by libmd. */
#include "steelyard/base.h"

#include <sha2.h>
#include <stdlib.h>

struct sy_digest {
    SHA2_CTX context;
};

void sy_sha256(const void *bytes, size_t length, char hex[65])
{
    SHA256Data(bytes, length, hex);
}

struct sy_digest *sy_digest_create(void)
{
    struct sy_digest *digest = sy_alloc(1, sizeof *digest);
    SHA256Init(&digest->context);
    return digest;
}

void sy_digest_add(struct sy_digest *digest, const void *bytes, size_t length)
{
    SHA256Update(&digest->context, bytes, length);
}

void sy_digest_finish(struct sy_digest *digest, char hex[65])
{
    SHA256End(&digest->context, hex);
    sy_digest_free(digest);
}

void sy_digest_free(struct sy_digest *digest)
{
    free(digest);
}
