/* Views that take over from earlier ones against views opened afresh; the ways to generate, count and number
 * moves against each other; exchanges by their two functions. Random walks over the shipped games, and over
 * games made up so that hoppers, shots and lines round a ring meet. */
#include "steelyard/fen.h"
#include "steelyard/movegen.h"
#include "steelyard/see.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAMES = 8, PLIES = 80 };

static const char hopping[] =
    "{\"pieces\": {\"rook\": {\"moves\": [{\"slide\": \"orthogonal\", \"mode\": \"move\"},"
    "{\"hop\": \"orthogonal\", \"over\": 1, \"mode\": \"capture\"},"
    "{\"hop\": \"orthogonal\", \"over\": 1, \"mode\": \"shoot\"}]},"
    "\"bishop\": {\"moves\": [{\"hop\": \"diagonal\", \"over\": 2}, {\"step\": \"diagonal\", \"mode\": "
    "\"move\"}]},"
    "\"king\": {\"swaps\": \"in check\"}}}";
static const char ringing[] = "{\"pieces\": {\"rook\": {\"moves\": [{\"slide\": \"orthogonal\"}]},"
                              "\"bishop\": {\"moves\": [{\"hop\": \"along\", \"over\": 1, \"mode\": "
                              "\"capture\"}, {\"slide\": \"diagonal\"}]},"
                              "\"dragoon\": {\"moves\": [{\"step\": \"orthogonal\", \"mode\": \"move\"},"
                              "{\"hop\": \"orthogonal\", \"over\": 2, \"mode\": \"shoot\"}]}}}";

static const struct game {
    const char *name, *patch;
} games[] = {{"chess", NULL}, {"glinski", NULL},   {"mccooey", NULL},  {"shafran", NULL},
             {"panal", NULL}, {"sunflower", NULL}, {"chess", hopping}, {"sunflower", ringing}};

static struct sy_variant *load(const struct game *game)
{
    struct sy_json_doc *patch = NULL;
    struct sy_variant *variant = NULL;
    struct sy_error error = {""};
    enum sy_status status =
        game->patch ? sy_json_read("patch", game->patch, strlen(game->patch), &patch, &error) : SY_OK;
    status =
        status ? status : sy_variant_load(game->name, patch ? sy_json_root(patch) : NULL, &variant, &error);
    if (status) {
        fprintf(stderr, "%s\n", error.message);
    }
    CU_ASSERT_EQUAL_FATAL(status, SY_OK);
    sy_json_free(patch);
    return variant;
}

/* Calls the check at every position of random games; returns how many positions it did not like. */
static unsigned walk(const struct game *game,
                     bool (*check)(struct sy_position *position, struct sy_view *views, unsigned ply,
                                   struct sy_random *random))
{
    struct sy_variant *variant = load(game);
    struct sy_view *views = sy_views_create(PLIES + 1);
    struct sy_random random = sy_random_stream(31, strlen(variant->start), 7);
    unsigned wrong = 0, positions = 0;
    for (unsigned number = 0; number < GAMES; number++) {
        struct sy_position position;
        sy_move moves[SY_MAX_MOVES], move = SY_NO_MOVE;
        CU_ASSERT_EQUAL_FATAL(sy_fen_parse(variant, variant->start, &position, NULL), SY_OK);
        for (unsigned ply = 0; ply < PLIES; ply++, positions++) {
            sy_view_open(&views[ply], &position, ply > 0 && sy_view_follows(move) ? &views[ply - 1] : NULL);
            wrong += !check(&position, views, ply, &random);
            const unsigned count = sy_generate(&position, moves);
            if (count == 0) {
                break;
            }
            struct sy_undo undo;
            move = moves[sy_random_below(&random, count)];
            sy_make(&position, move, &undo);
        }
    }
    if (wrong) {
        fprintf(stderr, "%s %s: wrong in %u of %u positions\n", game->name, game->patch ? game->patch : "",
                wrong, positions);
    }
    CU_ASSERT(positions > 100);
    free(views);
    sy_variant_free(variant);
    return wrong;
}

static void walk_all(bool (*check)(struct sy_position *, struct sy_view *, unsigned, struct sy_random *))
{
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        CU_ASSERT_EQUAL(walk(&games[i], check), 0);
    }
}

/* ---- views ---- */

static bool same_guards(const struct sy_view *a, const struct sy_view *b)
{
    return a->check == b->check && a->targets == b->targets && a->shots == b->shots &&
           a->on_guards == b->on_guards && a->guards == b->guards;
}

/* Sides are looked at now and then only, so that views take over from near and far ones. */
static bool takes_over_rightly(struct sy_position *position, struct sy_view *views, unsigned ply,
                               struct sy_random *random)
{
    struct sy_view *view = &views[ply], fresh;
    sy_view_open(&fresh, position, NULL);
    bool right = same_guards(view, &fresh);
    for (unsigned side = 0; side < 2; side++) {
        if (sy_random_below(random, 3) == 0) {
            continue;
        }
        sy_view_know(view, position, side);
        SY_EACH (cell, position->side[side]) {
            struct sy_reached reached;
            sy_view_reach(position->variant, position->piece[cell], cell, sy_occupied(position), &reached);
            const struct sy_reached *kept = view->reached[cell];
            right = right && kept->quiet == reached.quiet && kept->capture == reached.capture &&
                    kept->shot == reached.shot;
        }
    }
    return right;
}

