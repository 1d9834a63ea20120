/* board_plane: boards cut out of a plane grid of squares or hexagons.
 *
 * A cell has whole-number coordinates and a slot is a vector, so a series of steps keeps its slot.
 * Hexagons in columns use x = the file and y in half cells (edge neighbours (0, +-2), (+-1, +-1)); hexagons
 * in rows are the same with the axes exchanged. Cells are numbered by the major coordinate, then the minor,
 * which is monotone along every vector. */
#include "board_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct vector {
    int8_t x, y;
};

/* Coordinates of the cells, and the cell at coordinates. */
struct grid {
    int x[SY_MAX_CELLS], y[SY_MAX_CELLS];
    int rank[SY_MAX_CELLS];
    int x_low, x_high, y_low, y_high;
};

static unsigned cell_at(const struct sy_board *board, const struct grid *grid, int x, int y)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        if (grid->x[cell] == x && grid->y[cell] == y) {
            return cell;
        }
    }
    return SY_NO_CELL;
}

static enum sy_status add_cell(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board *board, struct grid *grid, int x, int y, char letter, int rank,
                               struct sy_error *error)
{
    if (board->cells == SY_MAX_CELLS) {
        return sy_json_fail(doc, description, error, "the board has more than %d cells", SY_MAX_CELLS);
    }
    const unsigned cell = board->cells++;
    grid->x[cell] = x;
    grid->y[cell] = y;
    grid->rank[cell] = rank;
    grid->x_low = cell && grid->x_low < x ? grid->x_low : x;
    grid->x_high = cell && grid->x_high > x ? grid->x_high : x;
    grid->y_low = cell && grid->y_low < y ? grid->y_low : y;
    grid->y_high = cell && grid->y_high > y ? grid->y_high : y;
    snprintf(board->name[cell], SY_CELL_NAME, "%c%u", letter,
             (unsigned)rank % 1000U); /* ranks: at most 127 */
    return SY_OK;
}

static void link_cells(struct sy_board *board, const struct grid *grid, const struct vector *vectors)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        for (unsigned slot = 0; slot < board->slots; slot++) {
            const unsigned next =
                cell_at(board, grid, grid->x[cell] + vectors[slot].x, grid->y[cell] + vectors[slot].y);
            board->next_cell[cell][slot] = (uint8_t)next;
            board->next_slot[cell][slot] = next == SY_NO_CELL ? SY_NO_SLOT : (uint8_t)slot;
        }
        board->flip[cell] =
            (uint8_t)cell_at(board, grid, grid->x[cell], grid->y_low + grid->y_high - grid->y[cell]);
        board->turn[cell] = (uint8_t)cell_at(board, grid, grid->x_low + grid->x_high - grid->x[cell],
                                             grid->y_low + grid->y_high - grid->y[cell]);
    }
}

/* FEN rows: ranks from the highest down, each from left to right. */
static void list_rows(struct sy_board *board, const struct grid *grid)
{
    int top = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        top = grid->rank[cell] > top ? grid->rank[cell] : top;
    }
    unsigned listed = 0;
    for (int rank = top; rank >= 1; rank--) {
        board->row_start[board->rows++] = (uint8_t)listed;
        for (int x = grid->x_low; x <= grid->x_high; x++) {
            for (unsigned cell = 0; cell < board->cells; cell++) {
                if (grid->rank[cell] == rank && grid->x[cell] == x) {
                    board->order[listed++] = (uint8_t)cell;
                }
            }
        }
    }
    board->row_start[board->rows] = (uint8_t)listed;
}

/* Direction sets given as strings of slots in hexadecimal digits, for White; Black's are the opposite ways
 * where `sided`. */
struct named_slots {
    const char *name, *slots;
    bool sided;
};

static void add_named(struct sy_board *board, const struct named_slots *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned white = 0, black = 0;
        for (const char *digit = list[i].slots; *digit; digit++) {
            const unsigned slot = (unsigned)(*digit <= '9' ? *digit - '0' : *digit - 'a' + 10);
            const unsigned base = slot < board->edges ? 0 : board->edges;
            const unsigned opposite = base + (slot - base + board->edges / 2) % board->edges;
            white |= 1U << slot;
            black |= 1U << (list[i].sided ? opposite : slot);
        }
        sy_board_add_uniform(board, list[i].name, white, black);
    }
}

