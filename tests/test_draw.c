/* Tests of draw: cells fit together, and every picture of every game is well-formed and complete. */
#include "rules_data.h"

#include "steelyard/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/CUnit.h>

static const char *const games[] = {
    "chess", "glinski", "mccooey", "panal", "shafran", "sunflower", "tests/data/written.json"};
enum { GAMES = sizeof games / sizeof *games };

static int forget(void)
{
    rules_forget();
    return 0;
}

static unsigned count(const char *text, const char *word)
{
    unsigned found = 0;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        found++;
    }
    return found;
}

/* ---- cells ---- */

/* On which side of the outline's edges is the point? The least signed distance, positive inside. */
static double depth_inside(const struct sy_polygon *outline, double x, double y)
{
    double least = INFINITY;
    for (unsigned i = 0; i < outline->corners; i++) {
        const unsigned j = (i + 1) % outline->corners;
        const double dx = outline->x[j] - outline->x[i], dy = outline->y[j] - outline->y[i];
        /* Clockwise: the inside is at the right. */
        least = fmin(least, (dy * (x - outline->x[i]) - dx * (y - outline->y[i])) / hypot(dx, dy));
    }
    return least;
}

static unsigned shared_corners(const struct sy_polygon *a, const struct sy_polygon *b)
{
    unsigned shared = 0;
    for (unsigned i = 0; i < a->corners; i++) {
        for (unsigned j = 0; j < b->corners; j++) {
            shared += hypot(a->x[i] - b->x[j], a->y[i] - b->y[j]) < 1e-9;
        }
    }
    return shared;
}

static void check_cell(const struct sy_board *board, unsigned cell, const struct sy_polygon *outlines,
                       double room)
{
    const struct sy_polygon *outline = &outlines[cell];
    const bool discs = strcmp(board->kind, "cells") == 0;
    CHECK(outline->corners == (discs ? (unsigned)SY_MAX_CORNERS : board->edges), "%s: %u corners",
          board->name[cell], outline->corners);
    CHECK(depth_inside(outline, board->x[cell], board->y[cell]) > room, "%s: its centre is not well inside",
          board->name[cell]);
    for (unsigned other = 0; other < board->cells; other++) {
        if (other == cell) {
            continue;
        }
        const bool adjacent = board->distance[cell][other] == 1 && !discs;
        const unsigned shared = shared_corners(outline, &outlines[other]);
        CHECK(adjacent ? shared == 2 : shared < 2, "%s and %s share %u corners", board->name[cell],
              board->name[other], shared);
        for (unsigned i = 0; i < outline->corners; i++) {
            CHECK(depth_inside(&outlines[other], outline->x[i], outline->y[i]) < 1e-9, "%s reaches into %s",
                  board->name[cell], board->name[other]);
        }
    }
}

static void check_board(const struct sy_board *board, double room)
{
    struct sy_polygon outlines[SY_MAX_CELLS];
    for (unsigned cell = 0; cell < board->cells; cell++) {
        sy_draw_cell(board, cell, &outlines[cell]);
    }
    for (unsigned cell = 0; cell < board->cells; cell++) {
        check_cell(board, cell, outlines, room);
    }
}

static void test_cells(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        check_board(rules_variant(games[i])->board, 0.35);
    }
}

