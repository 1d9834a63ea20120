/* The legal moves, which are found by counting pieces on lines, against the plain definition: make the move
 * and see whether the royal can be captured. On games made up for it too, where hoppers, shots, leapers over
 * several pieces and lines round a ring (two between the same cells) meet. */
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 12, PLIES = 60 };

static struct sy_variant *load(const char *name, const char *patch_text)
{
    struct sy_json_doc *patch = NULL;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    enum sy_status status =
        patch_text ? sy_json_read("patch", patch_text, strlen(patch_text), &patch, &error) : SY_OK;
    status = status ? status : sy_variant_load(name, patch ? sy_json_root(patch) : NULL, &variant, &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
    }
    CU_ASSERT_EQUAL_FATAL(status, SY_OK);
    sy_json_free(patch);
    return variant;
}

static bool leaves_royal_safe(const struct sy_position *position, sy_move move)
{
    struct sy_position after = *position;
    struct sy_undo undo;
    sy_make(&after, move, &undo);
    const unsigned us = position->to_move, royal = after.royal[us];
    return royal == SY_NO_CELL || !sy_attacked(&after, royal, us ^ 1U, sy_occupied(&after));
}

static unsigned add_safe(const struct sy_position *position, unsigned from, sy_set targets,
                         enum sy_move_kind kind, sy_move *moves, unsigned count)
{
    const unsigned code = position->piece[from];
    const struct sy_type *type = &position->variant->type[sy_piece_type(code)];
    while (targets) {
        const unsigned to = sy_pop(&targets);
        const bool promotes =
            kind == SY_MOVE_PLAIN && sy_has(position->variant->piece[code].promotion_zone, to);
        for (unsigned i = 0; i < (promotes ? type->promotion_count : 1U); i++) {
            const sy_move move = sy_move_make(from, to, promotes ? SY_MOVE_PROMOTION : kind,
                                              promotes ? type->promotions[i] : 0);
            if (leaves_royal_safe(position, move)) {
                moves[count++] = move;
            }
        }
    }
    return count;
}

/* Plain moves, promotions and shots by definition. */
static unsigned by_definition(const struct sy_position *position, sy_move *moves)
{
    const struct sy_variant *variant = position->variant;
    const sy_set enemy = position->side[position->to_move ^ 1U];
    unsigned count = 0;
    for (sy_set own = position->side[position->to_move]; own;) {
        const unsigned from = sy_pop(&own);
        const struct sy_piece *piece = &variant->piece[position->piece[from]];
        const struct sy_reach *reach = &piece->reach[from];
        const sy_set occupied = sy_occupied(position);
        sy_set depends = SY_EMPTY_SET;
        const sy_set shots = (reach->shot_leap | sy_slide(variant, &reach->shot, occupied) |
                              sy_hop_reach(variant, &reach->shot, occupied, &depends)) &
                             enemy;
        const sy_set captures = (reach->capture_leap | sy_slide(variant, &reach->both, occupied) |
                                 sy_slide(variant, &reach->capture, occupied) |
                                 sy_hop_reach(variant, &reach->both, occupied, &depends) |
                                 sy_hop_reach(variant, &reach->capture, occupied, &depends)) &
                                enemy;
        count =
            add_safe(position, from, captures | sy_quiet_reach(position, from), SY_MOVE_PLAIN, moves, count);
        count = add_safe(position, from, shots, SY_MOVE_SHOT, moves, count);
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    const sy_move one = *(const sy_move *)a, two = *(const sy_move *)b;
    return (one > two) - (one < two);
}

static bool is_rare(sy_move move)
{
    const enum sy_move_kind kind = sy_move_kind(move);
    return kind == SY_MOVE_EN_PASSANT || kind == SY_MOVE_CASTLE || kind == SY_MOVE_SWAP;
}

/* True when the two lists agree; the rare kinds are checked for safety alone. */
static bool agrees(const struct sy_position *position, const sy_move *legal, unsigned count)
{
    sy_move common[SY_MAX_MOVES], defined[SY_MAX_MOVES];
    unsigned commons = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!is_rare(legal[i])) {
            common[commons++] = legal[i];
        } else if (!leaves_royal_safe(position, legal[i])) {
            return false;
        }
    }
    const unsigned expected = by_definition(position, defined);
    qsort(common, commons, sizeof *common, by_number);
    qsort(defined, expected, sizeof *defined, by_number);
    return commons == expected && memcmp(common, defined, commons * sizeof *common) == 0;
}

