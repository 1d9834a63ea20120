/* rules_data: see the header. The data in tests/data were made by independent implementations of the rules;
 * tests/data/README.md says what each file holds. */
#include "rules_data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

bool rules_check(bool ok, const char *file, unsigned line, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    CU_assertImplementation(ok ? CU_TRUE : CU_FALSE, line, message, file, "", CU_FALSE);
    return ok;
}

/* ---- variants ---- */

static struct sy_variant *loaded;
static char loaded_name[64];

void rules_forget(void)
{
    sy_variant_free(loaded);
    loaded = NULL;
    loaded_name[0] = '\0';
}

const struct sy_variant *rules_variant(const char *name)
{
    if (strcmp(name, loaded_name) != 0) {
        struct sy_error error = {""};
        rules_forget();
        const enum sy_status status = sy_variant_load(name, NULL, &loaded, &error);
        if (!CHECK(status == SY_OK, "%s: %s", name, error.message)) {
            CU_FAIL_FATAL("no variant to test");
        }
        snprintf(loaded_name, sizeof loaded_name, "%s", name);
    }
    return loaded;
}

/* ---- lines ---- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void visit_line(struct rules_line *line, const char *text, size_t length, const char *default_variant,
                       void (*visit)(const struct rules_line *line))
{
    struct sy_json_doc *doc;
    struct sy_error error = {""};
    const enum sy_status status = sy_json_read(line->place, text, length, &doc, &error);
    if (!CHECK(status == SY_OK, "%s", error.message)) {
        return;
    }
    line->doc = doc;
    line->object = sy_json_root(doc);
    const char *name = sy_json_string(sy_json_member(line->object, "variant"));
    line->variant = rules_variant(name ? name : default_variant);
    visit(line);
    sy_json_free(doc);
}

unsigned rules_each_line(const char *path, const char *default_variant,
                         void (*visit)(const struct rules_line *line))
{
    char *text;
    size_t length;
    struct sy_error error = {""};
    unsigned number = 0;
    const enum sy_status status = sy_read_file(path, &text, &length, &error);
    if (!CHECK(status == SY_OK, "%s", error.message)) {
        return 0;
    }
    for (const char *start = text; *start;) {
        const size_t bytes = strcspn(start, "\n");
        struct rules_line line;
        snprintf(line.place, sizeof line.place, "%s:%u", file_name(path), ++number);
        visit_line(&line, start, bytes, default_variant, visit);
        start += bytes + (start[bytes] == '\n');
    }
    free(text);
    return number;
}

const char *rules_string(const struct rules_line *line, const char *key)
{
    const char *text = sy_json_string(sy_json_member(line->object, key));
    CHECK(text != NULL, "%s: no '%s'", line->place, key);
    return text ? text : "";
}

double rules_number(const struct rules_line *line, const char *key)
{
    const struct sy_json *member = sy_json_member(line->object, key);
    if (!CHECK(member && sy_json_kind(member) == SY_JSON_NUMBER, "%s: no number '%s'", line->place, key)) {
        return -1;
    }
    return sy_json_number(member);
}

/* ---- games ---- */

bool rules_game_start(struct rules_game *game, const struct sy_variant *variant, const char *fen,
                      const char *place)
{
    struct sy_error error = {""};
    memset(&game->history, 0, sizeof game->history);
    const enum sy_status status = sy_fen_parse(variant, fen ? fen : variant->start, &game->position, &error);
    if (!CHECK(status == SY_OK, "%s: %s", place, error.message)) {
        return false;
    }
    sy_history_push(&game->history, game->position.key);
    return true;
}

bool rules_game_move(struct rules_game *game, const char *word, size_t length, const char *place)
{
    struct sy_error error = {""};
    struct sy_undo undo;
    sy_move move;
    char text[SY_MOVE_TEXT] = "";
    if (!CHECK(length < sizeof text, "%s: a move of %zu bytes", place, length)) {
        return false;
    }
    memcpy(text, word, length);
    const enum sy_status status = sy_move_parse(&game->position, text, &move, &error);
    if (!CHECK(status == SY_OK, "%s: %s: %s", place, text, error.message)) {
        return false;
    }
    sy_make(&game->position, move, &undo);
    sy_history_push(&game->history, game->position.key);
    return true;
}

bool rules_game_play(struct rules_game *game, const char *moves, const char *place)
{
    for (const char *word = moves; *word;) {
        const size_t length = strcspn(word, " ");
        if (!rules_game_move(game, word, length, place)) {
            return false;
        }
        word += length;
        word += strspn(word, " ");
    }
    return true;
}