/* Other boards of every kind: thin, small, with few and with many sectors. */
static void test_odd_boards(void)
{
    static const char *const texts[] = {
        "{\"kind\": \"square\", \"files\": 1, \"ranks\": 1}",
        "{\"kind\": \"square\", \"files\": 2, \"ranks\": 12}",
        "{\"kind\": \"hexagon\", \"layout\": \"rows\", \"sides\": [1, 1, 1], \"letters\": \"a\"}",
        "{\"kind\": \"hexagon\", \"layout\": \"columns\", \"sides\": [1, 4, 2], \"letters\": \"abc\"}",
        ("{\"kind\": \"hexagon\", \"layout\": \"rows\", \"sides\": [3, 2, 4], \"letters\": "
         "\"abcdefghijklmnop\"}"),
        "{\"kind\": \"radial\", \"sectors\": 3, \"tracks\": \"abc\"}",
        "{\"kind\": \"radial\", \"sectors\": 6, \"tracks\": \"abcde\"}",
        "{\"kind\": \"radial\", \"sectors\": 12, \"tracks\": \"abc\"}",
        "{\"kind\": \"radial\", \"sectors\": 26, \"tracks\": \"a\"}"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sy_json_doc *doc;
        struct sy_board *board;
        struct sy_error error;
        CU_ASSERT_EQUAL_FATAL(sy_json_read("board", texts[i], strlen(texts[i]), &doc, &error), SY_OK);
        const bool made = sy_board_create(doc, sy_json_root(doc), &board, &error) == SY_OK;
        if (CHECK(made, "%s: %s", texts[i], error.message)) {
            check_board(board, 0.1);
            free(board);
        }
        sy_json_free(doc);
    }
}

/* ---- well-formed? ---- */

struct xml {
    const char *at;
    char open[32][24]; /* names of the elements that are open */
    unsigned depth;
};

/* An entity at `at`? XML knows five, of which the pictures need four. */
static bool is_entity(const char *at)
{
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;"};
    for (unsigned i = 0; i < 4; i++) {
        if (strncmp(at, entities[i], strlen(entities[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_word(struct xml *xml, char word[24])
{
    const size_t length = strspn(xml->at, "abcdefghijklmnopqrstuvwxyzB-:1234567890");
    if (length == 0 || length >= 24) {
        return false;
    }
    memcpy(word, xml->at, length);
    word[length] = '\0';
    xml->at += length;
    return true;
}

/* name="value" */
static bool read_attribute(struct xml *xml)
{
    char word[24];
    if (!read_word(xml, word) || strncmp(xml->at, "=\"", 2) != 0) {
        return false;
    }
    for (xml->at += 2; *xml->at != '"'; xml->at++) {
        if (*xml->at == '\0' || *xml->at == '<' || (*xml->at == '&' && !is_entity(xml->at))) {
            return false;
        }
    }
    xml->at++;
    return true;
}

static bool read_tag(struct xml *xml)
{
    char word[24];
    if (*++xml->at == '/') {
        xml->at++;
        return read_word(xml, word) && *xml->at++ == '>' && xml->depth > 0 &&
               strcmp(xml->open[--xml->depth], word) == 0;
    }
    if (!read_word(xml, word)) {
        return false;
    }
    while (*xml->at == ' ') {
        xml->at++;
        if (*xml->at != '/' && !read_attribute(xml)) {
            return false;
        }
    }
    if (*xml->at == '/') {
        xml->at += 2;
        return xml->at[-1] == '>';
    }
    if (*xml->at++ != '>' || xml->depth == 32) {
        return false;
    }
    strcpy(xml->open[xml->depth++], word);
    return true;
}

static bool is_well_formed(const char *text)
{
    struct xml xml = {.at = text};
    while (*xml.at) {
        const unsigned char here = (unsigned char)*xml.at;
        if (here == '<') {
            if (!read_tag(&xml)) {
                return false;
            }
        } else if ((here < 0x20 && here != '\n') || (here == '&' && !is_entity(xml.at)) ||
                   (xml.depth == 0 && here != '\n')) {
            return false;
        } else {
            xml.at++;
        }
    }
    return xml.depth == 0;
}

/* Well-formed, with a title and a description, no number that is none, nothing that could clash in a page. */
static void check_picture(const char *name, const char *svg)
{
    CHECK(is_well_formed(svg), "%s: not well-formed: %.200s", name, svg);
    CHECK(strncmp(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"", 50) == 0, "%s: %.60s", name,
          svg);
    CHECK(count(svg, "<title>") == 1 && count(svg, "<desc>") == 1, "%s: no title or description", name);
    CHECK(!strstr(svg, "nan") && !strstr(svg, "inf"), "%s: a number is none", name);
    CHECK(!strstr(svg, " id=") && !strstr(svg, "<style"), "%s: an id or a style sheet", name);
}

/* ---- positions ---- */

static void check_start(const char *name)
{
    const struct sy_variant *variant = rules_variant(name);
    struct sy_position position;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, &error), SY_OK);
    char *svg = sy_draw_position(&position, NULL), *again = sy_draw_position(&position, NULL);
    check_picture(name, svg);
    CU_ASSERT_STRING_EQUAL(svg, again);
    CU_ASSERT_EQUAL(count(svg, "<polygon"), variant->cells);
    CU_ASSERT_EQUAL(count(svg, "<g transform"), (unsigned)sy_count(sy_occupied(&position)));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "White to move."));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, variant->board->name[sy_lowest(position.side[SY_WHITE])]));
    free(svg);
    free(again);
}

