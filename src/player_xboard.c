/* player_xboard: a process that speaks the Chess Engine Communication Protocol (T. Mann and H. G. Muller,
 * version 2).
 *
 * The engine is told to move with `go` and is otherwise in force mode. A time a move becomes what its
 * protocol knows: a clock of SESSION moves, kept here, of SESSION times as much. */
#include "player_internal.h"
#include "steelyard/clock.h"
#include "steelyard/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SESSION = 40 };
static const double introduction = 2; /* seconds, for engines that do not say when they are done */

/* ---- starting ---- */

/* Cuts NAME=VALUE or NAME="VALUE" off a list of features; false at its end. */
static bool next_feature(char **list, char **name, char **value)
{
    char *at = *list + strspn(*list, " ");
    char *equals = strchr(at, '=');
    if (equals == NULL)
        return false;
    *name = at;
    *equals = '\0';
    *value = equals + 1;
    const bool quoted = **value == '"';
    *value += quoted;
    char *end = *value + strcspn(*value, quoted ? "\"" : " ");
    *list = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return true;
}

/* Does the feature offer this option, "NAME -kind ..."? */
static bool offers(const char *feature, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(feature, name, length) == 0 && strncmp(feature + length, " -", 2) == 0;
}

struct features {
    bool done, waits; /* waits: it has said that it will say when it is done */
    bool *offered;
};

static void take_features(struct sy_player *player, char *list, struct features *features)
{
    for (char *name, *value; next_feature(&list, &name, &value);) {
        const bool on = strcmp(value, "1") == 0;
        if (strcmp(name, "done") == 0) {
            features->done = on;
            features->waits = !on;
        } else if (strcmp(name, "usermove") == 0) {
            player->usermove = on;
        } else if (strcmp(name, "ping") == 0) {
            player->pings = on;
        } else if (strcmp(name, "setboard") == 0) {
            player->sets_board = on;
        } else if (strcmp(name, "reuse") == 0) {
            player->single_game = !on;
        } else if (strcmp(name, "option") == 0) {
            for (size_t i = 0; i < player->spec->option_count; i++)
                features->offered[i] = features->offered[i] || offers(value, player->spec->options[i].name);
        }
        char *accepted = sy_format("accepted %s\n", name);
        sy_process_send(&player->process, accepted);
        free(accepted);
    }
}

static enum sy_status hear_features(struct sy_player *player, struct features *features,
                                    struct sy_error *error)
{
    const double begun = sy_clock();
    while (!features->done) {
        char *line;
        const double wait = features->waits ? player->spec->patience : introduction;
        const enum sy_heard heard = sy_process_listen(&player->process, begun + wait, &line);
        if (heard == SY_HEARD_NOTHING && !features->waits)
            return SY_OK;
        if (heard != SY_HEARD_LINE) /* says what happened */
            return sy_player_listen(player, begun + player->spec->patience, &line, error);
        const char *list = sy_after_word(line, "feature");
        if (list != NULL)
            take_features(player, line + (list - line), features);
    }
    return SY_OK;
}

enum sy_status sy_xboard_start(struct sy_player *player, struct sy_error *error)
{
    const struct sy_player_spec *spec = player->spec;
    struct features features = {.offered = sy_alloc(spec->option_count + 1, sizeof(bool))};
    player->usermove = player->pings = player->sets_board = player->single_game = false;
    sy_process_send(&player->process, "xboard\nprotover 2\n");
    enum sy_status status = hear_features(player, &features, error);
    for (size_t i = 0; status == SY_OK && i < spec->option_count; i++) {
        if (!features.offered[i]) {
            status = sy_player_fault(player, error, "has no option '%s'", spec->options[i].name);
            break;
        }
        char *text = sy_format("option %s=%s\n", spec->options[i].name, spec->options[i].value);
        sy_process_send(&player->process, text);
        free(text);
    }
    free(features.offered);
    return status;
}

enum sy_status sy_xboard_check_starts(struct sy_player *player, struct sy_error *error)
{
    return player->sets_board
               ? SY_OK
               : sy_player_fault(player, error, "takes no other start than its own: it has no 'setboard'");
}

/* ---- the clock ---- */

static unsigned session_seconds(const struct sy_player *player)
{
    const unsigned seconds = SESSION * player->spec->move_time / 1000;
    return seconds > 0 ? seconds : 1;
}

static void begin_clock(struct sy_player *player)
{
    const struct sy_player_spec *spec = player->spec;
    struct sy_text text = SY_TEXT_INIT;
    if (spec->move_time > 0) {
        const unsigned seconds = session_seconds(player);
        sy_text_printf(&text, "level %d %u:%02u 0\n", SESSION, seconds / 60, seconds % 60);
        player->clock = seconds;
    }
    if (spec->limits.depth > 0)
        sy_text_printf(&text, "sd %u\n", spec->limits.depth);
    sy_process_send(&player->process, text.bytes);
    sy_text_clear(&text);
    player->session_moves = 0;
}

