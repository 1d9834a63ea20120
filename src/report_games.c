/* Whole games to step through: of each arm the shortest win on the board, the longest fight, and a typical
 * game. The page holds the last position as a picture, and for a script the list of cells that every move
 * changes; so the script knows no rule. */
#include "report_internal.h"

#include "steelyard/draw_stage.h"
#include "steelyard/notation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GAMES = 12, OF_AN_ARM = 3 };

struct choice {
    const struct sy_game_record *game;
    const char *what;
};

/* ---- which games ---- */

static bool won_on_board(const struct sy_game_record *game)
{
    return game->finished && (game->result == 0.0 || game->result == 1.0) &&
           strcmp(game->reason, SY_REASON_ADJUDICATED) != 0;
}

static const struct sy_game_record *shortest_win(const struct sy_arm_games *games)
{
    const struct sy_game_record *best = NULL;
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        if (won_on_board(game) && (!best || game->plies < best->plies)) {
            best = game;
        }
    }
    return best;
}

static const struct sy_game_record *longest(const struct sy_arm_games *games)
{
    const struct sy_game_record *best = NULL;
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        if (game->finished && (!best || game->plies > best->plies)) {
            best = game;
        }
    }
    return best;
}

/* Of the median length, ended as most are. */
static const struct sy_game_record *typical(const struct sy_arm_games *games, const struct sy_json *arm)
{
    const double median = sy_json_number(sy_read_at(arm, "length", "median"));
    const char *reason = sy_read_string(sy_json_first(sy_read_at(arm, "outcomes", "reasons")), "reason");
    const struct sy_game_record *best = NULL;
    for (size_t i = 0; i < games->count; i++) {
        const struct sy_game_record *game = &games->games[i];
        if (strcmp(game->reason, reason) == 0 &&
            (!best || fabs(game->plies - median) < fabs(best->plies - median))) {
            best = game;
        }
    }
    return best;
}

static void choose(struct choice *chosen, size_t *count, const struct sy_game_record *game, const char *what)
{
    for (size_t i = 0; i < *count; i++) {
        if (chosen[i].game == game) {
            return;
        }
    }
    if (game && game->plies > 0) {
        chosen[(*count)++] = (struct choice){game, what};
    }
}

static size_t choose_games(const struct sy_run *run, const struct sy_arm_games *games, unsigned arm,
                           struct choice chosen[OF_AN_ARM])
{
    const struct sy_json *summary = sy_run_arm_summary(run, arm);
    size_t count = 0;
    if (run->experiment->arm_count * OF_AN_ARM <= MOST_GAMES) {
        choose(chosen, &count, shortest_win(games), "The shortest win");
        choose(chosen, &count, longest(games), "The longest fight");
    }
    choose(chosen, &count, typical(games, summary), "A typical game");
    return count;
}

/* ---- what a script needs ---- */

static struct sy_json *piece_json(const struct sy_position *position, unsigned cell)
{
    const unsigned piece = position->piece[cell];
    return sy_json_new_int(piece == SY_NO_PIECE ? -1 : (int64_t)piece);
}

/* Makes the move; returns the cells that it changed, each with what is there now. */
static struct sy_json *changes_json(struct sy_position *position, sy_move move)
{
    struct sy_json *changes = sy_json_new_array();
    const struct sy_position before = *position;
    struct sy_undo undo;
    sy_make(position, move, &undo);
    for (unsigned cell = 0; cell < position->variant->cells; cell++) {
        if (before.piece[cell] != position->piece[cell]) {
            sy_json_append(changes, sy_json_new_int(cell));
            sy_json_append(changes, piece_json(position, cell));
        }
    }
    return changes;
}

static const char *result_text(const struct sy_game_record *game)
{
    return !game->finished        ? "no result"
           : game->result == 1.0  ? "White wins"
           : game->result == 0.0  ? "Black wins"
           : game->result == 0.5  ? "a draw"
           : game->result == 0.75 ? "White scores 3/4"
                                  : "White scores 1/4";
}