static void test_starts(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        check_start(games[i]);
    }
}

/* Every move of every piece is drawn along some moves of a game. */
static void check_moves(const struct sy_position *position, sy_move last)
{
    for (unsigned cell = 0; cell < position->variant->cells; cell++) {
        sy_move moves[SY_MAX_MOVES];
        const struct sy_drawing drawing = {.last = last, .moves_of = cell, .turned = cell % 2};
        char *svg = sy_draw_position(position, &drawing);
        check_picture(position->variant->name, svg);
        CU_ASSERT_EQUAL(strstr(svg, ">moves</text>") || strstr(svg, ">captures</text>") ||
                            strstr(svg, ">shoots</text>") || strstr(svg, ">changes places</text>"),
                        sy_draw_moves_of(position, cell, moves) > 0);
        free(svg);
    }
}

static void test_marks(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        struct rules_game game;
        sy_move moves[SY_MAX_MOVES], last = SY_NO_MOVE;
        if (!rules_game_start(&game, rules_variant(games[i]), NULL, games[i])) {
            continue;
        }
        for (unsigned ply = 0; ply < 12; ply++) {
            struct sy_undo undo;
            const unsigned legal = sy_generate(&game.position, moves);
            CU_ASSERT_FATAL(legal > 0);
            last = moves[(ply * 7 + i) % legal];
            sy_make(&game.position, last, &undo);
        }
        check_moves(&game.position, last);
        rules_game_end(&game);
    }
}

/* The picture of a position with the moves of one piece; a new string. */
static char *picture_of(const char *game, const char *fen, const char *cell)
{
    const struct sy_variant *variant = rules_variant(game);
    struct sy_position position;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, fen, &position, &error), SY_OK);
    const struct sy_drawing drawing = {.moves_of = sy_board_cell(variant->board, cell, strlen(cell))};
    char *svg = sy_draw_position(&position, &drawing);
    check_picture(game, svg);
    return svg;
}

static void test_shots_and_swaps(void)
{
    char *svg = picture_of("panal", "mg1gp/1hhhh1/1sssss1/8/9/4s3/1SS1SS1/1HHHH1/PG1GM w - 0 1", "g1");
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "Moves of g1: g1j4 g1*j4 g1i1."));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">shoots</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">captures</text>"));
    CU_ASSERT_PTR_NULL(strstr(svg, ">changes places</text>"));
    free(svg);
    svg = picture_of("panal", "m4/6/7/8/9/8/7/S3S1/P1p1M w - 0 1", "m1");
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "White to move, in check."));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "#b3261e"));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, ">changes places</text>"));
    CU_ASSERT_PTR_NULL(strstr(svg, ">moves</text>"));
    free(svg);
}

/* The piece of the side that is not to move is drawn as if it were. */
static void test_moves_out_of_turn(void)
{
    const struct sy_variant *variant = rules_variant("chess");
    struct sy_position position;
    struct sy_error error;
    sy_move moves[SY_MAX_MOVES];
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, &error), SY_OK);
    CU_ASSERT_EQUAL(sy_draw_moves_of(&position, sy_board_cell(variant->board, "e2", 2), moves), 2);
    CU_ASSERT_EQUAL(sy_draw_moves_of(&position, sy_board_cell(variant->board, "g8", 2), moves), 2);
    CU_ASSERT_EQUAL(sy_draw_moves_of(&position, sy_board_cell(variant->board, "e4", 2), moves), 0);
    CU_ASSERT_EQUAL(position.to_move, SY_WHITE);
}

