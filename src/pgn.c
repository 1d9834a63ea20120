/* pgn: reads Portable Game Notation. A move is whatever legal move its text fits: the from-to form first,
 * then standard algebraic notation in the variant's letters. Source: Edwards, PGN specification (1994). */
#include "steelyard/pgn.h"

#include "steelyard/movegen.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const struct sy_variant *variant;
    const char *at;
    size_t line;
    struct sy_pgn_game *game;
};

static void step(struct reader *reader)
{
    reader->line += *reader->at == '\n';
    reader->at++;
}

/* White space, comments of both kinds, and escaped lines. */
static void skip_blank(struct reader *reader)
{
    for (;;) {
        while (isspace((unsigned char)*reader->at)) {
            step(reader);
        }
        const char close = *reader->at == '{' ? '}' : *reader->at == ';' || *reader->at == '%' ? '\n' : '\0';
        if (!close) {
            return;
        }
        while (*reader->at && *reader->at != close) {
            step(reader);
        }
        if (*reader->at) {
            step(reader);
        }
    }
}

static void fail_game(struct reader *reader, const char *what, const char *detail)
{
    struct sy_pgn_game *game = reader->game;
    if (!game->status) {
        game->status = sy_fail(&game->error, SY_BAD_INPUT, "line %zu: %s%s", reader->line, what, detail);
    }
}

/* [Name "value"]; FEN sets the position. */
static void read_tag(struct reader *reader)
{
    struct sy_text value = SY_TEXT_INIT;
    const bool fen = strncmp(reader->at, "[FEN ", 5) == 0 || strncmp(reader->at, "[FEN\t", 5) == 0;
    while (*reader->at && *reader->at != '"' && *reader->at != '\n') {
        step(reader);
    }
    if (*reader->at == '"') {
        for (step(reader); *reader->at && *reader->at != '"' && *reader->at != '\n'; step(reader)) {
            if (*reader->at == '\\' && reader->at[1]) {
                step(reader);
            }
            sy_text_add(&value, reader->at, 1);
        }
    }
    while (*reader->at && *reader->at != '\n') {
        step(reader);
    }
    struct sy_pgn_game *game = reader->game;
    if (fen && value.bytes && sy_fen_parse(reader->variant, value.bytes, &game->start, &game->error)) {
        game->status = SY_BAD_INPUT;
    }
    game->final = game->start;
    sy_text_clear(&value);
}

/* ---- standard algebraic notation ---- */

/* A move's text taken apart. */
struct algebraic {
    char letter;               /* the piece's, or '\0' for a pawn */
    char promotion;            /* or '\0' */
    char origin[SY_CELL_NAME]; /* what is said of the cell it comes from: part of its name */
    unsigned to;
};

static unsigned trailing_cell(const struct sy_board *board, const char *text, size_t length, size_t *size)
{
    unsigned found = SY_NO_CELL;
    *size = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        const size_t name = strlen(board->name[cell]);
        if (name > *size && name <= length && strncmp(text + length - name, board->name[cell], name) == 0) {
            *size = name;
            found = cell;
        }
    }
    return found;
}

static bool take_apart(const struct sy_variant *variant, const char *text, struct algebraic *move)
{
    size_t length = strlen(text), size;
    memset(move, 0, sizeof *move);
    if (isupper((unsigned char)text[0])) {
        move->letter = *text++;
        length--;
    }
    if (length > 1 && isalpha((unsigned char)text[length - 1])) {
        move->promotion = (char)toupper((unsigned char)text[--length]);
        length -= text[length - 1] == '=';
    }
    move->to = trailing_cell(variant->board, text, length, &size);
    length -= size;
    while (length && strchr("x-:*~", text[length - 1])) {
        length--;
    }
    if (move->to == SY_NO_CELL || length >= sizeof move->origin) {
        return false;
    }
    memcpy(move->origin, text, length);
    return true;
}

/* A pawn is written without a letter: any type that promotes, or the letter P. */
static bool fits(const struct sy_position *position, sy_move move, const struct algebraic *text)
{
    const struct sy_variant *variant = position->variant;
    const struct sy_type *type = &variant->type[sy_piece_type(position->piece[sy_move_from(move)])];
    const char *from = variant->board->name[sy_move_from(move)];
    const char promotion =
        sy_move_kind(move) == SY_MOVE_PROMOTION ? variant->type[sy_move_extra(move)].letter : '\0';
    const bool pawn = type->promotion_count || type->letter == 'P';
    const size_t known = strlen(text->origin), name = strlen(from);
    return sy_move_to(move) == text->to && sy_move_kind(move) != SY_MOVE_CASTLE &&
           promotion == text->promotion && (text->letter ? type->letter == text->letter : pawn) &&
           known <= name &&
           (strncmp(from, text->origin, known) == 0 || strcmp(from + name - known, text->origin) == 0);
}

