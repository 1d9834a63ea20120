/* Finding and running gnuplot: no shell, no start-up files of the user, nothing on our own output. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "plot_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *sy_gnuplot_find(void)
{
    const char *entry = getenv("PATH");
    while (entry) {
        const size_t length = strcspn(entry, ":");
        /* An empty entry means the current directory. */
        char *path = length > 0 ? sy_format("%.*s/gnuplot", (int)length, entry) : sy_strdup("gnuplot");
        /* It is run from another directory, so a relative entry won't do. */
        char *absolute = is_program(path) ? realpath(path, NULL) : NULL;
        free(path);
        if (absolute) {
            return absolute;
        }
        entry = entry[length] == ':' ? entry + length + 1 : NULL;
    }
    return NULL;
}

/* In the child: only what is safe between fork and exec. */
static _Noreturn void become(const char *gnuplot, const char *folder, const char *script, int complaints)
{
    char *const arguments[] = {"gnuplot", "-d", (char *)(uintptr_t)script, NULL};
    const int nothing = open("/dev/null", O_RDWR);
    if (nothing >= 0 && chdir(folder) == 0 && dup2(nothing, 0) == 0 && dup2(complaints, 1) == 1 &&
        dup2(complaints, 2) == 2) {
        execv(gnuplot, arguments);
    }
    _exit(127);
}

/* The first line that says anything, without what points at the place in the script. */
static void read_complaint(FILE *complaints, char *line, int size)
{
    rewind(complaints);
    while (fgets(line, size, complaints)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "\"", 1) == 0 || strstr(line, "line ")) {
            return;
        }
    }
    snprintf(line, (size_t)size, "it gave no reason");
}

enum sy_status sy_gnuplot_run(const char *gnuplot, const char *folder, const char *script,
                              struct sy_error *error)
{
    FILE *complaints = tmpfile();
    if (!complaints) {
        return sy_fail(error, SY_FAILED, "cannot make a temporary file: %s", strerror(errno));
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        become(gnuplot, folder, script, fileno(complaints));
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    enum sy_status result = SY_OK;
    if (child < 0) {
        result = sy_fail(error, SY_FAILED, "cannot start gnuplot: %s", strerror(errno));
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char line[512];
        read_complaint(complaints, line, (int)sizeof line);
        result = sy_fail(error, SY_FAILED, "%s/%s: gnuplot failed: %s", folder, script, line);
    }
    fclose(complaints);
    return result;
}
