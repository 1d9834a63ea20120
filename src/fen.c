/* fen: reads and writes positions as one line. The reader checks all that can be checked without play: rows,
 * letters, royals, castling pieces at home, an en passant cell behind a pawn that could have passed it. */
#include "steelyard/fen.h"

#include "steelyard/movegen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 6 };

/* The space-separated fields of a line; returns their number, FIELDS + 1 for too many. */
static unsigned split(const char *fen, const char *field[FIELDS], size_t length[FIELDS])
{
    unsigned count = 0;
    for (const char *at = fen; *at;) {
        const size_t run = strcspn(at, " ");
        if (run) {
            if (count == FIELDS) {
                return FIELDS + 1;
            }
            field[count] = at;
            length[count++] = run;
        }
        at += run + strspn(at + run, " ");
    }
    return count;
}

static enum sy_status read_row(struct sy_position *position, const char *text, size_t length, unsigned row,
                               struct sy_error *error)
{
    const struct sy_board *board = position->variant->board;
    const unsigned width = board->row_start[row + 1] - board->row_start[row];
    const uint8_t *cells = board->order + board->row_start[row];
    unsigned filled = 0;
    for (size_t i = 0; i < length;) {
        if (isdigit((unsigned char)text[i])) {
            unsigned run = 0;
            while (i < length && isdigit((unsigned char)text[i]) && run < 1000) {
                run = 10 * run + (unsigned)(text[i++] - '0');
            }
            filled += run;
            if (run == 0) {
                return sy_fail(error, SY_BAD_INPUT, "FEN: a run of 0 empty cells in row %u from the top",
                               row + 1);
            }
        } else {
            const unsigned type = sy_variant_type(position->variant, text[i]);
            if (type == SY_NO_TYPE) {
                return sy_fail(error, SY_BAD_INPUT, "FEN: no piece has the letter '%c' (row %u from the top)",
                               text[i], row + 1);
            }
            if (filled < width) {
                sy_position_put(position, cells[filled],
                                sy_piece_code(type, islower((unsigned char)text[i]) ? SY_BLACK : SY_WHITE));
            }
            filled++;
            i++;
        }
        if (filled > width) {
            break;
        }
    }
    return filled == width
               ? SY_OK
               : sy_fail(error, SY_BAD_INPUT, "FEN: row %u from the top has %u cells and is given %s",
                         row + 1, width, filled > width ? "more" : "fewer");
}

static enum sy_status read_board(struct sy_position *position, const char *text, size_t length,
                                 struct sy_error *error)
{
    const unsigned rows = position->variant->board->rows;
    unsigned row = 0;
    for (size_t at = 0; at <= length; row++) {
        size_t end = at;
        while (end < length && text[end] != '/') {
            end++;
        }
        if (row == rows) {
            break;
        }
        const enum sy_status status = read_row(position, text + at, end - at, row, error);
        if (status) {
            return status;
        }
        at = end + 1;
        if (at > length) {
            row++;
            break;
        }
    }
    size_t slashes = 0;
    for (size_t i = 0; i < length; i++) {
        slashes += text[i] == '/';
    }
    return slashes + 1 == rows && row == rows
               ? SY_OK
               : sy_fail(error, SY_BAD_INPUT, "FEN: the board has %u rows and %zu are given", rows,
                         slashes + 1);
}

static enum sy_status read_rights(struct sy_position *position, const char *text, size_t length,
                                  struct sy_error *error)
{
    const struct sy_variant *variant = position->variant;
    for (size_t i = 0; i < length && !(length == 1 && text[0] == '-'); i++) {
        const char *known = strchr(variant->rights, text[i]);
        if (!variant->fen_castling) {
            return sy_fail(
                error, SY_BAD_INPUT,
                "FEN: castling field '%.*s' must be '-' or not be there: nothing castles in this game",
                (int)length, text);
        }
        if (!known || position->castling >> (known - variant->rights) & 1) {
            return sy_fail(error, SY_BAD_INPUT,
                           "FEN: castling field '%.*s' must be '-' or letters of \"%s\", each once",
                           (int)length, text, variant->rights);
        }
        position->castling |= (uint8_t)(1U << (known - variant->rights));
    }
    for (unsigned i = 0; i < variant->castlings; i++) {
        const struct sy_castling *castling = &variant->castling[i];
        const unsigned rook = position->piece[castling->rook_from];
        if ((position->castling >> castling->right & 1) &&
            (position->piece[castling->king_from] != sy_piece_code(variant->check_royal, castling->side) ||
             rook == SY_NO_PIECE || sy_piece_side(rook) != castling->side)) {
            return sy_fail(error, SY_BAD_INPUT, "FEN: castling right '%c' needs the pieces on %s and %s",
                           variant->rights[castling->right], variant->board->name[castling->king_from],
                           variant->board->name[castling->rook_from]);
        }
    }
    return SY_OK;
}

/* The advance that passed exactly these cells and after which its pawn still stands where it went. */
static bool find_victim(struct sy_position *position, sy_set passed)
{
    const struct sy_variant *variant = position->variant;
    const unsigned mover = position->to_move ^ 1U;
    for (unsigned type = 0; type < variant->types; type++) {
        const struct sy_piece *piece = &variant->piece[sy_piece_code(type, mover)];
        for (unsigned i = 0; i < piece->exposure_count; i++) {
            const struct sy_exposure *exposure = &piece->exposures[i];
            if (exposure->cells == passed && position->piece[exposure->to] == sy_piece_code(type, mover) &&
                position->piece[exposure->from] == SY_NO_PIECE && !(passed & sy_occupied(position))) {
                position->ep = passed;
                position->ep_victim = exposure->to;
                return true;
            }
        }
    }
    return false;
}