static void test_endings(void)
{
    char *svg = picture_of("chess", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", "a8");
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "Over: checkmate, White scores 1."));
    free(svg);
}

static void test_escaping(void)
{
    const struct sy_variant *variant = rules_variant("chess");
    struct sy_position position;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, &error), SY_OK);
    const struct sy_drawing drawing = {.title = "<b>\"&\x01\xff\xef\xbf\xbf caf\xc3\xa9",
                                       .moves_of = SY_NO_CELL};
    char *svg = sy_draw_position(&position, &drawing);
    check_picture("escaping", svg);
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "<title>&lt;b&gt;&quot;&amp;??? caf\xc3\xa9</title>"));
    free(svg);
}

/* ---- heat ---- */

static void test_mobility(void)
{
    const struct sy_variant *variant = rules_variant("chess");
    const struct sy_board *board = variant->board;
    double value[SY_MAX_CELLS];
    sy_draw_mobility(variant, sy_variant_type(variant, 'N'), value);
    CU_ASSERT_EQUAL(value[sy_board_cell(board, "a1", 2)], 2);
    CU_ASSERT_EQUAL(value[sy_board_cell(board, "d4", 2)], 8);
    sy_draw_mobility(variant, sy_variant_type(variant, 'R'), value);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        CU_ASSERT_EQUAL(value[cell], 14);
    }
}

static void check_heat(const char *name)
{
    const struct sy_variant *variant = rules_variant(name);
    for (unsigned type = 0; type < variant->types; type++) {
        struct sy_heat heat = {.title = NULL, .measure = "cells & more", .turned = type % 2};
        sy_draw_mobility(variant, type, heat.value);
        heat.value[0] = NAN;
        char *svg = sy_draw_heat(variant, &heat);
        check_picture(name, svg);
        CU_ASSERT_EQUAL(count(svg, "<polygon"), variant->cells);
        /* The cell without a number, and the ground. */
        CU_ASSERT_EQUAL(count(svg, "\" fill=\"#fff\"/>"), 2);
        CU_ASSERT_EQUAL(count(svg, ">cells &amp; more</text>"), 1);
        free(svg);
    }
}

static void test_heat(void)
{
    for (unsigned i = 0; i < GAMES; i++) {
        check_heat(games[i]);
    }
}

/* Few, small, equal, large, negative or no numbers. */
static void test_heat_ranges(void)
{
    static const double factors[] = {0, 1e-6, 0.013, 1, 1e4, 1e12, -3.7};
    const struct sy_variant *variant = rules_variant("panal");
    struct sy_heat heat = {.title = "ranges", .measure = "numbers"};
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++) {
        for (unsigned cell = 0; cell < variant->cells; cell++) {
            heat.value[cell] = factors[i] * (cell + 0.25);
        }
        char *svg = sy_draw_heat(variant, &heat);
        check_picture("ranges", svg);
        const unsigned ticks = count(svg, "v5\" stroke");
        CHECK(factors[i] == 0 ? ticks == 1 : ticks >= 4 && ticks <= 8, "%g: %u ticks", factors[i], ticks);
        free(svg);
    }
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        heat.value[cell] = NAN;
    }
    char *svg = sy_draw_heat(variant, &heat);
    check_picture("none", svg);
    free(svg);
}

