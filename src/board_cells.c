/* board_cells: boards written out cell by cell. A slot is a direction that the file names; its steps are
 * listed as chains of cells, each cell stepping to the next one. */
#include "board_internal.h"

#include <stdio.h>
#include <string.h>

/* The cell a JSON string names. */
static enum sy_status read_cell(const struct sy_json_doc *doc, const struct sy_json *value,
                                const struct sy_board *board, unsigned *cell, struct sy_error *error)
{
    const char *name = sy_json_string(value);
    if (!name) {
        return sy_json_fail(doc, value, error, "must be the name of a cell");
    }
    *cell = sy_board_cell(board, name, strlen(name));
    if (*cell == SY_NO_CELL) {
        return sy_json_fail(doc, value, error, "no cell '%s' in \"rows\"", name);
    }
    return SY_OK;
}

static enum sy_status read_rows(const struct sy_json_doc *doc, const struct sy_json *rows,
                                struct sy_board *board, struct sy_error *error)
{
    if (sy_json_count(rows) == 0 || sy_json_count(rows) > SY_MAX_ROWS) {
        return sy_json_fail(doc, rows, error, "must list 1 to %d rows of cell names", SY_MAX_ROWS);
    }
    const double top = (double)sy_json_count(rows);
    for (const struct sy_json *row = sy_json_first(rows); row; row = sy_json_next(row)) {
        if (sy_json_kind(row) != SY_JSON_ARRAY) {
            return sy_json_fail(doc, row, error, "must be a list of cell names");
        }
        double x = 0;
        for (const struct sy_json *item = sy_json_first(row); item; item = sy_json_next(item), x++) {
            const char *name = sy_json_string(item);
            if (!name || !*name || strlen(name) >= SY_CELL_NAME || strpbrk(name, " ,*~/?[]-")) {
                return sy_json_fail(doc, item, error,
                                    "must be a cell name of 1 to %d characters, without any of \" ,*~/?[]-\"",
                                    SY_CELL_NAME - 1);
            }
            if (sy_board_cell(board, name, strlen(name)) != SY_NO_CELL) {
                return sy_json_fail(doc, item, error, "cell '%s' is listed twice", name);
            }
            if (board->cells == SY_MAX_CELLS) {
                return sy_json_fail(doc, item, error, "the board has more than %d cells", SY_MAX_CELLS);
            }
            board->x[board->cells] = x;
            board->y[board->cells] = top - board->rows;
            board->order[board->cells] = (uint8_t)board->cells;
            strcpy(board->name[board->cells++], name);
        }
        board->row_start[++board->rows] = (uint8_t)board->cells;
    }
    return SY_OK;
}

static enum sy_status add_step(const struct sy_json_doc *doc, const struct sy_json *where,
                               struct sy_board *board, unsigned slot, unsigned from, unsigned to,
                               struct sy_error *error)
{
    if (board->next_cell[from][slot] != SY_NO_CELL || from == to) {
        return sy_json_fail(doc, where, error, "cell '%s' has two steps in this direction, or one to itself",
                            board->name[from]);
    }
    board->next_cell[from][slot] = (uint8_t)to;
    board->next_slot[from][slot] = (uint8_t)slot;
    return SY_OK;
}

static enum sy_status read_chains(const struct sy_json_doc *doc, const struct sy_json *chains, bool loops,
                                  struct sy_board *board, unsigned slot, struct sy_error *error)
{
    if (sy_json_kind(chains) != SY_JSON_ARRAY) {
        return sy_json_fail(doc, chains, error, "must be a list of chains, each a list of cell names");
    }
    for (const struct sy_json *chain = sy_json_first(chains); chain; chain = sy_json_next(chain)) {
        unsigned first = SY_NO_CELL, last = SY_NO_CELL;
        if (sy_json_kind(chain) != SY_JSON_ARRAY || sy_json_count(chain) < 2) {
            return sy_json_fail(doc, chain, error, "must be a list of at least two cell names");
        }
        for (const struct sy_json *item = sy_json_first(chain); item; item = sy_json_next(item)) {
            unsigned cell;
            enum sy_status status = read_cell(doc, item, board, &cell, error);
            if (!status && last != SY_NO_CELL) {
                status = add_step(doc, item, board, slot, last, cell, error);
            }
            if (status) {
                return status;
            }
            first = first == SY_NO_CELL ? cell : first;
            last = cell;
        }
        const enum sy_status status = loops ? add_step(doc, chain, board, slot, last, first, error) : SY_OK;
        if (status) {
            return status;
        }
    }
    return SY_OK;
}