static enum sy_status read_en_passant(struct sy_position *position, const char *text, size_t length,
                                      struct sy_error *error)
{
    sy_set passed = SY_EMPTY_SET;
    if (length == 1 && text[0] == '-') {
        return SY_OK;
    }
    for (size_t at = 0; at <= length;) {
        size_t end = at;
        while (end < length && text[end] != ',') {
            end++;
        }
        const unsigned cell = sy_board_cell(position->variant->board, text + at, end - at);
        if (cell == SY_NO_CELL) {
            return sy_fail(error, SY_BAD_INPUT, "FEN: en passant field '%.*s' names no cell", (int)length,
                           text);
        }
        passed |= sy_bit(cell);
        at = end + 1;
    }
    return find_victim(position, passed)
               ? SY_OK
               : sy_fail(error, SY_BAD_INPUT, "FEN: no %s pawn has just passed over %.*s",
                         position->to_move == SY_WHITE ? "black" : "white", (int)length, text);
}

static enum sy_status read_counter(const char *text, size_t length, int64_t min, const char *what,
                                   uint16_t *out, struct sy_error *error)
{
    char copy[8] = "";
    int64_t number;
    if (length < sizeof copy) {
        memcpy(copy, text, length);
    }
    if (length >= sizeof copy || !sy_parse_i64(copy, min, 30000, &number)) {
        return sy_fail(error, SY_BAD_INPUT, "FEN: the %s '%.*s' must be a whole number from %d to 30000",
                       what, (int)length, text, (int)min);
    }
    *out = (uint16_t)number;
    return SY_OK;
}

enum sy_status sy_fen_parse(const struct sy_variant *variant, const char *fen, struct sy_position *position,
                            struct sy_error *error)
{
    const char *field[FIELDS];
    size_t length[FIELDS];
    const unsigned count = split(fen, field, length);
    /* Other programs always write the field, which is "-" in games that do not castle. */
    const unsigned castling = variant->fen_castling || count == 4 || count == 6 ? 1 : 0;
    if (count != 3 + castling && count != 5 + castling) {
        return sy_fail(
            error, SY_BAD_INPUT,
            "FEN: expected board, side, %sen passant, halfmove clock and move number, found %u fields",
            castling ? "castling, " : "", count);
    }
    sy_position_clear(position, variant);
    enum sy_status status = read_board(position, field[0], length[0], error);
    if (status) {
        return status;
    }
    if (length[1] != 1 || (field[1][0] != 'w' && field[1][0] != 'b')) {
        return sy_fail(error, SY_BAD_INPUT, "FEN: the side to move '%.*s' must be 'w' or 'b'", (int)length[1],
                       field[1]);
    }
    position->to_move = field[1][0] == 'w' ? SY_WHITE : SY_BLACK;
    status = castling ? read_rights(position, field[2], length[2], error) : SY_OK;
    status = status ? status : read_en_passant(position, field[2 + castling], length[2 + castling], error);
    if (!status && count > 3 + castling) {
        const unsigned clock = 3 + castling;
        status = read_counter(field[clock], length[clock], 0, "halfmove clock", &position->halfmove, error);
        status = status ? status
                        : read_counter(field[clock + 1], length[clock + 1], 1, "move number",
                                       &position->fullmove, error);
    }
    if (status) {
        return status;
    }
    status = sy_position_finish(position, error);
    return status ? sy_fail_within(error, status, "FEN") : SY_OK;
}

static void write_row(const struct sy_position *position, unsigned row, struct sy_text *text)
{
    const struct sy_board *board = position->variant->board;
    unsigned empty = 0;
    for (unsigned i = board->row_start[row]; i < board->row_start[row + 1]; i++) {
        const unsigned piece = position->piece[board->order[i]];
        if (piece == SY_NO_PIECE) {
            empty++;
            continue;
        }
        if (empty) {
            sy_text_printf(text, "%u", empty);
            empty = 0;
        }
        const char letter = position->variant->type[sy_piece_type(piece)].letter;
        const char shown = (char)(sy_piece_side(piece) == SY_WHITE ? letter : tolower((unsigned char)letter));
        sy_text_add(text, &shown, 1);
    }
    if (empty) {
        sy_text_printf(text, "%u", empty);
    }
}

/* The cells passed, in the order in which the pawn passed them. */
static void write_en_passant(const struct sy_position *position, struct sy_text *text)
{
    const struct sy_variant *variant = position->variant;
    if (!position->ep) {
        sy_text_puts(text, "-");
        return;
    }
    const struct sy_piece *piece = &variant->piece[position->piece[position->ep_victim]];
    for (unsigned i = 0; i < piece->exposure_count; i++) {
        const struct sy_exposure *exposure = &piece->exposures[i];
        if (exposure->to == position->ep_victim && exposure->cells == position->ep) {
            for (unsigned k = 0; k < exposure->passed_count; k++) {
                sy_text_printf(text, "%s%s", k ? "," : "", variant->board->name[exposure->passed[k]]);
            }
            return;
        }
    }
}

char *sy_fen(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    struct sy_text text = SY_TEXT_INIT;
    for (unsigned row = 0; row < variant->board->rows; row++) {
        sy_text_puts(&text, row ? "/" : "");
        write_row(position, row, &text);
    }
    sy_text_puts(&text, position->to_move == SY_WHITE ? " w " : " b ");
    for (unsigned right = 0; right < 8; right++) {
        if (position->castling >> right & 1) {
            sy_text_add(&text, &variant->rights[right], 1);
        }
    }
    if (variant->fen_castling) {
        sy_text_puts(&text, position->castling ? " " : "- ");
    }
    write_en_passant(position, &text);
    sy_text_printf(&text, " %u %u", position->halfmove, position->fullmove);
    return text.bytes;
}