/* Plays the game; `position` is left at its end. */
static struct sy_json *game_json(const struct sy_game_record *game, struct sy_position *position,
                                 const char *prefix)
{
    struct sy_json *json = sy_json_new_object();
    struct sy_json *start = sy_json_new_array();
    struct sy_json *moves = sy_json_new_array();
    struct sy_json *changes = sy_json_new_array();
    char *end = sy_format("%s: %s.", game->reason, result_text(game));
    for (unsigned cell = 0; cell < position->variant->cells; cell++) {
        sy_json_append(start, piece_json(position, cell));
    }
    sy_json_add_string(json, "pieces", prefix);
    sy_json_add_int(json, "black", position->to_move == SY_BLACK);
    sy_json_add_string(json, "end", end);
    for (unsigned ply = 0; ply < game->plies; ply++) {
        char text[SY_MOVE_TEXT];
        sy_json_append(moves, sy_json_new_string(sy_move_text(position->variant, game->moves[ply], text)));
        sy_json_append(changes, changes_json(position, game->moves[ply]));
    }
    sy_json_add(json, "start", start);
    sy_json_add(json, "moves", moves);
    sy_json_add(json, "changes", changes);
    free(end);
    return json;
}

/* JSON in a <script>: nothing in it may look like a tag. */
static void add_data(struct sy_text *html, const struct sy_json *json)
{
    char *text = sy_json_text(json, false);
    sy_text_puts(html, "<script type=\"application/json\">");
    for (const char *c = text; *c; c++) {
        sy_text_add(html, *c == '<' ? "\\u003c" : c, *c == '<' ? 6 : 1);
    }
    sy_text_puts(html, "</script>\n");
    free(text);
}

/* ---- a game on the page ---- */

static void add_moves(struct sy_text *text, const struct sy_json *moves, bool black)
{
    size_t ply = black;
    for (const struct sy_json *move = sy_json_first(moves); move; move = sy_json_next(move), ply++) {
        if (ply % 2 == 0) {
            sy_text_printf(text, "%s%zu.", text->length > 0 ? " " : "", ply / 2 + 1);
        }
        sy_text_printf(text, " %s", sy_json_string(move));
    }
}

static void add_controls(struct sy_text *html)
{
    static const struct {
        const char *step, *name, *path;
    } buttons[] = {{"first", "to the start", "M5 4v12M16 4L7 10l9 6z"},
                   {"back", "one back", "M14 4L5 10l9 6z"},
                   {"play", "play or stop", "M4 4l7 6-7 6zM13 4v12M16 4v12"},
                   {"on", "one on", "M6 4l9 6-9 6z"},
                   {"last", "to the end", "M15 4v12M4 4l9 6-9 6z"}};
    sy_text_puts(html, "<div class=\"steps\" hidden>");
    for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
        sy_text_printf(html,
                       "<button type=\"button\" data-step=\"%s\" aria-label=\"%s\" title=\"%s\">"
                       "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"%s\"/></svg></button>",
                       buttons[i].step, buttons[i].name, buttons[i].name, buttons[i].path);
    }
    sy_text_puts(html, "<input type=\"range\" min=\"0\" value=\"0\" aria-label=\"ply\"></div>\n");
}

