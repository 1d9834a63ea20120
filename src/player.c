/* player: our own engine as a player, and what the kinds of process have in common. */
#include "player_internal.h"
#include "steelyard/clock.h"
#include "steelyard/notation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double farewell = 1; /* seconds for a process to end in by itself */

/* ---- processes ---- */

enum sy_status sy_player_fault(struct sy_player *player, struct sy_error *error, const char *format, ...)
{
    char what[512], how[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    sy_process_end(&player->process, 0, how);
    return sy_fail(error, SY_FAILED, "%s %s", player->spec->name, what);
}

enum sy_status sy_player_listen(struct sy_player *player, double deadline, char **line,
                                struct sy_error *error)
{
    char how[64];
    switch (sy_process_listen(&player->process, deadline, line)) {
    case SY_HEARD_LINE:
        return SY_OK;
    case SY_HEARD_NOTHING:
        return sy_player_fault(player, error, "hung: no answer in time");
    case SY_HEARD_END:
        break;
    }
    sy_process_end(&player->process, farewell, how);
    return sy_fail(error, SY_FAILED, "%s crashed: %s", player->spec->name, how);
}

enum sy_status sy_player_take_move(struct sy_player *player, const struct sy_position *position,
                                   const char *text, sy_move *move, struct sy_error *error)
{
    struct sy_error why;
    if (sy_move_parse(position, text, move, &why) == SY_OK)
        return SY_OK;
    return sy_player_fault(player, error, "answered '%.40s': %s", text, why.message);
}

char *sy_player_fen(const struct sy_player *player, const char *start)
{
    const size_t board_and_side = strcspn(start, " ") + 2;
    return player->variant->fen_castling
               ? sy_strdup(start)
               : sy_format("%.*s -%s", (int)board_and_side, start, start + board_and_side);
}

const char *sy_after_word(const char *line, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] != ' ' && line[length] != '\0'))
        return NULL;
    return line + length + strspn(line + length, " ");
}

/* ---- our own engine ---- */

static bool is_late(void *context)
{
    const struct sy_player *player = context;
    return sy_clock() >= player->deadline;
}

static void seat_engine(struct sy_player *player, uint64_t noise_seed)
{
    const struct sy_watch watch = {is_late, NULL, player};
    if (player->engine == NULL) {
        player->engine = sy_engine_create(player->variant, player->spec->table_bytes);
        sy_engine_set_params(player->engine, &player->spec->params);
        sy_engine_watch(player->engine, player->spec->move_time > 0 ? &watch : NULL);
    }
    sy_engine_new_game(player->engine, noise_seed);
}

static void think(struct sy_player *player, const struct sy_player_game *game, struct sy_choice *choice)
{
    struct sy_search_result result;
    player->deadline = sy_clock() + 1e-3 * player->spec->move_time;
    sy_engine_search(player->engine, game->position, game->history, &player->spec->limits, &result);
    *choice = (struct sy_choice){result.best, true, result.score, result.nodes};
}

/* ---- all ---- */

struct sy_player *sy_player_create(const struct sy_player_spec *spec, const struct sy_variant *variant)
{
    struct sy_player *player = sy_alloc(1, sizeof *player);
    player->spec = spec;
    player->variant = variant;
    return player;
}

static enum sy_status start_process(struct sy_player *player, struct sy_error *error)
{
    enum sy_status status = sy_process_start(&player->process, player->spec->command, error);
    if (status != SY_OK)
        return status;
    return player->spec->kind == SY_PLAYER_UCI ? sy_uci_start(player, error) : sy_xboard_start(player, error);
}

static void end_process(struct sy_player *player)
{
    char how[64];
    sy_process_send(&player->process, "quit\n");
    sy_process_end(&player->process, farewell, how);
}

enum sy_status sy_player_new_game(struct sy_player *player, uint64_t noise_seed, struct sy_error *error)
{
    if (player->spec->kind == SY_PLAYER_OWN) {
        seat_engine(player, noise_seed);
        return SY_OK;
    }
    if (player->process.running && player->single_game)
        end_process(player);
    if (!player->process.running) {
        enum sy_status status = start_process(player, error);
        if (status != SY_OK)
            return status;
    }
    return player->spec->kind == SY_PLAYER_UCI ? sy_uci_new_game(player, error)
                                               : sy_xboard_new_game(player, error);
}

void sy_player_free(struct sy_player *player)
{
    if (player == NULL)
        return;
    end_process(player);
    sy_engine_free(player->engine);
    free(player->process.buffer);
    free(player);
}

enum sy_status sy_player_try(const struct sy_player_spec *spec, const struct sy_variant *variant,
                             bool other_starts, struct sy_error *error)
{
    if (spec->kind == SY_PLAYER_OWN)
        return SY_OK;
    struct sy_player *player = sy_player_create(spec, variant);
    enum sy_status status = sy_player_new_game(player, 0, error);
    if (status == SY_OK && other_starts && spec->kind == SY_PLAYER_XBOARD)
        status = sy_xboard_check_starts(player, error);
    sy_player_free(player);
    return status;
}

enum sy_status sy_player_choose(struct sy_player *player, const struct sy_player_game *game,
                                struct sy_choice *choice, struct sy_error *error)
{
    switch (player->spec->kind) {
    case SY_PLAYER_UCI:
        return sy_uci_choose(player, game, choice, error);
    case SY_PLAYER_XBOARD:
        return sy_xboard_choose(player, game, choice, error);
    case SY_PLAYER_OWN:
        break;
    }
    think(player, game, choice);
    return SY_OK;
}
