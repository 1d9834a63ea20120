/* What player's own files share. */
#ifndef STEELYARD_PLAYER_INTERNAL_H
#define STEELYARD_PLAYER_INTERNAL_H

#include "steelyard/player.h"

#include <sys/types.h>

/* ---- player_process: a process and the lines that go to it and come from it ---- */

struct sy_process {
    bool running;
    pid_t pid; /* also its process group */
    int socket;
    char *buffer; /* what has come and is not read yet: [start, length) */
    size_t start, length, capacity;
};

/* command: words, NULL after the last; the program is looked for on PATH. Its errors go nowhere. */
SY_MUST_USE enum sy_status sy_process_start(struct sy_process *process, char *const *command,
                                            struct sy_error *error);

/* Sends the text. A process that has gone is noticed at the next read. */
void sy_process_send(struct sy_process *process, const char *text);

enum sy_heard { SY_HEARD_LINE, SY_HEARD_NOTHING, SY_HEARD_END };

/* The next line without its end, borrowed until the next call; waits until the deadline (sy_clock). */
enum sy_heard sy_process_listen(struct sy_process *process, double deadline, char **line);

/* Waits `grace` seconds for the process to end by itself, then kills it and all that it has started. Writes
 * how it ended, such as "exit status 1". */
void sy_process_end(struct sy_process *process, double grace, char how[64]);

/* ---- players ---- */

struct sy_player {
    const struct sy_player_spec *spec;
    const struct sy_variant *variant;
    struct sy_engine *engine; /* of our own player */
    double deadline;          /* its move's, by sy_clock */
    struct sy_process process;
    bool single_game; /* the process plays one game and is to be started again for the next */
    /* What an xboard engine said of itself, and where its game stands. */
    bool usermove, pings, sets_board;
    unsigned ping; /* the last one sent */
    unsigned told; /* plies that it knows of */
    double clock;  /* seconds left of its session */
    unsigned session_moves;
};

/* The next line of the process; fails, with the process ended, when there is none by the deadline. */
SY_MUST_USE enum sy_status sy_player_listen(struct sy_player *player, double deadline, char **line,
                                            struct sy_error *error);

/* Fails with "NAME ..." and ends the process. */
enum sy_status sy_player_fault(struct sy_player *player, struct sy_error *error, const char *format, ...)
    SY_PRINTF(3, 4);

/* The legal move that the process has answered with. */
SY_MUST_USE enum sy_status sy_player_take_move(struct sy_player *player, const struct sy_position *position,
                                               const char *text, sy_move *move, struct sy_error *error);

/* The start as the protocols write it, which have a castling field in every game; a new string. */
char *sy_player_fen(const struct sy_player *player, const char *start);

/* What a line says behind its first word, if that is `word`; else NULL. */
const char *sy_after_word(const char *line, const char *word);

SY_MUST_USE enum sy_status sy_uci_start(struct sy_player *player, struct sy_error *error);
SY_MUST_USE enum sy_status sy_uci_new_game(struct sy_player *player, struct sy_error *error);
SY_MUST_USE enum sy_status sy_uci_choose(struct sy_player *player, const struct sy_player_game *game,
                                         struct sy_choice *choice, struct sy_error *error);

SY_MUST_USE enum sy_status sy_xboard_start(struct sy_player *player, struct sy_error *error);
SY_MUST_USE enum sy_status sy_xboard_check_starts(struct sy_player *player, struct sy_error *error);
SY_MUST_USE enum sy_status sy_xboard_new_game(struct sy_player *player, struct sy_error *error);
SY_MUST_USE enum sy_status sy_xboard_choose(struct sy_player *player, const struct sy_player_game *game,
                                            struct sy_choice *choice, struct sy_error *error);

#endif
