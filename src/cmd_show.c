/* cmd_show: a position, or a piece's mobility, as a picture or as text. */
#include "steelyard/cmd.h"
#include "steelyard/draw.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { DEFAULT_WIDTH = 1000, MOST_WIDTH = 8000 };

struct request {
    const char *fen, *moves_of, *heat, *title, *output;
    bool turned;
    int64_t width; /* of a PNG, pixels */
};

/* A position reached and how. */
struct scene {
    struct sy_position position;
    struct sy_history history;
    sy_move last;
};

static bool has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(path), ending = strlen(suffix);
    return length > ending && strcasecmp(path + length - ending, suffix) == 0;
}

static enum sy_status read_option(int option, char **argv, struct request *request, struct sy_error *error)
{
    switch (option) {
    case 'f':
        request->fen = optarg;
        return SY_OK;
    case 'm':
        request->moves_of = optarg;
        return SY_OK;
    case 'p':
        request->heat = optarg;
        return SY_OK;
    case 't':
        request->title = optarg;
        return SY_OK;
    case 'u':
        request->turned = true;
        return SY_OK;
    case 'o':
        request->output = optarg;
        return has_suffix(optarg, ".svg") || has_suffix(optarg, ".png")
                   ? SY_OK
                   : sy_fail(error, SY_USAGE, "show: '%s' must end in .svg or .png", optarg);
    case 'w':
        return sy_parse_i64(optarg, 50, MOST_WIDTH, &request->width)
                   ? SY_OK
                   : sy_fail(error, SY_USAGE, "show: width '%s' must be a whole number from 50 to %d", optarg,
                             MOST_WIDTH);
    default:
        return sy_cmd_bad_option(argv, option, error);
    }
}