/* On a scale that is given, and with numbers from small to large. */
static void test_heat_scale(void)
{
    const struct sy_variant *variant = rules_variant("chess");
    struct sy_heat heat = {.title = "scale", .measure = "numbers", .low = 0, .high = 40};
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        heat.value[cell] = 0.3 * cell;
    }
    char *svg = sy_draw_heat(variant, &heat);
    check_picture("scale", svg);
    CU_ASSERT_EQUAL(count(svg, ">40</text>"), 1);
    CU_ASSERT_EQUAL(count(svg, ">0.3</text>"), 1);
    CU_ASSERT_EQUAL(count(svg, ">9.3</text>"), 1);
    CU_ASSERT_EQUAL(count(svg, ">18.9</text>"), 0);
    /* 18.9 of 40 is not dark enough for white figures. */
    CU_ASSERT_EQUAL(count(svg, "fill=\"#fff\">"), 0);
    free(svg);
}

/* ---- text ---- */

static char *start_text(const char *name, bool turned)
{
    const struct sy_variant *variant = rules_variant(name);
    struct sy_position position;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, &error), SY_OK);
    const struct sy_drawing drawing = {.moves_of = SY_NO_CELL, .turned = turned};
    return sy_draw_position_text(&position, &drawing);
}

static void test_square_text(void)
{
    char *text = start_text("chess", false);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 8    r n b q k b n r\n 7    p p p p p p p p\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 1    R N B Q K B N R\n      a b c d e f g h\n"));
    free(text);
    text = start_text("chess", true);
    CU_ASSERT_EQUAL(strncmp(text, " 1    R N B K Q B N R\n", 22), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "      h g f e d c b a\n"));
    free(text);
}

/* Each piece is there, and each empty cell's name once, set apart by spaces. */
static void check_text(const char *name)
{
    const struct sy_variant *variant = rules_variant(name);
    struct sy_position position;
    struct sy_error error;
    CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, &error), SY_OK);
    char *text = start_text(name, false);
    CU_ASSERT_EQUAL(count(text, "["), (unsigned)sy_count(position.side[SY_WHITE]));
    CU_ASSERT_EQUAL(count(text, "("), (unsigned)sy_count(position.side[SY_BLACK]));
    unsigned words = 0;
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
        const unsigned cell = sy_board_cell(variant->board, word, strlen(word));
        const bool piece = strlen(word) == 3 && strchr("[(", *word);
        CHECK(piece || (cell != SY_NO_CELL && position.piece[cell] == SY_NO_PIECE), "%s: '%s'", name, word);
        words++;
    }
    CU_ASSERT_EQUAL(words, variant->cells);
    free(text);
}

static void test_other_text(void)
{
    for (unsigned i = 1; i < GAMES; i++) {
        check_text(games[i]);
    }
}

static void test_heat_text(void)
{
    const struct sy_variant *variant = rules_variant("chess");
    struct sy_heat heat = {.measure = "cells"};
    sy_draw_mobility(variant, sy_variant_type(variant, 'N'), heat.value);
    heat.value[0] = NAN;
    char *text = sy_draw_heat_text(variant, &heat);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 4    4 6 8 8 8 8 6 4\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 1    - 3 4 4 4 4 3 2\n"));
    free(text);
}

void test_draw_suite(void)
{
    CU_pSuite suite = CU_add_suite("draw", NULL, forget);
    CU_add_test(suite, "cells fit together", test_cells);
    CU_add_test(suite, "odd boards", test_odd_boards);
    CU_add_test(suite, "starts", test_starts);
    CU_add_test(suite, "marks of moves", test_marks);
    CU_add_test(suite, "shots and swaps", test_shots_and_swaps);
    CU_add_test(suite, "moves out of turn", test_moves_out_of_turn);
    CU_add_test(suite, "endings", test_endings);
    CU_add_test(suite, "escaping", test_escaping);
    CU_add_test(suite, "mobility", test_mobility);
    CU_add_test(suite, "heat maps", test_heat);
    CU_add_test(suite, "ranges of heat", test_heat_ranges);
    CU_add_test(suite, "a scale for heat", test_heat_scale);
    CU_add_test(suite, "square boards as text", test_square_text);
    CU_add_test(suite, "other boards as text", test_other_text);
    CU_add_test(suite, "heat as text", test_heat_text);
}