struct sy_outcome rules_game_outcome(const struct rules_game *game)
{
    return sy_outcome_of(&game->position, &game->history, sy_count_legal(&game->position));
}

void rules_game_end(struct rules_game *game)
{
    sy_history_clear(&game->history);
}

/* ---- positions ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The texts of the legal moves, sorted, against the line's list; names the first that differs. */
static void check_list(const struct rules_line *line, const struct sy_position *position,
                       const struct sy_json *list)
{
    sy_move moves[SY_MAX_MOVES];
    char(*texts)[SY_MOVE_TEXT] = sy_alloc(SY_MAX_MOVES, sizeof *texts);
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++) {
        sy_move_text(position->variant, moves[i], texts[i]);
    }
    qsort(texts, count, sizeof *texts, compare_texts);
    unsigned i = 0;
    for (const struct sy_json *item = sy_json_first(list); item; item = sy_json_next(item), i++) {
        const char *expected = sy_json_string(item);
        if (!CHECK(i < count && expected && strcmp(texts[i], expected) == 0, "%s: move %u is %s, not %s",
                   line->place, i, i < count ? texts[i] : "missing", expected ? expected : "?")) {
            break;
        }
    }
    CHECK(i == count || i < sy_json_count(list), "%s: one move too many: %s", line->place, texts[i]);
    free(texts);
}

static void check_fen(const struct rules_line *line, const struct sy_position *position, const char *expected)
{
    char *fen = sy_fen(position);
    CHECK(strcmp(fen, expected) == 0, "%s: FEN %s, not %s", line->place, fen, expected);
    free(fen);
}

static void check_counts(const struct rules_line *line, struct sy_position *position)
{
    static const char *const keys[] = {"perft2", "perft3", "perft4"};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (sy_json_member(line->object, keys[i])) {
            const uint64_t expected = (uint64_t)rules_number(line, keys[i]);
            const uint64_t found = sy_perft(position, i + 2);
            CHECK(found == expected, "%s: %s is %llu, not %llu", line->place, keys[i],
                  (unsigned long long)found, (unsigned long long)expected);
        }
    }
}

/* None of the positions is over by what is on the board, so only the lack of moves can end the game. */
static enum sy_reason expected_reason(unsigned moves, bool check)
{
    return moves > 0 ? SY_GOING_ON : check ? SY_CHECKMATE : SY_STALEMATE;
}

void rules_check_position(const struct rules_line *line)
{
    struct rules_game game;
    if (!rules_game_start(&game, line->variant, rules_string(line, "fen"), line->place)) {
        return;
    }
    struct sy_position *position = &game.position;
    const unsigned count = sy_count_legal(position);
    const struct sy_json *list = sy_json_member(line->object, "list");
    const bool check = sy_json_true(sy_json_member(line->object, "check"));
    check_fen(line, position, rules_string(line, "fen"));
    CHECK(count == (unsigned)rules_number(line, "moves"), "%s: %u moves, not %g", line->place, count,
          rules_number(line, "moves"));
    CHECK(sy_in_check(position) == check, "%s: %s check", line->place, check ? "not in" : "in");
    CHECK(rules_game_outcome(&game).reason == expected_reason(count, check), "%s: outcome %d", line->place,
          rules_game_outcome(&game).reason);
    if (list) {
        check_list(line, position, list);
    }
    check_counts(line, position);
    check_fen(line, position, rules_string(line, "fen"));
    rules_game_end(&game);
}

/* ---- played games ---- */

/* Length of the first two fields of a FEN: board and side to move. */
static size_t board_and_side(const char *fen)
{
    const size_t board = strcspn(fen, " ");
    return board + 1 + strcspn(fen + board + 1, " ");
}

void rules_check_tournament_game(const struct rules_line *line)
{
    struct rules_game game;
    const char *final_fen = rules_string(line, "final_fen");
    const bool mate = sy_json_true(sy_json_member(line->object, "mate"));
    if (rules_game_start(&game, line->variant, NULL, line->place) &&
        rules_game_play(&game, rules_string(line, "moves"), line->place)) {
        char *fen = sy_fen(&game.position);
        const size_t length = board_and_side(final_fen);
        CHECK(strncmp(fen, final_fen, length) == 0 && fen[length] == ' ', "%s: ends in %s, not %s",
              line->place, fen, final_fen);
        CHECK((rules_game_outcome(&game).reason == SY_CHECKMATE) == mate, "%s: %s", line->place,
              mate ? "not mate" : "mate");
        CHECK(game.history.count == (size_t)rules_number(line, "plies") + 1, "%s: plies", line->place);
        free(fen);
    }
    rules_game_end(&game);
}

