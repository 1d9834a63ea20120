/* cmd_play: a person and the engine at one board on the terminal.
 *
 * What is read is a move or a command; whatever is neither gets an explanation, never an end. Everything said
 * goes to stdout, so that a sitting can be read from a file as well as from a terminal. The end of the input
 * ends the sitting like `quit`. */
#include "steelyard/cmd.h"
#include "steelyard/draw.h"
#include "steelyard/notation.h"
#include "steelyard/search.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A game without a rule that ends it must not run for ever when nobody is watching. */
enum { DEFAULT_NODES = 50000, HASH = 16 << 20, LONGEST_WATCHED = 1000, PER_LINE = 8 };

struct played {
    sy_move move;
    struct sy_undo undo;
};

struct sitting {
    struct sy_variant *variant;
    struct sy_engine *engine;
    struct sy_limits limits;
    struct sy_position position;
    struct sy_history history;
    struct played *played;
    size_t count, capacity;
    bool person[2]; /* who plays White, Black */
    bool turned, done;
    char *line; /* the last one read */
    size_t line_size;
};

static const char *side_name(unsigned side)
{
    return side == SY_WHITE ? "White" : "Black";
}

/* ---- the game ---- */

static struct sy_outcome outcome(const struct sitting *sitting)
{
    return sy_outcome_of(&sitting->position, &sitting->history, sy_count_legal(&sitting->position));
}

static bool is_over(const struct sitting *sitting)
{
    return outcome(sitting).reason != SY_GOING_ON;
}

static void play(struct sitting *sitting, sy_move move)
{
    sitting->played =
        sy_grow(sitting->played, &sitting->capacity, sitting->count + 1, sizeof *sitting->played);
    struct played *last = &sitting->played[sitting->count++];
    last->move = move;
    sy_make(&sitting->position, move, &last->undo);
    sy_history_push(&sitting->history, sitting->position.key);
}

static void take_back(struct sitting *sitting)
{
    const struct played *last = &sitting->played[--sitting->count];
    sy_unmake(&sitting->position, last->move, &last->undo);
    sitting->history.count--;
}

static struct sy_search_result think(struct sitting *sitting)
{
    struct sy_search_result result;
    sy_engine_search(sitting->engine, &sitting->position, &sitting->history, &sitting->limits, &result);
    return result;
}

/* ---- what is said ---- */

static void print_board(const struct sitting *sitting)
{
    const struct sy_drawing drawing = {.moves_of = SY_NO_CELL, .turned = sitting->turned};
    char *board = sy_draw_position_text(&sitting->position, &drawing);
    printf("\n%s\n", board);
    free(board);
}

static const char *points(double share)
{
    static const char *const texts[] = {"0", "1/4", "1/2", "3/4", "1"};
    return texts[(unsigned)(4 * share + 0.5) % 5];
}

/* "Check." or the ending, nothing else. */
static void print_state(const struct sitting *sitting)
{
    char buffer[64];
    const struct sy_outcome end = outcome(sitting);
    if (end.reason != SY_GOING_ON) {
        printf("Game over: %s. White %s, Black %s.\n", sy_reason_text(sitting->variant, end.reason, buffer),
               points(end.white_points), points(1 - end.white_points));
    } else if (sy_in_check(&sitting->position)) {
        printf("Check: %s's %s is attacked.\n", side_name(sitting->position.to_move),
               sitting->variant->type[sitting->variant->check_royal].name);
    }
}

/* The legal moves from a cell, or all of them (SY_NO_CELL). */
static void print_moves(const struct sitting *sitting, unsigned cell)
{
    sy_move moves[SY_MAX_MOVES];
    char text[SY_MOVE_TEXT];
    unsigned printed = 0;
    const unsigned count = sy_generate(&sitting->position, moves);
    for (unsigned i = 0; i < count; i++) {
        if (cell == SY_NO_CELL || sy_move_from(moves[i]) == cell) {
            sy_move_text(sitting->variant, moves[i], text);
            printf("%s%s", printed == 0 ? "  " : printed % PER_LINE ? "  " : "\n  ", text);
            printed++;
        }
    }
    if (printed) {
        printf("\n");
    } else if (cell == SY_NO_CELL) {
        printf("There is no legal move.\n");
    } else {
        printf("Nothing of %s's on %s can move.\n", side_name(sitting->position.to_move),
               sitting->variant->board->name[cell]);
    }
}

