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

struct sy_png {
    FILE *in, *out, *complaints;
    pid_t child; /* 0: it was not started */
    char *path;
    struct sy_error trouble; /* with starting it */
    enum sy_status status;
};

static enum sy_status fail_start(int failed, struct sy_error *error)
{
    if (failed == ENOENT) {
        return sy_fail(error, SY_FAILED,
                       "PNG pictures need rsvg-convert, which is not installed (Debian: apt-get install "
                       "librsvg2-bin); SVG needs nothing");
    }
    return sy_fail(error, SY_FAILED, "cannot start rsvg-convert: %s", strerror(failed));
}

/* Waits for the child and says how it did. */
static enum sy_status finish(const struct sy_png *png, struct sy_error *error)
{
    int status = 0;
    while (waitpid(png->child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        return SY_OK;
    }
    char line[256] = "";
    rewind(png->complaints);
    const bool said = fgets(line, sizeof line, png->complaints) != NULL;
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

struct sy_png *sy_png_begin(const char *svg, const char *path, unsigned width)
{
    struct sy_png *png = sy_alloc(1, sizeof *png);
    png->path = sy_strdup(path);
    png->in = tmpfile();
    png->out = tmpfile();
    png->complaints = tmpfile();
    if (!png->in || !png->out || !png->complaints || fputs(svg, png->in) < 0 || fflush(png->in) != 0 ||
        fseek(png->in, 0, SEEK_SET) != 0) {
        png->status = sy_fail(&png->trouble, SY_FAILED, "cannot write a temporary file: %s", strerror(errno));
        return png;
    }
    const int failed = start(&png->child, width, png->in, png->out, png->complaints);
    if (failed) {
        png->child = 0;
        png->status = fail_start(failed, &png->trouble);
    }
    return png;
}

enum sy_status sy_png_end(struct sy_png *png, struct sy_error *error)
{
    enum sy_status status = png->status;
    if (status) {
        sy_fail(error, status, "%s", png->trouble.message);
    }
    status = status ? status : finish(png, error);
    status = status ? status : keep(png->out, png->path, error);
    FILE *const files[] = {png->in, png->out, png->complaints};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i]) {
            fclose(files[i]);
        }
    }
    free(png->path);
    free(png);
    return status;
}

enum sy_status sy_draw_png(const char *svg, const char *path, unsigned width, struct sy_error *error)
{
    return sy_png_end(sy_png_begin(svg, path, width), error);
}