static void views_take_over(void)
{
    walk_all(takes_over_rightly);
}

/* ---- moves ---- */

static int by_number(const void *a, const void *b)
{
    const sy_move x = *(const sy_move *)a, y = *(const sy_move *)b;
    return x < y ? -1 : x > y;
}

static bool same_moves(sy_move *a, unsigned a_count, sy_move *b, unsigned b_count)
{
    qsort(a, a_count, sizeof *a, by_number);
    qsort(b, b_count, sizeof *b, by_number);
    return a_count == b_count && memcmp(a, b, a_count * sizeof *a) == 0;
}

static unsigned keep_safe(const struct sy_view *view, const struct sy_position *position, sy_move *moves,
                          unsigned count)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        if (sy_view_is_safe(view, position, moves[i])) {
            moves[kept++] = moves[i];
        }
    }
    return kept;
}

static bool ways_agree(struct sy_position *position, struct sy_view *views, unsigned ply,
                       struct sy_random *random)
{
    struct sy_view *view = &views[ply];
    static sy_move legal[SY_MAX_MOVES], other[2 * SY_MAX_MOVES];
    (void)random;
    const unsigned count = sy_generate(position, legal);
    if (sy_view_count(view, position) != count) {
        return false;
    }
    for (unsigned n = 0; n < count; n++) {
        other[n] = sy_view_nth(view, position, n);
    }
    bool right = same_moves(legal, count, other, count);
    unsigned both = sy_view_captures(view, position, other);
    both += sy_view_quiets(view, position, other + both);
    right = right && same_moves(legal, count, other, keep_safe(view, position, other, both));
    const unsigned inherited = sy_view_moves(view, position, other);
    right = right && same_moves(legal, count, other, inherited);
    for (unsigned n = 0; n < count; n++) {
        right = right && sy_view_is_legal(view, position, legal[n]);
    }
    return right;
}

static void ways_to_generate_agree(void)
{
    walk_all(ways_agree);
}

/* Quiet moves onto given cells are those of all quiet moves that go there. */
static bool onto_is_a_part(struct sy_position *position, struct sy_view *views, unsigned ply,
                           struct sy_random *random)
{
    struct sy_view *view = &views[ply];
    static sy_move all[SY_MAX_MOVES], part[SY_MAX_MOVES];
    sy_set onto[SY_MAX_TYPES];
    for (unsigned type = 0; type < SY_MAX_TYPES; type++) {
        onto[type] = (sy_set)sy_random_u64(random) << 64 | sy_random_u64(random);
    }
    unsigned wanted = 0;
    const unsigned count = sy_view_quiets(view, position, all);
    for (unsigned i = 0; i < count; i++) {
        const unsigned type = sy_piece_type(position->piece[sy_move_from(all[i])]);
        if (sy_move_kind(all[i]) == SY_MOVE_PLAIN && sy_has(onto[type], sy_move_to(all[i]))) {
            all[wanted++] = all[i];
        }
    }
    return same_moves(all, wanted, part, sy_view_quiets_onto(view, position, onto, part));
}

static void quiets_onto_cells(void)
{
    walk_all(onto_is_a_part);
}

/* ---- exchanges ---- */

static bool reaches_what_it_is(struct sy_position *position, struct sy_view *views, unsigned ply,
                               struct sy_random *random)
{
    static sy_move moves[SY_MAX_MOVES];
    int value[SY_MAX_TYPES];
    (void)views;
    (void)ply;
    for (unsigned type = 0; type < position->variant->types; type++) {
        value[type] = position->variant->type[type].royalty != SY_COMMON
                          ? 20000
                          : 100 + (int)sy_random_below(random, 9) * 100;
    }
    const unsigned count = sy_generate(position, moves);
    bool right = true;
    for (unsigned i = 0; i < count; i++) {
        const int gain = sy_see(position, moves[i], value);
        const int least = (int)sy_random_below(random, 21) * 100 - 1000;
        right = right && sy_see_reaches(position, moves[i], value, least) == (gain >= least) &&
                sy_see_reaches(position, moves[i], value, gain) &&
                !sy_see_reaches(position, moves[i], value, gain + 1);
    }
    return right;
}

static void exchanges_agree(void)
{
    walk_all(reaches_what_it_is);
}

void test_view_suite(void)
{
    CU_pSuite suite = CU_add_suite("view", NULL, NULL);
    CU_add_test(suite, "views take over from earlier ones", views_take_over);
    CU_add_test(suite, "ways to generate agree", ways_to_generate_agree);
    CU_add_test(suite, "quiet moves onto given cells", quiets_onto_cells);
    CU_add_test(suite, "exchanges by value and by bound", exchanges_agree);
}