static void print_score(const struct sy_search_result *result, unsigned side)
{
    if (result->mate > 0) {
        printf(" (%s wins in %d)\n", side_name(side), result->mate);
    } else if (result->mate < 0) {
        printf(" (%s loses in %d)\n", side_name(side), -result->mate);
    } else {
        printf(" (%+.2f for %s)\n", result->score, side_name(side));
    }
}

/* ---- commands ---- */

static void do_undo(struct sitting *sitting)
{
    /* Back to where the person last chose, past the engine's answer. */
    size_t back = 0;
    unsigned side = sitting->position.to_move;
    do {
        back++;
        side ^= 1U;
    } while (back < sitting->count && !sitting->person[side]);
    if (back > sitting->count || !sitting->person[side]) {
        printf("There is no move of yours to take back.\n");
        return;
    }
    while (back-- > 0) {
        take_back(sitting);
    }
    print_board(sitting);
    print_state(sitting);
}

static void do_hint(struct sitting *sitting)
{
    if (is_over(sitting)) {
        printf("The game is over.\n");
        return;
    }
    char text[SY_MOVE_TEXT];
    const struct sy_search_result result = think(sitting);
    printf("Hint: %s", sy_move_text(sitting->variant, result.best, text));
    print_score(&result, sitting->position.to_move);
}

static void do_fen(struct sitting *sitting)
{
    char *fen = sy_fen(&sitting->position);
    puts(fen);
    free(fen);
}

static void do_board(struct sitting *sitting)
{
    print_board(sitting);
    print_state(sitting);
}

static void do_flip(struct sitting *sitting)
{
    sitting->turned = !sitting->turned;
    print_board(sitting);
}

static void do_moves(struct sitting *sitting)
{
    print_moves(sitting, SY_NO_CELL);
}

static void do_quit(struct sitting *sitting)
{
    sitting->done = true;
}

static void do_help(struct sitting *sitting);

static const struct word {
    const char *name, *about;
    void (*act)(struct sitting *sitting);
} words[] = {
    {"moves", "list the legal moves; a cell's name alone lists those from it", do_moves},
    {"hint", "what the engine would play", do_hint},
    {"undo", "take your last move back", do_undo},
    {"board", "show the board again", do_board},
    {"flip", "turn the board round", do_flip},
    {"fen", "the position as one line", do_fen},
    {"help", "this list", do_help},
    {"quit", "end", do_quit},
};
enum { WORDS = sizeof words / sizeof *words };

static void do_help(struct sitting *sitting)
{
    char text[SY_MOVE_TEXT];
    sy_move moves[SY_MAX_MOVES];
    if (sy_generate(&sitting->position, moves) > 0) {
        printf("A move is written FROMTO, such as %s", sy_move_text(sitting->variant, moves[0], text));
        printf("; a promotion has the piece's letter after it,\n"
               "a shot is FROM*TO, a change of places FROM~TO.\n");
    }
    for (size_t i = 0; i < WORDS; i++) {
        printf("  %-6s %s\n", words[i].name, words[i].about);
    }
}

/* ---- reading ---- */

/* The line without spaces and hyphens ("e2 - e4" is e2e4): no cell's name has either. */
static char *tidy(const char *line)
{
    char *text = sy_alloc(strlen(line) + 1, 1), *end = text;
    for (; *line; line++) {
        if (!isspace((unsigned char)*line) && *line != '-') {
            *end++ = *line;
        }
    }
    return text;
}

/* The cell that the text begins with, SY_NO_CELL for none. */
static unsigned first_cell(const struct sy_board *board, const char *text)
{
    unsigned cell = SY_NO_CELL;
    for (size_t length = strlen(text); length > 0 && cell == SY_NO_CELL; length--) {
        cell = sy_board_cell(board, text, length);
    }
    return cell;
}

