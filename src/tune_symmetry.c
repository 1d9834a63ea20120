/* The symmetries of a board and the pieces on it, found from the moves alone.
 *
 * Cells are coloured by what distinguishes them, finer and finer (colour refinement: B. Weisfeiler, A. Leman,
 * Nauchno-Tekhn. Inf. 2 (1968)). A symmetry that takes cell a to cell b is looked for by marking a in one
 * copy of the board and b in another; colours are hashes, so that equal ones mean the same in both. When all
 * cells of a copy differ, the colours themselves are the map, which is then checked move by move. */
#include "steelyard/tune.h"

#include <string.h>

enum { ROUNDS = 16, MARK = 1 };

struct board {
    const struct sy_variant *variant;
    sy_set reach[SY_MAX_PIECES][SY_MAX_CELLS];
};

struct colouring {
    uint64_t colour[SY_MAX_CELLS];
};

static void refine(const struct board *board, struct colouring *colouring)
{
    const unsigned cells = board->variant->cells, pieces = 2 * board->variant->types;
    for (int round = 0; round < ROUNDS; round++) {
        struct colouring next;
        for (unsigned cell = 0; cell < cells; cell++) {
            uint64_t hash = sy_mix64(colouring->colour[cell]);
            for (unsigned piece = 0; piece < pieces; piece++) {
                uint64_t sum = piece; /* a sum: the order of cells must not matter */
                SY_EACH (to, board->reach[piece][cell]) {
                    sum += sy_mix64(colouring->colour[to] + piece);
                }
                hash = sy_mix64(hash ^ sum);
            }
            next.colour[cell] = hash;
        }
        *colouring = next;
    }
}

static void mark(const struct board *board, struct colouring *colouring, unsigned cell)
{
    colouring->colour[cell] ^= sy_mix64(MARK);
    refine(board, colouring);
}

static bool is_symmetry(const struct board *board, const uint8_t map[SY_MAX_CELLS])
{
    for (unsigned piece = 0; piece < 2 * board->variant->types; piece++)
        for (unsigned cell = 0; cell < board->variant->cells; cell++) {
            sy_set image = SY_EMPTY_SET;
            SY_EACH (to, board->reach[piece][cell]) {
                image |= sy_bit(map[to]);
            }
            if (image != board->reach[piece][map[cell]])
                return false;
        }
    return true;
}

/* The cell of that colour; SY_NO_CELL when there is none. *several: there is another one. */
static unsigned cell_of(const struct colouring *colouring, unsigned cells, uint64_t colour, bool *several)
{
    unsigned found = SY_NO_CELL;
    for (unsigned cell = 0; cell < cells; cell++)
        if (colouring->colour[cell] == colour) {
            *several = *several || found != SY_NO_CELL;
            found = found == SY_NO_CELL ? cell : found;
        }
    return found;
}

/* Is there a symmetry that takes each cell to one of its colour? */
static bool can_match(const struct board *board, const struct colouring *from, const struct colouring *to)
{
    const unsigned cells = board->variant->cells;
    uint8_t map[SY_MAX_CELLS];
    for (unsigned cell = 0; cell < cells; cell++) {
        bool several = false;
        const unsigned image = cell_of(to, cells, from->colour[cell], &several);
        if (image == SY_NO_CELL)
            return false;
        if (several) {
            for (unsigned other = 0; other < cells; other++) {
                if (to->colour[other] != from->colour[cell])
                    continue;
                struct colouring one = *from, two = *to;
                mark(board, &one, cell);
                mark(board, &two, other);
                if (can_match(board, &one, &two))
                    return true;
            }
            return false;
        }
        map[cell] = (uint8_t)image;
    }
    return is_symmetry(board, map);
}

void sy_tune_orbits(const struct sy_variant *variant, uint8_t orbit[SY_MAX_CELLS])
{
    struct board board = {.variant = variant};
    struct colouring plain = {{0}};
    for (unsigned piece = 0; piece < 2 * variant->types; piece++)
        for (unsigned cell = 0; cell < variant->cells; cell++) {
            board.reach[piece][cell] = sy_variant_empty_reach(variant, piece, cell);
            plain.colour[cell] += sy_has(variant->piece[piece].promotion_zone, cell) ? sy_mix64(piece) : 0;
        }
    refine(&board, &plain);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        orbit[cell] = (uint8_t)cell;
        struct colouring to = plain;
        mark(&board, &to, cell);
        for (unsigned first = 0; first < cell; first++) {
            if (orbit[first] != first || plain.colour[first] != plain.colour[cell])
                continue;
            struct colouring from = plain;
            mark(&board, &from, first);
            if (can_match(&board, &from, &to)) {
                orbit[cell] = (uint8_t)first;
                break;
            }
        }
    }
}
