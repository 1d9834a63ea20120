/* player_uci: a process that speaks the Universal Chess Interface. */
#include "player_internal.h"
#include "steelyard/clock.h"
#include "steelyard/notation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- starting ---- */

/* "option name NAME type ...": does the line offer this option? Names know no case. */
static bool offers(const char *line, const char *name)
{
    const char *rest = sy_after_word(line, "option");
    rest = rest != NULL ? sy_after_word(rest, "name") : NULL;
    const size_t length = strlen(name);
    return rest != NULL && strncasecmp(rest, name, length) == 0 &&
           sy_after_word(rest + length, " type") != NULL;
}

/* Reads the engine's introduction, noting which of the wanted options it offers. */
static enum sy_status hear_introduction(struct sy_player *player, bool *offered, struct sy_error *error)
{
    const struct sy_player_spec *spec = player->spec;
    const double deadline = sy_clock() + spec->patience;
    char *line;
    for (;;) {
        enum sy_status status = sy_player_listen(player, deadline, &line, error);
        if (status != SY_OK || sy_after_word(line, "uciok") != NULL)
            return status;
        for (size_t i = 0; i < spec->option_count; i++)
            offered[i] = offered[i] || offers(line, spec->options[i].name);
    }
}

static void set_option(struct sy_player *player, const struct sy_player_option *option)
{
    char *text = option->value[0] != '\0'
                     ? sy_format("setoption name %s value %s\n", option->name, option->value)
                     : sy_format("setoption name %s\n", option->name);
    sy_process_send(&player->process, text);
    free(text);
}

static enum sy_status await_ready(struct sy_player *player, struct sy_error *error)
{
    const double deadline = sy_clock() + player->spec->patience;
    char *line;
    enum sy_status status;
    sy_process_send(&player->process, "isready\n");
    do {
        status = sy_player_listen(player, deadline, &line, error);
    } while (status == SY_OK && sy_after_word(line, "readyok") == NULL);
    return status;
}

enum sy_status sy_uci_start(struct sy_player *player, struct sy_error *error)
{
    const struct sy_player_spec *spec = player->spec;
    bool *offered = sy_alloc(spec->option_count + 1, sizeof *offered);
    sy_process_send(&player->process, "uci\n");
    enum sy_status status = hear_introduction(player, offered, error);
    for (size_t i = 0; status == SY_OK && i < spec->option_count; i++) {
        if (!offered[i])
            status = sy_player_fault(player, error, "has no option '%s'", spec->options[i].name);
        else
            set_option(player, &spec->options[i]);
    }
    free(offered);
    return status == SY_OK ? await_ready(player, error) : status;
}

enum sy_status sy_uci_new_game(struct sy_player *player, struct sy_error *error)
{
    sy_process_send(&player->process, "ucinewgame\n");
    return await_ready(player, error);
}

/* ---- playing ---- */

static void ask(struct sy_player *player, const struct sy_player_game *game)
{
    const struct sy_player_spec *spec = player->spec;
    struct sy_text text = SY_TEXT_INIT;
    char move[SY_MOVE_TEXT];
    char *start = game->start == NULL ? NULL : sy_player_fen(player, game->start);
    sy_text_puts(&text, "position ");
    sy_text_puts(&text, start == NULL ? "startpos" : "fen ");
    sy_text_puts(&text, start == NULL ? "" : start);
    if (game->plies > 0)
        sy_text_puts(&text, " moves");
    for (unsigned i = 0; i < game->plies; i++)
        sy_text_printf(&text, " %s", sy_move_text(player->variant, game->moves[i], move));
    sy_text_puts(&text, "\ngo");
    if (spec->limits.nodes > 0)
        sy_text_printf(&text, " nodes %" PRIu64, spec->limits.nodes);
    if (spec->limits.depth > 0)
        sy_text_printf(&text, " depth %u", spec->limits.depth);
    if (spec->move_time > 0)
        sy_text_printf(&text, " movetime %u", spec->move_time);
    sy_text_puts(&text, "\n");
    sy_process_send(&player->process, text.bytes);
    sy_text_clear(&text);
    free(start);
}

/* The number behind a word of the line; false when there is none. */
static bool number_behind(const char *line, const char *word, double *number)
{
    const char *at = strstr(line, word);
    char *end;
    if (at == NULL)
        return false;
    *number = strtod(at + strlen(word), &end);
    return end > at + strlen(word);
}

static void note_info(const char *line, struct sy_choice *choice)
{
    double number;
    if (number_behind(line, " nodes ", &number) && number >= 0 && number < 1e18)
        choice->nodes = (uint64_t)number;
    if (number_behind(line, " score cp ", &number)) {
        choice->score = number / 100;
        choice->scored = true;
    } else if (number_behind(line, " score mate ", &number)) {
        choice->score = number > 0 ? 1000 : -1000;
        choice->scored = true;
    }
}

enum sy_status sy_uci_choose(struct sy_player *player, const struct sy_player_game *game,
                             struct sy_choice *choice, struct sy_error *error)
{
    const double deadline = sy_clock() + 1e-3 * player->spec->move_time + player->spec->patience;
    char *line, move[40];
    *choice = (struct sy_choice){.move = SY_NO_MOVE};
    ask(player, game);
    for (;;) {
        enum sy_status status = sy_player_listen(player, deadline, &line, error);
        if (status != SY_OK)
            return status;
        const char *answer = sy_after_word(line, "bestmove");
        if (answer != NULL) {
            snprintf(move, sizeof move, "%.*s", (int)strcspn(answer, " "), answer);
            return sy_player_take_move(player, game->position, move, &choice->move, error);
        }
        if (sy_after_word(line, "info") != NULL && strstr(line, " string ") == NULL)
            note_info(line, choice);
    }
}