/* What was neither a move nor a command: the nearest of the commands, or of the legal moves. */
static void print_nearest(const struct sitting *sitting, const char *text)
{
    sy_move moves[SY_MAX_MOVES];
    char(*texts)[SY_MOVE_TEXT] = sy_alloc(SY_MAX_MOVES, sizeof *texts);
    const char *names[SY_MAX_MOVES + WORDS];
    const unsigned count = sy_generate(&sitting->position, moves);
    for (unsigned i = 0; i < count; i++) {
        names[i] = sy_move_text(sitting->variant, moves[i], texts[i]);
    }
    for (unsigned i = 0; i < WORDS; i++) {
        names[count + i] = words[i].name;
    }
    const char *nearest = sy_nearest_word(text, names, count + WORDS);
    if (nearest) {
        printf("Did you mean %s?\n", nearest);
    } else {
        printf("'moves' lists the legal moves, 'help' the commands.\n");
    }
    free(texts);
}

/* Says what is wrong with the text and what could have been meant. */
static void explain(const struct sitting *sitting, const char *text, struct sy_error *error)
{
    const unsigned from = first_cell(sitting->variant->board, text);
    if (from == SY_NO_CELL) {
        sy_fail(error, SY_BAD_INPUT, "'%s' is neither a move nor a command", text);
    }
    printf("%c%s.\n", toupper((unsigned char)error->message[0]), error->message + 1);
    if (from != SY_NO_CELL && sy_has(sitting->position.side[sitting->position.to_move], from)) {
        printf("The moves from %s:\n", sitting->variant->board->name[from]);
        print_moves(sitting, from);
    } else {
        print_nearest(sitting, text);
    }
}

static void read_move(struct sitting *sitting, const char *text)
{
    struct sy_error error;
    sy_move move;
    const unsigned cell = sy_board_cell(sitting->variant->board, text, strlen(text));
    if (is_over(sitting)) {
        printf("The game is over: 'undo' goes back, 'quit' ends.\n");
    } else if (cell != SY_NO_CELL) {
        print_moves(sitting, cell);
    } else if (sy_move_parse(&sitting->position, text, &move, &error) != SY_OK) {
        explain(sitting, text, &error);
    } else {
        play(sitting, move);
        /* The engine's answer shows the board. */
        if (sitting->person[sitting->position.to_move] || is_over(sitting)) {
            print_board(sitting);
            print_state(sitting);
        }
    }
}

static void obey(struct sitting *sitting, const char *line)
{
    char *text = tidy(line);
    const struct word *word = NULL;
    for (size_t i = 0; i < WORDS; i++) {
        word = strcmp(text, words[i].name) == 0 ? &words[i] : word;
    }
    if (word) {
        word->act(sitting);
    } else if (*text) {
        read_move(sitting, text);
    }
    free(text);
}

/* One line from the person; the end of the input is `quit`. What comes from a file is shown, since no
 * terminal has echoed it. */
static void ask(struct sitting *sitting)
{
    const bool typed = isatty(STDIN_FILENO);
    printf("%s> ", side_name(sitting->position.to_move));
    fflush(stdout);
    const ssize_t length = getline(&sitting->line, &sitting->line_size, stdin);
    if (length < 0) {
        printf("\n");
        sitting->done = true;
    } else {
        sitting->line[strcspn(sitting->line, "\r\n")] = '\0';
        if (!typed) {
            puts(sitting->line);
        }
        obey(sitting, sitting->line);
    }
}

static void answer(struct sitting *sitting)
{
    char text[SY_MOVE_TEXT];
    const struct sy_search_result result = think(sitting);
    const unsigned side = sitting->position.to_move;
    sy_move_text(sitting->variant, result.best, text);
    play(sitting, result.best);
    print_board(sitting);
    printf("%s plays %s", side_name(side), text);
    print_score(&result, side);
    print_state(sitting);
    fflush(stdout);
}