enum sy_status sy_board_square(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board *board, struct sy_error *error)
{
    static const struct vector vectors[8] = {{0, 1}, {1, 0},  {0, -1},  {-1, 0},
                                             {1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
    static const struct named_slots names[] = {{"orthogonal", "0123", false},
                                               {"diagonal", "4567", false},
                                               {"forward", "0", true},
                                               {"backward", "2", true},
                                               {"sideways", "13", true},
                                               {"forward-diagonal", "47", true},
                                               {"backward-diagonal", "56", true},
                                               {"n", "0", false},
                                               {"e", "1", false},
                                               {"s", "2", false},
                                               {"w", "3", false},
                                               {"ne", "4", false},
                                               {"se", "5", false},
                                               {"sw", "6", false},
                                               {"nw", "7", false}};
    int64_t files, ranks;
    enum sy_status status = sy_json_check_keys(doc, description, "kind files ranks", error);
    status = status ? status : sy_json_get_int(doc, description, "files", 1, 26, &files, error);
    status = status ? status : sy_json_get_int(doc, description, "ranks", 1, SY_MAX_ROWS, &ranks, error);
    if (status) {
        return status;
    }
    struct grid grid;
    board->edges = 4;
    board->slots = 8;
    for (int rank = 0; rank < (int)ranks; rank++) {
        for (int file = 0; file < (int)files; file++) {
            status =
                add_cell(doc, description, board, &grid, file, rank, (char)('a' + file), rank + 1, error);
            if (status) {
                return status;
            }
            board->x[board->cells - 1] = file;
            board->y[board->cells - 1] = rank;
        }
    }
    link_cells(board, &grid, vectors);
    list_rows(board, &grid);
    add_named(board, names, sizeof names / sizeof *names);
    return SY_OK;
}

/* The shape of a hexagon board: strips (files, or rows) of cells two half cells apart. */
struct shape {
    int sides[3];        /* cells along the lower left, left and lower right edge */
    bool rows, straight; /* layout in rows; ranks straight instead of bent */
    const char *letters;
};

/* Strip s starts at low(s): one half cell lower than the strip before up to the corner, then higher. */
static int strip_low(const struct shape *shape, int strip)
{
    const int corner = shape->sides[0] - 1;
    return strip <= corner ? corner - strip : strip - corner;
}

/* Its cells: the left edge's, one more for each strip up to the nearer of the two corners, and one less for
 * each beyond the farther. */
static int strip_length(const struct shape *shape, int strip)
{
    const int lower = shape->sides[0] - 1, upper = shape->sides[2] - 1;
    const int near = lower < upper ? lower : upper, far = lower + upper - near;
    const int grown = strip < near ? strip : near;
    const int shrunk = strip > far ? strip - far : 0;
    return shape->sides[1] + grown - shrunk;
}

static int strips_of(const struct shape *shape)
{
    return shape->sides[0] + shape->sides[2] - 1;
}

/* One letter names a file, or in a layout in rows a half cell. */
static int letters_needed(const struct shape *shape)
{
    int widest = 0;
    for (int strip = 0; strip < strips_of(shape); strip++) {
        const int end = strip_low(shape, strip) + 2 * strip_length(shape, strip) - 1;
        widest = end > widest ? end : widest;
    }
    return shape->rows ? widest : strips_of(shape);
}

static enum sy_status read_shape(const struct sy_json_doc *doc, const struct sy_json *description,
                                 struct shape *shape, struct sy_error *error)
{
    const struct sy_json *sides;
    const char *layout, *ranks = "bent";
    enum sy_status status = sy_json_check_keys(doc, description, "kind layout sides letters ranks", error);
    status = status ? status : sy_json_get_string(doc, description, "layout", &layout, error);
    status = status ? status : sy_json_get_array(doc, description, "sides", &sides, error);
    status = status ? status : sy_json_get_string(doc, description, "letters", &shape->letters, error);
    status = status ? status : sy_json_get_string_or(doc, description, "ranks", &ranks, error);
    if (status) {
        return status;
    }
    shape->rows = strcmp(layout, "rows") == 0;
    if (!shape->rows && strcmp(layout, "columns") != 0) {
        return sy_json_fail(doc, sy_json_member(description, "layout"), error, "must be 'columns' or 'rows'");
    }
    shape->straight = strcmp(ranks, "straight") == 0;
    if (!shape->straight && strcmp(ranks, "bent") != 0) {
        return sy_json_fail(doc, sy_json_member(description, "ranks"), error, "must be 'bent' or 'straight'");
    }
    if (shape->rows && sy_json_member(description, "ranks")) {
        return sy_json_fail(doc, sy_json_member(description, "ranks"), error,
                            "a hexagon in rows numbers its rows; leave 'ranks' out");
    }
    if (sy_json_count(sides) != 3) {
        return sy_json_fail(doc, sides, error,
                            "must be three whole numbers, the lengths of three edges in cells");
    }
    const struct sy_json *side = sy_json_first(sides);
    for (int i = 0; i < 3; i++, side = sy_json_next(side)) {
        const double length = sy_json_number(side);
        if (!(length >= 1 && length <= 64) || length != floor(length)) {
            return sy_json_fail(doc, side, error, "must be a whole number from 1 to 64");
        }
        shape->sides[i] = (int)length;
    }
    const int letters = letters_needed(shape);
    if ((int)strlen(shape->letters) < letters) {
        return sy_json_fail(doc, sy_json_member(description, "letters"), error,
                            "the board needs %d letters, one for each %s", letters,
                            shape->rows ? "half cell" : "file");
    }
    return SY_OK;
}

static enum sy_status fill_hexagon(const struct sy_json_doc *doc, const struct sy_json *description,
                                   const struct shape *shape, struct sy_board *board, struct grid *grid,
                                   struct sy_error *error)
{
    const double half = 0.5, along = sqrt(3.0) / 2.0;
    for (int strip = 0; strip < strips_of(shape); strip++) {
        const int low = strip_low(shape, strip);
        for (int i = 0; i < strip_length(shape, strip); i++) {
            const int across = low + 2 * i;
            const int straight = (across + strip - (shape->sides[0] - 1)) / 2 + 1;
            enum sy_status status;
            if (shape->rows) {
                status = add_cell(doc, description, board, grid, across, strip, shape->letters[across],
                                  strip + 1, error);
            } else {
                status = add_cell(doc, description, board, grid, strip, across, shape->letters[strip],
                                  shape->straight ? straight : i + 1, error);
            }
            if (status) {
                return status;
            }
            board->x[board->cells - 1] = shape->rows ? across * half : strip * along;
            board->y[board->cells - 1] = shape->rows ? strip * along : across * half;
        }
    }
    return SY_OK;
}

enum sy_status sy_board_hexagon(const struct sy_json_doc *doc, const struct sy_json *description,
                                struct sy_board *board, struct sy_error *error)
{
    static const struct vector columns[12] = {{0, 2}, {1, 1}, {1, -1}, {0, -2},  {-1, -1}, {-1, 1},
                                              {1, 3}, {2, 0}, {1, -3}, {-1, -3}, {-2, 0},  {-1, 3}};
    static const struct vector rows[12] = {{1, 1}, {2, 0},  {1, -1}, {-1, -1}, {-2, 0}, {-1, 1},
                                           {3, 1}, {3, -1}, {0, -2}, {-3, -1}, {-3, 1}, {0, 2}};
    static const struct named_slots column_names[] = {{"orthogonal", "012345", false},
                                                      {"diagonal", "6789ab", false},
                                                      {"forward", "0", true},
                                                      {"backward", "3", true},
                                                      {"forward-flank", "15", true},
                                                      {"backward-flank", "24", true},
                                                      {"forward-diagonal", "6b", true},
                                                      {"backward-diagonal", "89", true},
                                                      {"sideways", "7a", true},
                                                      {"n", "0", false},
                                                      {"ne", "1", false},
                                                      {"se", "2", false},
                                                      {"s", "3", false},
                                                      {"sw", "4", false},
                                                      {"nw", "5", false},
                                                      {"nne", "6", false},
                                                      {"e", "7", false},
                                                      {"sse", "8", false},
                                                      {"ssw", "9", false},
                                                      {"w", "a", false},
                                                      {"nnw", "b", false}};
    static const struct named_slots row_names[] = {{"orthogonal", "012345", false},
                                                   {"diagonal", "6789ab", false},
                                                   {"forward", "05", true},
                                                   {"backward", "23", true},
                                                   {"sideways", "14", true},
                                                   {"forward-diagonal", "b", true},
                                                   {"backward-diagonal", "8", true},
                                                   {"ne", "0", false},
                                                   {"e", "1", false},
                                                   {"se", "2", false},
                                                   {"sw", "3", false},
                                                   {"w", "4", false},
                                                   {"nw", "5", false},
                                                   {"ene", "6", false},
                                                   {"ese", "7", false},
                                                   {"s", "8", false},
                                                   {"wsw", "9", false},
                                                   {"wnw", "a", false},
                                                   {"n", "b", false}};
    struct shape shape;
    struct grid grid;
    enum sy_status status = read_shape(doc, description, &shape, error);
    if (status) {
        return status;
    }
    board->edges = 6;
    board->slots = 12;
    status = fill_hexagon(doc, description, &shape, board, &grid, error);
    if (status) {
        return status;
    }
    link_cells(board, &grid, shape.rows ? rows : columns);
    list_rows(board, &grid);
    if (shape.rows) {
        add_named(board, row_names, sizeof row_names / sizeof *row_names);
    } else {
        add_named(board, column_names, sizeof column_names / sizeof *column_names);
    }
    return SY_OK;
}