/* ---- perft ---- */

static void check_depths(const struct sy_variant *variant, const char *fen, const struct sy_json *counts,
                         uint64_t more_than, uint64_t at_most)
{
    struct sy_position position;
    struct sy_error error = {""};
    const enum sy_status status = sy_fen_parse(variant, fen, &position, &error);
    unsigned depth = 0;
    if (!CHECK(status == SY_OK, "%s: %s", variant->name, error.message)) {
        return;
    }
    for (const struct sy_json *item = sy_json_first(counts); item; item = sy_json_next(item)) {
        const uint64_t expected = (uint64_t)sy_json_number(item);
        depth++;
        if (expected > more_than && expected <= at_most) {
            const uint64_t found = sy_perft(&position, depth);
            CHECK(found == expected, "%s %s: perft %u is %llu, not %llu", variant->name, fen, depth,
                  (unsigned long long)found, (unsigned long long)expected);
        }
    }
}

void rules_check_perft(uint64_t more_than, uint64_t at_most)
{
    struct sy_json_doc *doc;
    struct sy_error error = {""};
    const enum sy_status status = sy_json_read_file("tests/data/perft.json", &doc, &error);
    if (!CHECK(status == SY_OK, "%s", error.message)) {
        return;
    }
    const struct sy_json *starts = sy_json_member(sy_json_root(doc), "start");
    const struct sy_json *positions = sy_json_member(sy_json_root(doc), "positions");
    for (const struct sy_json *item = sy_json_first(starts); item; item = sy_json_next(item)) {
        const struct sy_variant *variant = rules_variant(sy_json_key(item));
        check_depths(variant, variant->start, item, more_than, at_most);
    }
    for (const struct sy_json *item = sy_json_first(positions); item; item = sy_json_next(item)) {
        const struct sy_variant *variant = rules_variant(sy_json_string(sy_json_member(item, "variant")));
        check_depths(variant, sy_json_string(sy_json_member(item, "fen")), sy_json_member(item, "counts"),
                     more_than, at_most);
    }
    sy_json_free(doc);
}

/* ---- problems ---- */

static bool forces_mate(struct sy_position *position, sy_move move, unsigned moves);

static bool can_force_mate(struct sy_position *position, unsigned moves)
{
    sy_move list[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, list);
    for (unsigned i = 0; i < count; i++) {
        if (forces_mate(position, list[i], moves)) {
            return true;
        }
    }
    return false;
}

static bool every_reply_loses(struct sy_position *position, unsigned moves)
{
    sy_move list[SY_MAX_MOVES];
    const unsigned count = sy_generate(position, list);
    bool lost = moves > 1 || count == 0;
    for (unsigned i = 0; lost && i < count; i++) {
        struct sy_undo undo;
        sy_make(position, list[i], &undo);
        lost = can_force_mate(position, moves - 1);
        sy_unmake(position, list[i], &undo);
    }
    return lost && (count > 0 || sy_in_check(position));
}

/* Does the move mate in at most that many moves, itself included, whatever the replies? */
static bool forces_mate(struct sy_position *position, sy_move move, unsigned moves)
{
    struct sy_undo undo;
    sy_make(position, move, &undo);
    const bool mates = every_reply_loses(position, moves);
    sy_unmake(position, move, &undo);
    return mates;
}

static bool is_listed(const struct sy_json *list, const char *text)
{
    for (const struct sy_json *item = sy_json_first(list); item; item = sy_json_next(item)) {
        if (strcmp(sy_json_string(item), text) == 0) {
            return true;
        }
    }
    return false;
}

void rules_check_problem(const struct rules_line *line)
{
    struct rules_game game;
    const unsigned mate_in = (unsigned)rules_number(line, "mate_in");
    const struct sy_json *keys = sy_json_member(line->object, "keys");
    sy_move moves[SY_MAX_MOVES];
    char text[SY_MOVE_TEXT];
    if (!rules_game_start(&game, line->variant, rules_string(line, "fen"), line->place)) {
        return;
    }
    const unsigned count = sy_generate(&game.position, moves);
    for (unsigned i = 0; i < count; i++) {
        sy_move_text(line->variant, moves[i], text);
        CHECK(forces_mate(&game.position, moves[i], mate_in) == is_listed(keys, text), "%s: %s: a key or not",
              line->place, text);
    }
    rules_game_end(&game);
}