static void converse(struct sitting *sitting)
{
    const bool watched = !sitting->person[SY_WHITE] && !sitting->person[SY_BLACK];
    print_board(sitting);
    print_state(sitting);
    if (!watched) {
        printf("Type a move, or 'help'.\n");
    }
    while (!sitting->done && !ferror(stdout)) {
        const bool over = is_over(sitting);
        if (!over && !sitting->person[sitting->position.to_move]) {
            answer(sitting);
        } else if (watched) {
            return;
        } else {
            ask(sitting);
        }
        if (watched && sitting->count >= LONGEST_WATCHED && !is_over(sitting)) {
            printf("Stopped after %d moves; the game is unfinished.\n", LONGEST_WATCHED);
            return;
        }
    }
}

/* ---- the command ---- */

static enum sy_status read_side(const char *text, struct sitting *sitting, struct sy_error *error)
{
    static const char *const names[] = {"none", "white", "black", "both"};
    for (unsigned i = 0; i < 4; i++) {
        if (strcmp(text, names[i]) == 0) {
            sitting->person[SY_WHITE] = i & 1U;
            sitting->person[SY_BLACK] = i & 2U;
            sitting->turned = i == 2;
            return SY_OK;
        }
    }
    return sy_fail(error, SY_USAGE, "play: side '%s' must be white, black, both or none", text);
}

static enum sy_status read_options(int argc, char **argv, struct sitting *sitting, const char **fen,
                                   struct sy_error *error)
{
    static const struct option options[] = {{"fen", required_argument, NULL, 'f'},
                                            {"nodes", required_argument, NULL, 'n'},
                                            {"side", required_argument, NULL, 's'},
                                            {NULL, 0, NULL, 0}};
    enum sy_status status = SY_OK;
    for (int option; !status && (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        if (option == 'f') {
            *fen = optarg;
        } else if (option == 's') {
            status = read_side(optarg, sitting, error);
        } else if (option != 'n') {
            status = sy_cmd_bad_option(argv, option, error);
        } else if (!sy_parse_u64(optarg, &sitting->limits.nodes) || sitting->limits.nodes == 0) {
            status = sy_fail(error, SY_USAGE, "play: nodes '%s' must be a whole number from 1 on", optarg);
        }
    }
    return status ? status : sy_cmd_arguments(argc, argv, 1, 1, "one VARIANT", error);
}

static void start_engine(struct sitting *sitting)
{
    struct sy_params params;
    sy_params_default(sitting->variant, &params);
    sitting->engine = sy_engine_create(sitting->variant, HASH);
    sy_engine_set_params(sitting->engine, &params);
    sy_engine_new_game(sitting->engine, 0);
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    struct sitting sitting = {.limits = {.nodes = DEFAULT_NODES}, .person = {true, false}};
    const char *fen = NULL;
    enum sy_status status = read_options(argc, argv, &sitting, &fen, error);
    status = status ? status : sy_variant_load(argv[optind], NULL, &sitting.variant, error);
    status =
        status ? status
               : sy_fen_parse(sitting.variant, fen ? fen : sitting.variant->start, &sitting.position, error);
    if (!status) {
        start_engine(&sitting);
        sy_history_push(&sitting.history, sitting.position.key);
        converse(&sitting);
        status = sy_cmd_finish_output(error);
    }
    free(sitting.line);
    free(sitting.played);
    sy_history_clear(&sitting.history);
    sy_engine_free(sitting.engine);
    sy_variant_free(sitting.variant);
    return status;
}

const struct sy_command sy_cmd_play = {
    .name = "play",
    .summary = "play against the engine",
    .help =
        "usage: steelyard play VARIANT [--fen FEN] [--nodes N] [--side white|black|both|none]\n"
        "\n"
        "You play the engine on the terminal. Type moves (FROMTO), a cell's name for the moves from it, or\n"
        "moves, hint, undo, board, flip, fen, help, quit.\n"
        "  --side SIDE  what you play: white (the default), black, both, or none to watch\n"
        "  --nodes N    how many positions the engine looks at for a move (50000)\n",
    .run = run,
};