static void add_html(struct sy_text *html, const struct choice *choice, const struct sy_json *json,
                     const struct sy_position *end, const char *prefix, const char *heading)
{
    char *title = sy_format("game %llu", (unsigned long long)choice->game->number);
    char *fen = sy_fen(end);
    char *description = sy_format("The last position: %s", fen);
    char *board = sy_draw_stage(end, prefix, title, description);
    struct sy_text moves = SY_TEXT_INIT;
    add_moves(&moves, sy_json_member(json, "moves"), sy_json_number(sy_json_member(json, "black")) == 1.0);
    sy_text_puts(html, "<article class=\"game\" tabindex=\"0\" aria-label=\"");
    sy_add_html(html, heading);
    sy_text_puts(html, "\">\n<h4>");
    sy_add_html(html, heading);
    sy_text_printf(html,
                   "</h4>\n%s<p class=\"now\" aria-live=\"polite\">The last position, after %u %s: ", board,
                   choice->game->plies, choice->game->plies == 1 ? "ply" : "plies");
    sy_add_html(html, sy_read_string(json, "end"));
    sy_text_puts(html, "</p>\n");
    add_controls(html);
    sy_text_puts(html, "<p class=\"moves\">");
    sy_add_html(html, moves.bytes);
    sy_text_puts(html, "</p>\n");
    add_data(html, json);
    sy_text_puts(html, "</article>\n");
    sy_text_clear(&moves);
    free(board);
    free(description);
    free(fen);
    free(title);
}

static void add_markdown(struct sy_text *markdown, const struct choice *choice, const struct sy_json *json,
                         const char *heading)
{
    struct sy_text moves = SY_TEXT_INIT;
    add_moves(&moves, sy_json_member(json, "moves"), sy_json_number(sy_json_member(json, "black")) == 1.0);
    sy_text_puts(markdown, "**");
    sy_add_markdown(markdown, heading);
    sy_text_puts(markdown, "** Start: ");
    sy_add_markdown(markdown, choice->game->start);
    sy_text_puts(markdown, ". Moves: ");
    sy_add_markdown(markdown, moves.bytes);
    sy_text_puts(markdown, " – ");
    sy_add_markdown(markdown, sy_read_string(json, "end"));
    sy_text_puts(markdown, "\n\n");
    sy_text_clear(&moves);
}

static enum sy_status add_game(struct sy_report *report, const struct sy_arm_games *games,
                               const struct choice *choice, const char *prefix, struct sy_error *error)
{
    struct sy_position position;
    const enum sy_status status = sy_fen_parse(games->arm->variant, choice->game->start, &position, error);
    if (status != SY_OK) {
        return sy_fail_within(error, status, "game %llu", (unsigned long long)choice->game->number);
    }
    char *heading = sy_format("%s: %u %s, %s", choice->what, choice->game->plies,
                              choice->game->plies == 1 ? "ply" : "plies", choice->game->reason);
    struct sy_json *json = game_json(choice->game, &position, prefix);
    add_html(&report->page.html, choice, json, &position, prefix, heading);
    add_markdown(&report->page.markdown, choice, json, heading);
    sy_json_delete(json);
    free(heading);
    return SY_OK;
}

enum sy_status sy_report_games(struct sy_report *report, struct sy_error *error)
{
    const struct sy_run *run = &report->run;
    enum sy_status status = SY_OK;
    sy_page_section(&report->page, "games", "A few games");
    sy_text_puts(&report->page.html,
                 "<p class=\"note\">Arrow keys step through the game that has the focus; Home "
                 "and End go to its ends, the space bar plays it.</p>\n");
    for (unsigned arm = 0; arm < run->experiment->arm_count && arm < MOST_GAMES && status == SY_OK; arm++) {
        const struct sy_arm_games games = sy_run_arm(run, arm);
        struct choice chosen[OF_AN_ARM];
        const size_t count = choose_games(run, &games, arm, chosen);
        char *prefix = sy_format("piece-%u-", arm);
        char *pieces = sy_draw_stage_pieces(games.arm->variant, prefix);
        if (run->experiment->arm_count > 1) {
            sy_page_heading(&report->page, games.arm->label);
        }
        sy_text_printf(&report->page.html, "%s<div class=\"games\">\n", pieces);
        for (size_t i = 0; i < count && status == SY_OK; i++) {
            status = add_game(report, &games, &chosen[i], prefix, error);
        }
        sy_text_puts(&report->page.html, "</div>\n");
        free(pieces);
        free(prefix);
    }
    return status;
}
