/* file: whole files, directories.
 *
 * A file that is replaced is at every moment either the old one or the new one, on the disk too: the
 * bytes go to a temporary file beside it, which is synced, renamed, and the rename synced. The temporary
 * name holds the process id and is created exclusively, so that two writers never share one. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "steelyard/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum sy_status fail_errno(struct sy_error *error, enum sy_status status, const char *path,
                                 const char *action)
{
    return sy_fail(error, status, "%s: cannot %s: %s", path, action, strerror(errno));
}

/* ---- reading ---- */

enum sy_status sy_read_file(const char *path, char **out, size_t *length, struct sy_error *error)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail_errno(error, SY_BAD_INPUT, path, "open");
    struct sy_text text = SY_TEXT_INIT;
    static const size_t piece = 1 << 16;
    size_t got;
    sy_text_add(&text, "", 0);
    do {
        text.bytes = sy_grow(text.bytes, &text.capacity, text.length + piece + 1, 1);
        got = fread(text.bytes + text.length, 1, piece, file);
        text.length += got;
    } while (got == piece);
    text.bytes[text.length] = '\0';
    enum sy_status status = SY_OK;
    if (ferror(file))
        status = fail_errno(error, errno == EISDIR ? SY_BAD_INPUT : SY_FAILED, path, "read");
    fclose(file);
    if (status != SY_OK) {
        sy_text_clear(&text);
        return status;
    }
    *out = text.bytes;
    *length = text.length;
    return SY_OK;
}

/* ---- writing ---- */

static bool write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* Creates a file beside `path` that did not exist; *name gets its name, to be freed. -1 on failure. */
static int create_beside(const char *path, char **name)
{
    int descriptor = -1;
    *name = NULL;
    for (int attempt = 0; attempt < 100; attempt++) {
        free(*name);
        *name = sy_format("%s.%ld-%d.tmp", path, (long)getpid(), attempt);
        descriptor = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            break;
    }
    return descriptor;
}

/* Makes a rename in the file's directory last. Some file systems cannot sync a directory (EINVAL). */
static bool sync_directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *directory = slash == NULL   ? sy_strdup(".")
                      : slash == path ? sy_strdup("/")
                                      : sy_format("%.*s", (int)(slash - path), path);
    int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(directory);
    if (descriptor < 0)
        return errno == EACCES; /* a directory that may be written but not listed */
    bool synced = fsync(descriptor) == 0 || errno == EINVAL;
    int saved = errno;
    close(descriptor);
    errno = saved;
    return synced;
}

/* Writes and syncs; closes the descriptor in any case. */
static bool fill_and_close(int descriptor, const char *bytes, size_t length)
{
    /* A pipe or terminal has nothing to sync: EINVAL, EROFS. */
    bool good =
        write_all(descriptor, bytes, length) && (fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS);
    int saved = errno;
    if (close(descriptor) != 0 && good)
        return false;
    errno = saved;
    return good;
}

static bool replace(const char *target, const struct stat *old, const char *bytes, size_t length)
{
    char *temporary;
    int descriptor = create_beside(target, &temporary);
    bool good = descriptor >= 0;
    if (good) {
        if (old != NULL)
            (void)fchmod(descriptor, old->st_mode & 0777); /* a courtesy: not every file system has modes */
        good = fill_and_close(descriptor, bytes, length) && rename(temporary, target) == 0;
        if (!good) {
            int saved = errno;
            unlink(temporary);
            errno = saved;
        }
    }
    free(temporary);
    return good && sync_directory_of(target);
}

static bool write_in_place(const char *path, const char *bytes, size_t length)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    return descriptor >= 0 && fill_and_close(descriptor, bytes, length);
}

enum sy_status sy_write_file(const char *path, const char *bytes, size_t length, struct sy_error *error)
{
    struct stat old;
    bool exists = stat(path, &old) == 0, good;
    if (exists && S_ISDIR(old.st_mode)) {
        errno = EISDIR;
        good = false;
    } else if (exists && !S_ISREG(old.st_mode)) {
        good = write_in_place(path, bytes, length);
    } else {
        char *target = exists ? realpath(path, NULL) : NULL;
        good = replace(target == NULL ? path : target, exists ? &old : NULL, bytes, length);
        int saved = errno;
        free(target);
        errno = saved;
    }
    return good ? SY_OK : fail_errno(error, SY_FAILED, path, "write");
}

/* ---- directories ---- */

/* True when the directory is there at the end; a parent that may not be made but exists is fine. */
static bool make_one(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return true;
    int saved = errno;
    struct stat found;
    if (stat(path, &found) == 0) {
        errno = ENOTDIR;
        return S_ISDIR(found.st_mode);
    }
    errno = saved;
    return false;
}

enum sy_status sy_make_directory(const char *path, struct sy_error *error)
{
    char *name = sy_strdup(path);
    bool good = true;
    for (size_t i = 1, length = strlen(name); good && i < length; i++)
        if (name[i] == '/') {
            name[i] = '\0';
            good = make_one(name);
            name[i] = '/';
        }
    good = good && make_one(name);
    int saved = errno;
    free(name);
    errno = saved;
    return good ? SY_OK : fail_errno(error, SY_FAILED, path, "make the directory");
}