static enum sy_status reverse_direction(const struct sy_json_doc *doc, const struct sy_json *value,
                                        const struct sy_json *directions, struct sy_board *board,
                                        unsigned slot, struct sy_error *error)
{
    const char *name = sy_json_string(value);
    unsigned other = 0;
    for (const struct sy_json *member = sy_json_first(directions); member && other < slot;
         member = sy_json_next(member), other++) {
        if (name && strcmp(sy_json_key(member), name) == 0) {
            for (unsigned cell = 0; cell < board->cells; cell++) {
                const unsigned next = board->next_cell[cell][other];
                const enum sy_status status =
                    next == SY_NO_CELL ? SY_OK : add_step(doc, value, board, slot, next, cell, error);
                if (status) {
                    return status;
                }
            }
            return SY_OK;
        }
    }
    return sy_json_fail(doc, value, error, "must name a direction that stands before this one");
}

static enum sy_status read_directions(const struct sy_json_doc *doc, const struct sy_json *directions,
                                      struct sy_board *board, struct sy_error *error)
{
    if (sy_json_count(directions) == 0 || sy_json_count(directions) > SY_MAX_SLOTS) {
        return sy_json_fail(doc, directions, error, "must have 1 to %d directions", SY_MAX_SLOTS);
    }
    board->edges = board->slots = (unsigned)sy_json_count(directions);
    unsigned slot = 0;
    for (const struct sy_json *member = sy_json_first(directions); member;
         member = sy_json_next(member), slot++) {
        if (strlen(sy_json_key(member)) >= sizeof board->directions[0].name) {
            return sy_json_fail(doc, member, error, "a direction's name has at most 23 characters");
        }
        enum sy_status status = SY_OK;
        if (sy_json_kind(member) == SY_JSON_ARRAY) {
            status = read_chains(doc, member, false, board, slot, error);
        } else {
            status = sy_json_check_keys(doc, member, "chains loops reverse", error);
            const struct sy_json *chains = status ? NULL : sy_json_member(member, "chains");
            const struct sy_json *loops = status ? NULL : sy_json_member(member, "loops");
            const struct sy_json *reverse = status ? NULL : sy_json_member(member, "reverse");
            status = !status && chains ? read_chains(doc, chains, false, board, slot, error) : status;
            status = !status && loops ? read_chains(doc, loops, true, board, slot, error) : status;
            status =
                !status && reverse ? reverse_direction(doc, reverse, directions, board, slot, error) : status;
        }
        if (status) {
            return status;
        }
        sy_board_add_uniform(board, sy_json_key(member), 1U << slot, 1U << slot);
    }
    return SY_OK;
}

/* A list of direction names as a mask of slots. */
static enum sy_status read_names(const struct sy_json_doc *doc, const struct sy_json *names,
                                 const struct sy_board *board, unsigned *slots, struct sy_error *error)
{
    *slots = 0;
    if (sy_json_kind(names) != SY_JSON_ARRAY) {
        return sy_json_fail(doc, names, error, "must be a list of direction names");
    }
    for (const struct sy_json *item = sy_json_first(names); item; item = sy_json_next(item)) {
        const char *name = sy_json_string(item);
        const struct sy_directions *set = name ? sy_board_directions(board, name) : NULL;
        if (!set) {
            return sy_json_fail(doc, item, error, "must be the name of a direction above");
        }
        *slots |= set->slots[0][0];
    }
    return SY_OK;
}