static void run_clock(struct sy_player *player, double seconds)
{
    player->clock -= seconds;
    if (++player->session_moves % SESSION == 0)
        player->clock += session_seconds(player);
}

/* ---- playing ---- */

/* Sends a ping; its answer shows that everything before it has been dealt with. */
static void send_ping(struct sy_player *player)
{
    char text[32];
    snprintf(text, sizeof text, "ping %u\n", ++player->ping);
    sy_process_send(&player->process, text);
}

static bool is_pong(const struct sy_player *player, const char *line)
{
    const char *number = sy_after_word(line, "pong");
    return number != NULL && strtoul(number, NULL, 10) == player->ping;
}

enum sy_status sy_xboard_new_game(struct sy_player *player, struct sy_error *error)
{
    const double deadline = sy_clock() + player->spec->patience;
    char *line;
    sy_process_send(&player->process, "new\n");
    begin_clock(player);
    sy_process_send(&player->process, "easy\npost\nforce\n");
    player->told = 0;
    if (!player->pings)
        return SY_OK;
    send_ping(player);
    for (;;) {
        enum sy_status status = sy_player_listen(player, deadline, &line, error);
        if (status != SY_OK || is_pong(player, line))
            return status;
    }
}

/* The start and the moves it does not know yet, the clocks, and that it is to move. */
static void ask(struct sy_player *player, const struct sy_player_game *game)
{
    struct sy_text text = SY_TEXT_INIT;
    char move[SY_MOVE_TEXT];
    if (game->start != NULL && player->told == 0) {
        char *start = sy_player_fen(player, game->start);
        sy_text_printf(&text, "setboard %s\n", start);
        free(start);
    }
    for (; player->told < game->plies; player->told++)
        sy_text_printf(&text, "%s%s\n", player->usermove ? "usermove " : "",
                       sy_move_text(player->variant, game->moves[player->told], move));
    if (player->spec->move_time > 0) {
        const int hundredths = player->clock > 0.01 ? (int)(100 * player->clock) : 1;
        sy_text_printf(&text, "time %d\notim %d\n", hundredths, hundredths);
    }
    sy_text_puts(&text, "go\n");
    sy_process_send(&player->process, text.bytes);
    sy_text_clear(&text);
    if (player->pings)
        send_ping(player);
}

/* A line of thinking: depth, score in hundredths of a pawn, hundredths of a second, nodes, moves. */
static void note_thinking(const char *line, struct sy_choice *choice)
{
    int depth, score, time;
    unsigned long nodes;
    char mark[2];
    if (sscanf(line, "%d%1[.+&]%d %d %lu", &depth, mark, &score, &time, &nodes) != 5 &&
        sscanf(line, "%d %d %d %lu", &depth, &score, &time, &nodes) != 4)
        return;
    choice->scored = true;
    choice->score = score >= 100000 ? 1000 : score <= -100000 ? -1000 : score / 100.0;
    choice->nodes = nodes;
}

/* Lines with which an engine says that it will not move on. */
static bool is_refusal(const char *line)
{
    return strncmp(line, "Illegal move", 12) == 0 || strncmp(line, "Error", 5) == 0 ||
           sy_after_word(line, "resign") != NULL;
}

static enum sy_status hear_move(struct sy_player *player, const struct sy_player_game *game,
                                struct sy_choice *choice, struct sy_error *error)
{
    const double deadline = sy_clock() + 1e-3 * player->spec->move_time + player->spec->patience;
    char *line, move[40];
    for (;;) {
        enum sy_status status = sy_player_listen(player, deadline, &line, error);
        if (status != SY_OK)
            return status;
        const char *answer = sy_after_word(line, "move");
        if (answer != NULL) {
            snprintf(move, sizeof move, "%.*s", (int)strcspn(answer, " "), answer);
            return sy_player_take_move(player, game->position, move, &choice->move, error);
        }
        if (is_refusal(line))
            return sy_player_fault(player, error, "said '%.80s' instead of moving", line);
        if (is_pong(player, line))
            return sy_player_fault(player, error, "did not move");
        note_thinking(line, choice);
    }
}

enum sy_status sy_xboard_choose(struct sy_player *player, const struct sy_player_game *game,
                                struct sy_choice *choice, struct sy_error *error)
{
    const double begun = sy_clock();
    enum sy_status status = game->start == NULL ? SY_OK : sy_xboard_check_starts(player, error);
    *choice = (struct sy_choice){.move = SY_NO_MOVE};
    if (status != SY_OK)
        return status;
    ask(player, game);
    status = hear_move(player, game, choice, error);
    if (status != SY_OK)
        return status;
    run_clock(player, sy_clock() - begun);
    sy_process_send(&player->process, "force\n");
    player->told++;
    return SY_OK;
}