static enum sy_status read_options(int argc, char **argv, struct request *request, struct sy_error *error)
{
    static const struct option options[] = {
        {"fen", required_argument, NULL, 'f'},    {"moves", required_argument, NULL, 'm'},
        {"heat", required_argument, NULL, 'p'},   {"title", required_argument, NULL, 't'},
        {"flip", no_argument, NULL, 'u'},         {"width", required_argument, NULL, 'w'},
        {"output", required_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        const enum sy_status status = read_option(option, argv, request, error);
        if (status) {
            return status;
        }
    }
    const enum sy_status status = sy_cmd_arguments(argc, argv, 1, argc, "VARIANT and moves", error);
    if (!status && request->heat && (request->fen || request->moves_of || argc - optind > 1)) {
        return sy_fail(error, SY_USAGE, "show: --heat is about the empty board; give no position with it");
    }
    return status;
}

/* ---- output ---- */

static enum sy_status write_picture(const struct request *request, const char *svg, struct sy_error *error)
{
    if (has_suffix(request->output, ".png")) {
        return sy_draw_png(svg, request->output, (unsigned)request->width, error);
    }
    return sy_write_file(request->output, svg, strlen(svg), error);
}

/* Prints the text or writes the picture; frees both. */
static enum sy_status deliver(const struct request *request, char *svg, char *text, struct sy_error *error)
{
    enum sy_status status = SY_OK;
    if (request->output) {
        status = write_picture(request, svg, error);
    } else {
        fputs(text, stdout);
        status = sy_cmd_finish_output(error);
    }
    free(svg);
    free(text);
    return status;
}

/* ---- positions ---- */

static enum sy_status reach(struct scene *scene, const struct sy_variant *variant, const char *fen,
                            char **moves, int count, struct sy_error *error)
{
    enum sy_status status = sy_fen_parse(variant, fen ? fen : variant->start, &scene->position, error);
    if (status) {
        return status;
    }
    sy_history_push(&scene->history, scene->position.key);
    for (int i = 0; i < count; i++) {
        struct sy_undo undo;
        status = sy_move_parse(&scene->position, moves[i], &scene->last, error);
        if (status) {
            return sy_fail_within(error, status, "move %d", i + 1);
        }
        sy_make(&scene->position, scene->last, &undo);
        sy_history_push(&scene->history, scene->position.key);
    }
    return SY_OK;
}

static enum sy_status find_mover(const struct sy_position *position, const char *name, unsigned *cell,
                                 struct sy_error *error)
{
    *cell = sy_board_cell(position->variant->board, name, strlen(name));
    if (*cell == SY_NO_CELL) {
        return sy_fail(error, SY_BAD_INPUT, "show: the board has no cell '%s'", name);
    }
    if (position->piece[*cell] == SY_NO_PIECE) {
        return sy_fail(error, SY_BAD_INPUT, "show: there is no piece on %s", name);
    }
    return SY_OK;
}

static void add_moves(const struct sy_position *position, unsigned cell, struct sy_text *text)
{
    sy_move moves[SY_MAX_MOVES];
    char written[SY_MOVE_TEXT];
    const unsigned count = sy_draw_moves_of(position, cell, moves);
    sy_text_printf(text, "Moves of %s:", position->variant->board->name[cell]);
    for (unsigned i = 0; i < count; i++) {
        sy_text_printf(text, " %s", sy_move_text(position->variant, moves[i], written));
    }
    sy_text_puts(text, count ? "\n" : " none\n");
}

/* The board and, below it, whose move it is or how the game ended. */
static char *as_text(const struct scene *scene, const struct sy_drawing *drawing)
{
    const struct sy_position *position = &scene->position;
    const struct sy_variant *variant = position->variant;
    struct sy_text text = SY_TEXT_INIT;
    char buffer[64], *board = sy_draw_position_text(position, drawing), *fen = sy_fen(position);
    sy_text_printf(&text, "%s\n", board);
    const struct sy_outcome outcome = sy_outcome_of(position, &scene->history, sy_count_legal(position));
    if (scene->last != SY_NO_MOVE) {
        sy_text_printf(&text, "Last move %s. ", sy_move_text(variant, scene->last, buffer));
    }
    if (outcome.reason == SY_GOING_ON) {
        sy_text_printf(&text, "%s to move%s.\n", position->to_move == SY_WHITE ? "White" : "Black",
                       sy_in_check(position) ? ", in check" : "");
    } else {
        sy_text_printf(&text, "Over: %s, White scores %g.\n", sy_reason_text(variant, outcome.reason, buffer),
                       outcome.white_points);
    }
    if (drawing->moves_of != SY_NO_CELL) {
        add_moves(position, drawing->moves_of, &text);
    }
    sy_text_printf(&text, "%s\n", fen);
    free(board);
    free(fen);
    return text.bytes;
}

static enum sy_status show_position(const struct sy_variant *variant, const struct request *request,
                                    char **moves, int count, struct sy_error *error)
{
    struct scene scene = {.history = {NULL, 0, 0}};
    struct sy_drawing drawing = {.title = request->title, .moves_of = SY_NO_CELL, .turned = request->turned};
    enum sy_status status = reach(&scene, variant, request->fen, moves, count, error);
    if (!status && request->moves_of) {
        status = find_mover(&scene.position, request->moves_of, &drawing.moves_of, error);
    }
    if (!status) {
        drawing.last = scene.last;
        char *svg = request->output ? sy_draw_position(&scene.position, &drawing) : NULL;
        char *text = request->output ? NULL : as_text(&scene, &drawing);
        status = deliver(request, svg, text, error);
    }
    sy_history_clear(&scene.history);
    return status;
}

/* ---- mobility ---- */

/* The type of that name or letter. */
static enum sy_status find_type(const struct sy_variant *variant, const char *name, unsigned *type,
                                struct sy_error *error)
{
    const char *names[SY_MAX_TYPES];
    *type = strlen(name) == 1 ? sy_variant_type(variant, name[0]) : SY_NO_TYPE;
    for (unsigned i = 0; i < variant->types; i++) {
        names[i] = variant->type[i].name;
        *type = strcasecmp(names[i], name) == 0 ? i : *type;
    }
    if (*type != SY_NO_TYPE) {
        return SY_OK;
    }
    const char *nearest = sy_nearest_word(name, names, variant->types);
    return sy_fail(error, SY_BAD_INPUT, "show: the game has no piece '%s'%s%s%s", name,
                   nearest ? ": did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static enum sy_status show_heat(const struct sy_variant *variant, const struct request *request,
                                struct sy_error *error)
{
    unsigned type;
    struct sy_heat heat = {.measure = "cells it can go to on the empty board", .turned = request->turned};
    enum sy_status status = find_type(variant, request->heat, &type, error);
    if (status) {
        return status;
    }
    char *title = request->title ? sy_strdup(request->title)
                                 : sy_format("%s: %s", variant->title, variant->type[type].name);
    heat.title = title;
    sy_draw_mobility(variant, type, heat.value);
    char *svg = request->output ? sy_draw_heat(variant, &heat) : NULL;
    char *board = request->output ? NULL : sy_draw_heat_text(variant, &heat);
    char *text = board ? sy_format("%s, %s\n\n%s", title, heat.measure, board) : NULL;
    free(board);
    free(title);
    return deliver(request, svg, text, error);
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct request request = {.width = DEFAULT_WIDTH};
    struct sy_variant *variant = NULL;
    enum sy_status status = read_options(argc, argv, &request, error);
    status = status ? status : sy_variant_load(argv[optind], NULL, &variant, error);
    if (!status) {
        status = request.heat ? show_heat(variant, &request, error)
                              : show_position(variant, &request, argv + optind + 1, argc - optind - 1, error);
    }
    sy_variant_free(variant);
    return status;
}

const struct sy_command sy_cmd_show = {
    .name = "show",
    .summary = "draw a position, or a piece's mobility",
    .help =
        "usage: steelyard show VARIANT [--fen FEN] [MOVE ...] [--moves CELL] [-o FILE.svg|FILE.png]\n"
        "       steelyard show VARIANT --heat PIECE [-o FILE.svg|FILE.png]\n"
        "\n"
        "Plays the moves from the variant's start (or FEN) and shows the position: with -o as a picture, "
        "else\n"
        "as text. In the text, [K] is White's and (k) Black's; on square boards capitals are White's.\n"
        "  -o, --output FILE  write a picture; a PNG needs rsvg-convert (Debian: librsvg2-bin)\n"
        "  --moves CELL       mark where the piece there can go: a dot is a move, a ring a capture, a star "
        "a\n"
        "                     shot, a pair of arrows a change of places\n"
        "  --heat PIECE       the number of cells a piece (name or letter) can go to from each cell of the\n"
        "                     empty board\n"
        "  --flip             Black below\n"
        "  --title TEXT       above the picture, instead of the game's title\n"
        "  --width PIXELS     of a PNG (1000)\n",
    .run = run,
};