static enum sy_status read_sets(const struct sy_json_doc *doc, const struct sy_json *sets,
                                struct sy_board *board, struct sy_error *error)
{
    for (const struct sy_json *member = sets ? sy_json_first(sets) : NULL; member;
         member = sy_json_next(member)) {
        const char *name = sy_json_key(member);
        if (board->direction_count == SY_MAX_DIRECTIONS || strlen(name) >= sizeof board->directions[0].name ||
            sy_board_directions(board, name)) {
            return sy_json_fail(
                doc, member, error,
                "too many direction sets (at most %d), a name over 23 characters, or one used twice",
                SY_MAX_DIRECTIONS);
        }
        unsigned white, black;
        enum sy_status status;
        if (sy_json_kind(member) == SY_JSON_ARRAY) {
            status = read_names(doc, member, board, &white, error);
            black = white;
        } else {
            const struct sy_json *for_white, *for_black;
            status = sy_json_check_keys(doc, member, "white black", error);
            status = status ? status : sy_json_get_array(doc, member, "white", &for_white, error);
            status = status ? status : sy_json_get_array(doc, member, "black", &for_black, error);
            status = status ? status : read_names(doc, for_white, board, &white, error);
            status = status ? status : read_names(doc, for_black, board, &black, error);
        }
        if (status) {
            return status;
        }
        sy_board_add_uniform(board, name, white, black);
    }
    return SY_OK;
}

static enum sy_status read_mirror(const struct sy_json_doc *doc, const struct sy_json *mirror,
                                  struct sy_board *board, struct sy_error *error)
{
    for (unsigned cell = 0; mirror && cell < board->cells; cell++) {
        board->flip[cell] = (uint8_t)cell;
    }
    for (const struct sy_json *pair = mirror ? sy_json_first(mirror) : NULL; pair;
         pair = sy_json_next(pair)) {
        unsigned a, b;
        if (sy_json_kind(pair) != SY_JSON_ARRAY || sy_json_count(pair) != 2) {
            return sy_json_fail(doc, pair, error, "must be a pair of cell names");
        }
        enum sy_status status = read_cell(doc, sy_json_first(pair), board, &a, error);
        status = status ? status : read_cell(doc, sy_json_next(sy_json_first(pair)), board, &b, error);
        if (status) {
            return status;
        }
        if (board->flip[a] != a || board->flip[b] != b) {
            return sy_json_fail(doc, pair, error, "'%s' or '%s' is in another pair already", board->name[a],
                                board->name[b]);
        }
        board->flip[a] = (uint8_t)b;
        board->flip[b] = (uint8_t)a;
    }
    return SY_OK;
}

static enum sy_status read_places(const struct sy_json_doc *doc, const struct sy_json *places,
                                  struct sy_board *board, struct sy_error *error)
{
    for (const struct sy_json *member = places ? sy_json_first(places) : NULL; member;
         member = sy_json_next(member)) {
        const unsigned cell = sy_board_cell(board, sy_json_key(member), strlen(sy_json_key(member)));
        const bool pair = sy_json_kind(member) == SY_JSON_ARRAY && sy_json_count(member) == 2;
        const double x = pair ? sy_json_number(sy_json_first(member)) : 0;
        const double y = pair ? sy_json_number(sy_json_next(sy_json_first(member))) : 0;
        if (cell == SY_NO_CELL || !pair || !(x > -1e6 && x < 1e6) || !(y > -1e6 && y < 1e6)) {
            return sy_json_fail(doc, member, error, "must be \"CELL\": [x, y] for a cell of the board");
        }
        board->x[cell] = x;
        board->y[cell] = y;
    }
    return SY_OK;
}

enum sy_status sy_board_written(const struct sy_json_doc *doc, const struct sy_json *description,
                                struct sy_board *board, struct sy_error *error)
{
    const struct sy_json *rows, *directions, *sets, *mirror, *places;
    enum sy_status status =
        sy_json_check_keys(doc, description, "kind rows directions sets mirror at", error);
    status = status ? status : sy_json_get_array(doc, description, "rows", &rows, error);
    status = status ? status : sy_json_get_object(doc, description, "directions", &directions, error);
    status = status ? status : sy_json_get_object_or(doc, description, "sets", &sets, error);
    status = status ? status : sy_json_get_array_or(doc, description, "mirror", &mirror, error);
    status = status ? status : sy_json_get_object_or(doc, description, "at", &places, error);
    status = status ? status : read_rows(doc, rows, board, error);
    status = status ? status : read_directions(doc, directions, board, error);
    status = status ? status : read_sets(doc, sets, board, error);
    status = status ? status : read_mirror(doc, mirror, board, error);
    return status ? status : read_places(doc, places, board, error);
}
