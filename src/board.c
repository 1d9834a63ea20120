/* board: what all kinds of board have in common: dispatch on the kind, distances, cell colours, look-ups.
 *
 * Invariants of a finished board: every step is to a cell of the board; order is a permutation of the
 * cells; flip and turn, where present, are involutions. */
#include "steelyard/board.h"

#include "board_internal.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

struct sy_directions *sy_board_add_directions(struct sy_board *board, const char *name)
{
    struct sy_directions *set = &board->directions[board->direction_count++];
    memset(set, 0, sizeof *set);
    strncpy(set->name, name, sizeof set->name - 1);
    return set;
}

void sy_board_add_uniform(struct sy_board *board, const char *name, unsigned white, unsigned black)
{
    struct sy_directions *set = sy_board_add_directions(board, name);
    for (unsigned cell = 0; cell < board->cells; cell++) {
        set->slots[0][cell] = (uint16_t)white;
        set->slots[1][cell] = (uint16_t)black;
    }
}

/* Breadth first over the first `slots` slots from one cell. */
static void spread(const struct sy_board *board, unsigned start, unsigned first_slot, unsigned end_slot,
                   uint8_t distance[SY_MAX_CELLS])
{
    uint8_t queue[SY_MAX_CELLS];
    unsigned head = 0, tail = 0;
    memset(distance, 255, SY_MAX_CELLS);
    distance[start] = 0;
    queue[tail++] = (uint8_t)start;
    while (head < tail) {
        const unsigned cell = queue[head++];
        for (unsigned slot = first_slot; slot < end_slot; slot++) {
            const unsigned next = board->next_cell[cell][slot];
            if (next != SY_NO_CELL && distance[next] == 255) {
                distance[next] = (uint8_t)(distance[cell] + 1);
                queue[tail++] = (uint8_t)next;
            }
        }
    }
}

static void measure_distances(struct sy_board *board)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        spread(board, cell, 0, board->edges, board->distance[cell]);
    }
}

/* A diagonal step keeps the colour, so colours are what corner steps connect. */
static void paint(struct sy_board *board)
{
    uint8_t reached[SY_MAX_CELLS];
    memset(board->colour, 255, sizeof board->colour);
    for (unsigned cell = 0; cell < board->cells; cell++) {
        if (board->colour[cell] != 255) {
            continue;
        }
        spread(board, cell, board->edges, board->slots, reached);
        for (unsigned other = 0; other < board->cells; other++) {
            if (reached[other] != 255) {
                board->colour[other] = (uint8_t)board->colours;
            }
        }
        board->colours++;
    }
}

enum sy_status sy_board_create(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board **out, struct sy_error *error)
{
    static const struct {
        const char *kind;
        enum sy_status (*fill)(const struct sy_json_doc *, const struct sy_json *, struct sy_board *,
                               struct sy_error *);
    } kinds[] = {{"square", sy_board_square},
                 {"hexagon", sy_board_hexagon},
                 {"radial", sy_board_radial},
                 {"cells", sy_board_written}};
    const char *kind;
    enum sy_status status = sy_json_get_string(doc, description, "kind", &kind, error);
    if (status) {
        return status;
    }
    struct sy_board *board = sy_alloc(1, sizeof *board);
    memset(board->next_cell, SY_NO_CELL, sizeof board->next_cell);
    memset(board->next_slot, SY_NO_SLOT, sizeof board->next_slot);
    memset(board->flip, SY_NO_CELL, sizeof board->flip);
    memset(board->turn, SY_NO_CELL, sizeof board->turn);
    status = SY_USAGE;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kind, kinds[i].kind) == 0) {
            strncpy(board->kind, kind, sizeof board->kind - 1);
            status = kinds[i].fill(doc, description, board, error);
        }
    }
    if (status == SY_USAGE) {
        status =
            sy_json_fail(doc, sy_json_member(description, "kind"), error,
                         "unknown kind of board '%s'; the kinds are square, hexagon, radial, cells", kind);
    }
    if (status) {
        free(board);
        return status;
    }
    measure_distances(board);
    paint(board);
    *out = board;
    return SY_OK;
}

unsigned sy_board_cell(const struct sy_board *board, const char *name, size_t length)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        if (strncmp(board->name[cell], name, length) == 0 && board->name[cell][length] == '\0') {
            return cell;
        }
    }
    return SY_NO_CELL;
}

const struct sy_directions *sy_board_directions(const struct sy_board *board, const char *name)
{
    for (unsigned i = 0; i < board->direction_count; i++) {
        if (strcmp(board->directions[i].name, name) == 0) {
            return &board->directions[i];
        }
    }
    return NULL;
}

char *sy_board_direction_names(const struct sy_board *board)
{
    struct sy_text text = SY_TEXT_INIT;
    for (unsigned i = 0; i < board->direction_count; i++) {
        sy_text_printf(&text, "%s%s", i ? ", " : "", board->directions[i].name);
    }
    return text.bytes;
}

sy_set sy_board_match(const struct sy_board *board, const char *pattern)
{
    sy_set set = SY_EMPTY_SET;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        if (fnmatch(pattern, board->name[cell], 0) == 0) {
            set |= sy_bit(cell);
        }
    }
    return set;
}
