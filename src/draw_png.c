/* draw_png: an SVG made into a PNG by rsvg-convert, a program of librsvg. It is run rather than linked, as
 * gnuplot is: the library would bring forty packages to every build for something few runs need. */
#include "steelyard/draw.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

extern char **environ;

/* The child reads `in`, writes `out`, and complains to `complaints`. Returns 0 or an errno. */
static int start(pid_t *child, unsigned width, FILE *in, FILE *out, FILE *complaints)
{
    char size[16];
    snprintf(size, sizeof size, "%u", width);
    char *const arguments[] = {"rsvg-convert", "--format=png", "--width", size, NULL};
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) {
        return failed;
    }
    failed = posix_spawn_file_actions_adddup2(&actions, fileno(in), 0);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
    failed = failed ? failed : posix_spawn_file_actions_adddup2(&actions, fileno(complaints), 2);
    failed = failed ? failed : posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static enum sy_status convert(unsigned width, FILE *in, FILE *out, FILE *complaints, struct sy_error *error)
{
    pid_t child;
    const int failed = start(&child, width, in, out, complaints);
    if (failed == ENOENT) {
        return sy_fail(error, SY_FAILED,
                       "PNG pictures need rsvg-convert, which is not installed (Debian: apt-get install "
                       "librsvg2-bin); SVG needs nothing");
    }
    if (failed) {
        return sy_fail(error, SY_FAILED, "cannot start rsvg-convert: %s", strerror(failed));
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return SY_OK;
    }
    char line[256] = "";
    rewind(complaints);
    const bool said = fgets(line, sizeof line, complaints) != NULL;
    line[strcspn(line, "\n")] = '\0';
    return sy_fail(error, SY_FAILED, "rsvg-convert failed: %s", said ? line : "it gave no reason");
}

/* Everything that was written to the file. */
static enum sy_status keep(FILE *file, const char *path, struct sy_error *error)
{
    char *bytes = NULL;
    size_t length = 0, capacity = 0;
    rewind(file);
    do {
        bytes = sy_grow(bytes, &capacity, length + 65536, 1);
        length += fread(bytes + length, 1, 65536, file);
    } while (!feof(file) && !ferror(file));
    const enum sy_status status = ferror(file) || length == 0
                                      ? sy_fail(error, SY_FAILED, "rsvg-convert gave no picture")
                                      : sy_write_file(path, bytes, length, error);
    free(bytes);
    return status;
}

enum sy_status sy_draw_png(const char *svg, const char *path, unsigned width, struct sy_error *error)
{
    FILE *in = tmpfile(), *out = tmpfile(), *complaints = tmpfile();
    enum sy_status status = SY_OK;
    if (!in || !out || !complaints || fputs(svg, in) < 0 || fflush(in) != 0 || fseek(in, 0, SEEK_SET) != 0) {
        status = sy_fail(error, SY_FAILED, "cannot write a temporary file: %s", strerror(errno));
    }
    status = status ? status : convert(width, in, out, complaints, error);
    status = status ? status : keep(out, path, error);
    FILE *const files[] = {in, out, complaints};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
    return status;
}
