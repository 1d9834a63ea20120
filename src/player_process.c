/* player_process: engines as processes.
 *
 * Both directions run over one socket pair, so that writing to a process that has died is an error and not a
 * signal. A process leads a group of its own: the terminal's interrupt does not reach it, and whatever it
 * has started ends with it. */
#include "player_internal.h"
#include "steelyard/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { CHUNK = 4096, LONGEST_LINE = 1 << 20 };

/* ---- starting ---- */

static int spawn(pid_t *pid, char *const *command, int end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, ordinary;
    sigemptyset(&none);
    sigemptyset(&ordinary);
    sigaddset(&ordinary, SIGINT);
    sigaddset(&ordinary, SIGTERM);
    sigaddset(&ordinary, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ordinary);
    const int failure = posix_spawnp(pid, command[0], &actions, &attributes, command, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

enum sy_status sy_process_start(struct sy_process *process, char *const *command, struct sy_error *error)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return sy_fail(error, SY_FAILED, "cannot start '%s': %s", command[0], strerror(errno));
    const int failure = spawn(&process->pid, command, ends[1]);
    close(ends[1]);
    if (failure != 0) {
        close(ends[0]);
        return sy_fail(error, SY_FAILED, "cannot start '%s': %s", command[0], strerror(failure));
    }
    process->socket = ends[0];
    process->start = process->length = 0;
    process->running = true;
    return SY_OK;
}

/* ---- talking ---- */

void sy_process_send(struct sy_process *process, const char *text)
{
    const size_t length = strlen(text);
    for (size_t done = 0; process->running && done < length;) {
        const ssize_t sent = send(process->socket, text + done, length - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return;
        done += sent > 0 ? (size_t)sent : 0;
    }
}

/* The line that the buffer begins with, if it is whole. */
static char *cut_line(struct sy_process *process)
{
    char *from = process->buffer + process->start;
    const size_t waiting = process->length - process->start;
    char *end = waiting > 0 ? memchr(from, '\n', waiting) : NULL;
    if (end == NULL)
        return NULL;
    process->start += (size_t)(end - from) + 1;
    *end = '\0';
    if (end > from && end[-1] == '\r')
        end[-1] = '\0';
    return from;
}

/* False at the end of what the process says. */
static bool read_more(struct sy_process *process)
{
    if (process->start > 0) {
        memmove(process->buffer, process->buffer + process->start, process->length - process->start);
        process->length -= process->start;
        process->start = 0;
    }
    if (process->length > LONGEST_LINE)
        return false;
    process->buffer = sy_grow(process->buffer, &process->capacity, process->length + CHUNK, 1);
    const ssize_t got = recv(process->socket, process->buffer + process->length, CHUNK, 0);
    if (got < 0 && errno == EINTR)
        return true;
    process->length += got > 0 ? (size_t)got : 0;
    return got > 0;
}

enum sy_heard sy_process_listen(struct sy_process *process, double deadline, char **line)
{
    while (process->running) {
        if ((*line = cut_line(process)) != NULL)
            return SY_HEARD_LINE;
        const double left = deadline - sy_clock();
        if (left <= 0)
            return SY_HEARD_NOTHING;
        struct pollfd ready = {.fd = process->socket, .events = POLLIN};
        const int count = poll(&ready, 1, (int)ceil(1000 * fmin(left, 1000)));
        if (count > 0 && !read_more(process))
            return SY_HEARD_END;
    }
    return SY_HEARD_END;
}

/* ---- ending ---- */

static bool has_ended(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

void sy_process_end(struct sy_process *process, double grace, char how[64])
{
    const struct timespec moment = {0, 5000000};
    int status = 0;
    snprintf(how, 64, "not running");
    if (!process->running)
        return;
    shutdown(process->socket, SHUT_WR);
    const double until = sy_clock() + grace;
    bool ended = has_ended(process->pid);
    for (; !ended && sy_clock() < until; ended = has_ended(process->pid))
        nanosleep(&moment, NULL);
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(process->socket);
    process->running = false;
    if (!ended)
        snprintf(how, 64, "killed");
    else if (WIFSIGNALED(status))
        snprintf(how, 64, "signal %d", WTERMSIG(status));
    else
        snprintf(how, 64, "exit status %d", WEXITSTATUS(status));
}