static void compare(const char *name, const char *patch)
{
    struct sy_variant *variant = load(name, patch);
    struct sy_random random = sy_random_stream(77, strlen(name), 0);
    unsigned differing = 0, positions = 0, in_check = 0;
    for (unsigned game = 0; game < GAMES; game++) {
        struct sy_position position;
        CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, NULL), SY_OK);
        for (unsigned ply = 0; ply < PLIES; ply++) {
            sy_move moves[SY_MAX_MOVES];
            struct sy_undo undo;
            const unsigned count = sy_generate(&position, moves);
            if (count == 0) {
                break;
            }
            differing += !agrees(&position, moves, count) || sy_count_legal(&position) != count;
            in_check += sy_in_check(&position);
            positions++;
            /* Captures preferred now and then, so that boards get empty and lines open. */
            sy_move captures[SY_MAX_MOVES];
            const unsigned takes = sy_generate_captures(&position, captures);
            const bool take = takes && sy_random_below(&random, 3) == 0;
            sy_make(&position,
                    take ? captures[sy_random_below(&random, takes)] : moves[sy_random_below(&random, count)],
                    &undo);
        }
    }
    if (differing) {
        fprintf(stderr, "%s %s: %u of %u positions differ\n", name, patch ? patch : "", differing, positions);
    }
    CU_ASSERT_EQUAL(differing, 0);
    CU_ASSERT(positions > 100);
    CU_ASSERT(in_check > 0);
    sy_variant_free(variant);
}

static void test_shipped(void)
{
    compare("chess", NULL);
    compare("glinski", NULL);
    compare("mccooey", NULL);
    compare("shafran", NULL);
    compare("panal", NULL);
    compare("sunflower", NULL);
}

/* Rooks that hop over one piece and bishops over two, on the square board. */
static void test_hoppers_on_squares(void)
{
    compare("chess", "{\"pieces\": {\"rook\": {\"moves\": [{\"slide\": \"orthogonal\", \"mode\": \"move\"},"
                     "{\"hop\": \"orthogonal\", \"over\": 1, \"mode\": \"capture\"},"
                     "{\"hop\": \"orthogonal\", \"over\": 1, \"mode\": \"shoot\"}]},"
                     "\"bishop\": {\"moves\": [{\"hop\": \"diagonal\", \"over\": 2},"
                     "{\"step\": \"diagonal\", \"mode\": \"move\"}]}}}");
}

/* On the ring two lines join the same cells: unlimited rooks, and hoppers round the track. */
static void test_rings(void)
{
    compare("sunflower", "{\"pieces\": {\"rook\": {\"moves\": [{\"slide\": \"orthogonal\"}]},"
                         "\"bishop\": {\"moves\": [{\"hop\": \"along\", \"over\": 1, \"mode\": \"capture\"},"
                         "{\"slide\": \"diagonal\"}]},"
                         "\"dragoon\": {\"moves\": [{\"step\": \"orthogonal\", \"mode\": \"move\"},"
                         "{\"hop\": \"orthogonal\", \"over\": 2, \"mode\": \"shoot\"}]}}}");
}

/* A royal that slides, shooting sliders, and captures at a distance only. */
static void test_odd_pieces(void)
{
    compare("glinski",
            "{\"pieces\": {\"king\": {\"moves\": [{\"slide\": \"orthogonal\", \"range\": 2}]},"
            "\"knight\": {\"moves\": [{\"leap\": {\"distance\": 3}, \"mode\": \"capture\"},"
            "{\"step\": \"orthogonal\", \"mode\": \"move\"}]},"
            "\"rook\": {\"moves\": [{\"slide\": \"orthogonal\", \"mode\": \"shoot\", \"range\": 4},"
            "{\"slide\": \"orthogonal\", \"mode\": \"move\"}]}}}");
}

void test_movegen_suite(void)
{
    CU_pSuite suite = CU_add_suite("movegen", NULL, NULL);
    CU_add_test(suite, "the shipped games by definition", test_shipped);
    CU_add_test(suite, "hoppers on squares", test_hoppers_on_squares);
    CU_add_test(suite, "rings", test_rings);
    CU_add_test(suite, "odd pieces", test_odd_pieces);
}