/* O-O is the castling with the nearer rook, O-O-O with the farther. */
static bool is_castling(const struct sy_position *position, sy_move move, bool longer)
{
    const struct sy_variant *variant = position->variant;
    if (sy_move_kind(move) != SY_MOVE_CASTLE) {
        return false;
    }
    const struct sy_castling *castling = &variant->castling[sy_move_extra(move)];
    const unsigned distance = variant->board->distance[castling->king_from][castling->rook_from];
    for (unsigned i = 0; i < variant->castlings; i++) {
        const struct sy_castling *other = &variant->castling[i];
        const unsigned far = variant->board->distance[other->king_from][other->rook_from];
        if (other->side == castling->side && far != distance) {
            return longer == (distance > far);
        }
    }
    return !longer;
}

static sy_move find_move(const struct sy_position *position, const char *text, unsigned *found)
{
    sy_move moves[SY_MAX_MOVES], match = SY_NO_MOVE;
    char written[SY_MOVE_TEXT];
    struct algebraic algebraic;
    const unsigned count = sy_generate(position, moves);
    const bool castles = strcmp(text, "O-O") == 0 || strcmp(text, "O-O-O") == 0;
    const bool readable = !castles && take_apart(position->variant, text, &algebraic);
    *found = 0;
    for (unsigned i = 0; i < count; i++) {
        if (strcmp(sy_move_text(position->variant, moves[i], written), text) == 0) {
            *found = 1;
            return moves[i];
        }
        if (castles ? is_castling(position, moves[i], text[3] != '\0')
                    : readable && fits(position, moves[i], &algebraic)) {
            match = moves[i];
            (*found)++;
        }
    }
    return match;
}

static void play_token(struct reader *reader, char *token)
{
    struct sy_pgn_game *game = reader->game;
    size_t length = strcspn(token, "+#!?");
    token[length] = '\0';
    if (game->status || length == 0) {
        return;
    }
    unsigned found;
    const sy_move move = find_move(&game->final, token, &found);
    if (found != 1) {
        fail_game(reader, found ? "several legal moves fit " : "no legal move fits ", token);
        return;
    }
    struct sy_undo undo;
    sy_make(&game->final, move, &undo);
    game->moves = sy_realloc(game->moves, game->count + 1, sizeof *game->moves);
    game->moves[game->count++] = move;
}

static bool is_result(const char *token)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "3/4-1/4", "1/4-3/4", "*"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        if (strcmp(token, results[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void skip_variation(struct reader *reader)
{
    unsigned depth = 0;
    do {
        depth += *reader->at == '(';
        depth -= *reader->at == ')';
        step(reader);
        if (*reader->at == '{' || *reader->at == ';') {
            skip_blank(reader);
        }
    } while (*reader->at && depth);
}

/* Reads tokens up to the result, the next game's tags, or the end. */
static void read_movetext(struct reader *reader)
{
    char token[64];
    for (skip_blank(reader); *reader->at && *reader->at != '['; skip_blank(reader)) {
        if (*reader->at == '(') {
            skip_variation(reader);
            continue;
        }
        const size_t length = strcspn(reader->at, " \t\r\n{};()");
        if (length == 0 || length >= sizeof token) {
            fail_game(reader, "unreadable text", "");
            step(reader);
            continue;
        }
        memcpy(token, reader->at, length);
        token[length] = '\0';
        if (is_result(token)) {
            memcpy(reader->game->result, token, length + 1);
            reader->at += length;
            return;
        }
        /* A move number may stand alone or before its move: "12." "12..." "12.e4". */
        size_t number = strspn(token, "0123456789");
        number = token[number] == '.' ? number + strspn(token + number, ".") : number == length ? length : 0;
        if (token[0] != '$') {
            play_token(reader, token + number);
        }
        reader->at += length;
    }
}

enum sy_status sy_pgn_next(const struct sy_variant *variant, const char **text, size_t *line,
                           struct sy_pgn_game *game, struct sy_error *error)
{
    struct reader reader = {variant, *text, *line, game};
    memset(game, 0, sizeof *game);
    strcpy(game->result, "*");
    const enum sy_status status = sy_fen_parse(variant, variant->start, &game->start, error);
    if (status) {
        return status;
    }
    game->final = game->start;
    skip_blank(&reader);
    game->found = *reader.at != '\0';
    game->line = reader.line;
    const char *before = reader.at;
    for (; *reader.at == '['; skip_blank(&reader)) {
        read_tag(&reader);
    }
    read_movetext(&reader);
    if (game->found && reader.at == before) {
        return sy_fail(error, SY_BAD_INPUT, "line %zu: neither JSONL nor PGN", reader.line);
    }
    *text = reader.at;
    *line = reader.line;
    return SY_OK;
}

void sy_pgn_clear(struct sy_pgn_game *game)
{
    free(game->moves);
    game->moves = NULL;
}
