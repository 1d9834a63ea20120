/* variant: reads a variant file section by section, checks it, and compiles it (moves: variant_moves.c).
 *
 * Errors carry the place in the file. The order of the sections matters only here: pieces before zones of
 * promotion, all rules before the start, which is parsed as a position of the variant itself. */
#include "steelyard/variant.h"

#include "steelyard/fen.h"
#include "variant_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void *sy_variant_block(struct sy_variant *variant, size_t count, size_t size)
{
    variant->blocks =
        sy_grow(variant->blocks, &variant->block_capacity, variant->block_count + 1, sizeof *variant->blocks);
    return variant->blocks[variant->block_count++] = sy_alloc(count, size);
}

void sy_variant_free(struct sy_variant *variant)
{
    if (!variant) {
        return;
    }
    for (size_t i = 0; i < variant->block_count; i++) {
        free(variant->blocks[i]);
    }
    free(variant->blocks);
    free(variant->axes);
    free(variant->walks);
    free(variant->hop_rays);
    free(variant->path);
    free(variant->extra);
    free(variant->start);
    free(variant->name);
    free(variant->title);
    free(variant->board);
    sy_json_free(variant->doc);
    free(variant);
}

unsigned sy_variant_type(const struct sy_variant *variant, char letter)
{
    for (unsigned type = 0; type < variant->types; type++) {
        if (variant->type[type].letter == toupper((unsigned char)letter)) {
            return type;
        }
    }
    return SY_NO_TYPE;
}

unsigned sy_variant_type_named(const struct sy_variant *variant, const char *name)
{
    for (unsigned type = 0; name && type < variant->types; type++) {
        if (strcmp(variant->type[type].name, name) == 0) {
            return type;
        }
    }
    return SY_NO_TYPE;
}

static unsigned material_named(const struct sy_variant *variant, const char *name)
{
    for (unsigned i = 0; name && i < variant->materials; i++) {
        if (strcmp(variant->material[i], name) == 0) {
            return i;
        }
    }
    return SY_NO_TYPE;
}

/* ---- zones and cells ---- */

static enum sy_status read_patterns(const struct sy_variant *variant, const struct sy_json *list,
                                    sy_set *zone, struct sy_error *error)
{
    *zone = SY_EMPTY_SET;
    if (sy_json_kind(list) != SY_JSON_ARRAY || sy_json_count(list) == 0) {
        return sy_json_fail(variant->doc, list, error, "must be a list of cells or patterns such as \"?2\"");
    }
    for (const struct sy_json *item = sy_json_first(list); item; item = sy_json_next(item)) {
        const char *pattern = sy_json_string(item);
        const sy_set cells = pattern ? sy_board_match(variant->board, pattern) : SY_EMPTY_SET;
        if (!cells) {
            return sy_json_fail(variant->doc, item, error, "'%s' matches no cell of the board",
                                pattern ? pattern : "(not a string)");
        }
        *zone |= cells;
    }
    return SY_OK;
}

enum sy_status sy_variant_zone(const struct sy_variant *variant, const struct sy_json *value, sy_set zone[2],
                               struct sy_error *error)
{
    const char *name = sy_json_string(value);
    if (name) {
        const struct sy_json *zones = sy_json_member(sy_json_root(variant->doc), "zones");
        const struct sy_json *named =
            zones && sy_json_kind(zones) == SY_JSON_OBJECT ? sy_json_member(zones, name) : NULL;
        if (!named || sy_json_string(named)) {
            return sy_json_fail(variant->doc, value, error, "no zone '%s' in \"zones\"", name);
        }
        return sy_variant_zone(variant, named, zone, error);
    }
    if (sy_json_kind(value) == SY_JSON_OBJECT) {
        const struct sy_json *white, *black;
        enum sy_status status = sy_json_check_keys(variant->doc, value, "white|black", error);
        status = status ? status : sy_json_get_array(variant->doc, value, "white", &white, error);
        status = status ? status : sy_json_get_array(variant->doc, value, "black", &black, error);
        status = status ? status : read_patterns(variant, white, &zone[0], error);
        return status ? status : read_patterns(variant, black, &zone[1], error);
    }
    const enum sy_status status = read_patterns(variant, value, &zone[0], error);
    zone[1] = zone[0];
    return status;
}

/* Zones that no piece uses are checked too. */
static enum sy_status check_zones(const struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json *zones;
    enum sy_status status =
        sy_json_get_object_or(variant->doc, sy_json_root(variant->doc), "zones", &zones, error);
    for (const struct sy_json *zone = zones && !status ? sy_json_first(zones) : NULL; zone && !status;
         zone = sy_json_next(zone)) {
        sy_set cells[2];
        status = sy_json_string(zone) ? sy_json_fail(variant->doc, zone, error, "must be a list of patterns")
                                      : sy_variant_zone(variant, zone, cells, error);
    }
    return status;
}

static enum sy_status read_cell(const struct sy_variant *variant, const struct sy_json *value, uint8_t *cell,
                                struct sy_error *error)
{
    const char *name = sy_json_string(value);
    const unsigned found = name ? sy_board_cell(variant->board, name, strlen(name)) : SY_NO_CELL;
    *cell = (uint8_t)found;
    return found != SY_NO_CELL ? SY_OK
                               : sy_json_fail(variant->doc, value, error, "no cell '%s' on the board",
                                              name ? name : "(not a string)");
}

/* ---- pieces ---- */

static enum sy_status copy_name(const struct sy_variant *variant, const struct sy_json *value,
                                const char *name, char out[SY_PIECE_NAME], struct sy_error *error)
{
    const size_t length = strlen(name);
    if (length == 0 || length >= SY_PIECE_NAME || strpbrk(name, "*|\"\n")) {
        return sy_json_fail(variant->doc, value, error,
                            "a name has 1 to %d characters, without * | \" or line ends", SY_PIECE_NAME - 1);
    }
    memcpy(out, name, length + 1);
    return SY_OK;
}

static enum sy_status read_royalty(struct sy_variant *variant, const struct sy_json *piece, unsigned type,
                                   struct sy_error *error)
{
    const char *royal = NULL, *swaps = NULL;
    enum sy_status status = sy_json_get_string_or(variant->doc, piece, "royal", &royal, error);
    status = status ? status : sy_json_get_string_or(variant->doc, piece, "swaps", &swaps, error);
    if (status || (!royal && !swaps)) {
        return status;
    }
    if (royal && strcmp(royal, "check") == 0) {
        if (variant->check_royal != SY_NO_TYPE) {
            return sy_json_fail(variant->doc, sy_json_member(piece, "royal"), error,
                                "'%s' is royal by check already; there is one such type",
                                variant->type[variant->check_royal].name);
        }
        variant->type[type].royalty = SY_ROYAL_BY_CHECK;
        variant->check_royal = (uint8_t)type;
    } else if (royal && strcmp(royal, "capture") == 0) {
        variant->type[type].royalty = SY_ROYAL_BY_CAPTURE;
        variant->capture_royals |= 1U << type;
    } else if (royal) {
        return sy_json_fail(variant->doc, sy_json_member(piece, "royal"), error,
                            "must be 'check' or 'capture'");
    }
    if (swaps && (strcmp(swaps, "in check") != 0 || variant->check_royal != type)) {
        return sy_json_fail(variant->doc, sy_json_member(piece, "swaps"), error,
                            "must be 'in check', on the piece that is royal by check");
    }
    variant->type[type].swaps_in_check = swaps != NULL;
    return SY_OK;
}

static enum sy_status read_material(struct sy_variant *variant, const struct sy_json *piece, unsigned type,
                                    struct sy_error *error)
{
    struct sy_type *out = &variant->type[type];
    const char *material = out->name;
    enum sy_status status = sy_json_get_string_or(variant->doc, piece, "material", &material, error);
    unsigned index = material_named(variant, material);
    if (!status && index == SY_NO_TYPE) {
        index = variant->materials++;
        status = copy_name(variant, piece, material, variant->material[index], error);
        variant->material_royal[index] = out->royalty != SY_COMMON;
    }
    if (!status && variant->material_royal[index] != (out->royalty != SY_COMMON)) {
        status = sy_json_fail(variant->doc, piece, error,
                              "royal and common pieces can't share the material '%s'", material);
    }
    out->material = (uint8_t)index;
    return status;
}

static enum sy_status read_piece(struct sy_variant *variant, const struct sy_json *piece, unsigned type,
                                 struct sy_error *error)
{
    struct sy_type *out = &variant->type[type];
    const char *letter, *name = sy_json_key(piece);
    enum sy_status status = sy_json_check_keys(
        variant->doc, piece, "letter|material|royal|swaps|progress|promotes|moves|about", error);
    status = status ? status : sy_json_get_string(variant->doc, piece, "letter", &letter, error);
    status = status ? status : copy_name(variant, piece, name, out->name, error);
    status = status ? status : sy_json_get_bool_or(variant->doc, piece, "progress", &out->progress, error);
    if (status) {
        return status;
    }
    if (strlen(letter) != 1 || letter[0] < 'A' || letter[0] > 'Z') {
        return sy_json_fail(variant->doc, sy_json_member(piece, "letter"), error,
                            "must be one letter from A to Z");
    }
    if (sy_variant_type(variant, letter[0]) != SY_NO_TYPE ||
        sy_variant_type_named(variant, name) != SY_NO_TYPE) {
        return sy_json_fail(variant->doc, piece, error, "another piece has the letter '%s' or the name '%s'",
                            letter, name);
    }
    out->letter = letter[0];
    status = read_royalty(variant, piece, type, error);
    return status ? status : read_material(variant, piece, type, error);
}

static enum sy_status read_pieces(struct sy_variant *variant, const struct sy_json *pieces,
                                  struct sy_error *error)
{
    if (sy_json_count(pieces) == 0 || sy_json_count(pieces) > SY_MAX_TYPES) {
        return sy_json_fail(variant->doc, pieces, error, "a game has 1 to %d types of piece", SY_MAX_TYPES);
    }
    variant->check_royal = SY_NO_TYPE;
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        /* The type counts only once it is read: its own letter is no other's. */
        const enum sy_status status = read_piece(variant, piece, variant->types, error);
        if (status) {
            return status;
        }
        variant->types++;
    }
    if (variant->check_royal == SY_NO_TYPE && !variant->capture_royals) {
        return sy_json_fail(variant->doc, pieces, error,
                            "no piece is royal: give one \"royal\": \"check\" or \"royal\": \"capture\"");
    }
    return SY_OK;
}

static enum sy_status read_promotion(struct sy_variant *variant, const struct sy_json *promotes,
                                     unsigned type, struct sy_error *error)
{
    struct sy_type *out = &variant->type[type];
    const struct sy_json *to, *zone = sy_json_member(promotes, "zone");
    sy_set cells[2];
    enum sy_status status = sy_json_check_keys(variant->doc, promotes, "zone|to", error);
    status = status ? status : sy_json_get_array(variant->doc, promotes, "to", &to, error);
    if (!status && !zone) {
        status = sy_json_fail(variant->doc, promotes, error, "missing key 'zone'");
    }
    status = status ? status : sy_variant_zone(variant, zone, cells, error);
    if (status) {
        return status;
    }
    variant->piece[sy_piece_code(type, SY_WHITE)].promotion_zone = cells[0];
    variant->piece[sy_piece_code(type, SY_BLACK)].promotion_zone = cells[1];
    if (sy_json_count(to) == 0 || sy_json_count(to) > SY_MAX_PROMOTIONS) {
        return sy_json_fail(variant->doc, to, error, "must name 1 to %d pieces", SY_MAX_PROMOTIONS);
    }
    for (const struct sy_json *item = sy_json_first(to); item; item = sy_json_next(item)) {
        const unsigned target = sy_variant_type_named(variant, sy_json_string(item));
        if (target == SY_NO_TYPE || variant->type[target].royalty == SY_ROYAL_BY_CHECK || target == type) {
            return sy_json_fail(variant->doc, item, error, "must be the name of another, common piece");
        }
        out->promotions[out->promotion_count++] = (uint8_t)target;
    }
    return SY_OK;
}

static enum sy_status read_promotions(struct sy_variant *variant, const struct sy_json *pieces,
                                      struct sy_error *error)
{
    unsigned type = 0;
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece), type++) {
        const struct sy_json *promotes;
        enum sy_status status = sy_json_get_object_or(variant->doc, piece, "promotes", &promotes, error);
        status = !status && promotes ? read_promotion(variant, promotes, type, error) : status;
        if (status) {
            return status;
        }
    }
    return SY_OK;
}

/* ---- castling ---- */

static enum sy_status read_pair(const struct sy_variant *variant, const struct sy_json *object,
                                const char *key, uint8_t *from, uint8_t *to, struct sy_error *error)
{
    const struct sy_json *pair;
    enum sy_status status = sy_json_get_array(variant->doc, object, key, &pair, error);
    if (!status && sy_json_count(pair) != 2) {
        status = sy_json_fail(variant->doc, pair, error, "must be two cells, from and to");
    }
    status = status ? status : read_cell(variant, sy_json_first(pair), from, error);
    return status ? status : read_cell(variant, sy_json_next(sy_json_first(pair)), to, error);
}

static enum sy_status read_right(struct sy_variant *variant, const struct sy_json *item,
                                 struct sy_castling *castling, struct sy_error *error)
{
    const char *right, *side;
    enum sy_status status = sy_json_get_string(variant->doc, item, "right", &right, error);
    status = status ? status : sy_json_get_string(variant->doc, item, "side", &side, error);
    if (status) {
        return status;
    }
    castling->side = strcmp(side, "black") == 0 ? SY_BLACK : SY_WHITE;
    if (castling->side == SY_WHITE && strcmp(side, "white") != 0) {
        return sy_json_fail(variant->doc, sy_json_member(item, "side"), error, "must be 'white' or 'black'");
    }
    const char *known = strlen(right) == 1 ? strchr(variant->rights, right[0]) : NULL;
    const size_t count = strlen(variant->rights);
    if (strlen(right) != 1 || !isalpha((unsigned char)right[0]) || (!known && count == 8)) {
        return sy_json_fail(variant->doc, sy_json_member(item, "right"), error,
                            "must be one letter; a game has at most 8 rights");
    }
    castling->right = (uint8_t)(known ? (size_t)(known - variant->rights) : count);
    variant->rights[castling->right] = right[0];
    return SY_OK;
}

static enum sy_status read_castling(struct sy_variant *variant, const struct sy_json *item,
                                    struct sy_error *error)
{
    struct sy_castling *castling = &variant->castling[variant->castlings];
    const struct sy_json *empty, *safe;
    enum sy_status status = sy_json_check_keys(variant->doc, item, "right|side|king|rook|empty|safe", error);
    status = status ? status : read_right(variant, item, castling, error);
    status =
        status ? status : read_pair(variant, item, "king", &castling->king_from, &castling->king_to, error);
    status =
        status ? status : read_pair(variant, item, "rook", &castling->rook_from, &castling->rook_to, error);
    status = status ? status : sy_json_get_array(variant->doc, item, "empty", &empty, error);
    status = status ? status : sy_json_get_array(variant->doc, item, "safe", &safe, error);
    status = status ? status : read_patterns(variant, empty, &castling->empty, error);
    status = status ? status : read_patterns(variant, safe, &castling->safe, error);
    if (status) {
        return status;
    }
    if (variant->check_royal == SY_NO_TYPE) {
        return sy_json_fail(variant->doc, item, error, "castling needs a piece that is royal by check");
    }
    const unsigned king = sy_piece_code(variant->check_royal, castling->side);
    if (sy_has(sy_variant_empty_reach(variant, king, castling->king_from), castling->king_to)) {
        return sy_json_fail(
            variant->doc, item, error,
            "the king's from and to are an ordinary move of his, so the two could not be told apart");
    }
    if (castling->king_from == castling->rook_from || castling->king_to == castling->rook_to) {
        return sy_json_fail(
            variant->doc, item, error, "king and rook overlap on %s",
            variant->board
                ->name[castling->king_from == castling->rook_from ? castling->king_from : castling->king_to]);
    }
    variant->side_rights[castling->side] |= (uint8_t)(1U << castling->right);
    variant->rights_kept[castling->king_from] &= (uint8_t) ~(1U << castling->right);
    variant->rights_kept[castling->rook_from] &= (uint8_t) ~(1U << castling->right);
    variant->castlings++;
    return SY_OK;
}

static enum sy_status read_castlings(struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json *list;
    memset(variant->rights_kept, 255, sizeof variant->rights_kept);
    enum sy_status status =
        sy_json_get_array_or(variant->doc, sy_json_root(variant->doc), "castling", &list, error);
    if (!status && list && sy_json_count(list) > SY_MAX_CASTLINGS) {
        status = sy_json_fail(variant->doc, list, error, "at most %d castlings", SY_MAX_CASTLINGS);
    }
    for (const struct sy_json *item = list && !status ? sy_json_first(list) : NULL; item && !status;
         item = sy_json_next(item)) {
        status = read_castling(variant, item, error);
    }
    variant->fen_castling = variant->castlings > 0;
    return status;
}

/* ---- endings ---- */

/* Points of one ending: a multiple of 1/4 from 0 to 1, since scores are categories of the fit. */
static enum sy_status read_points(const struct sy_variant *variant, const struct sy_json *object,
                                  const char *key, double *points, struct sy_error *error)
{
    const enum sy_status status = sy_json_get_double_or(variant->doc, object, key, 0, 1, points, error);
    if (!status && *points >= 0 && *points * 4 != floor(*points * 4)) {
        return sy_json_fail(variant->doc, sy_json_member(object, key), error,
                            "points are 0, 0.25, 0.5, 0.75 or 1");
    }
    return status;
}

/* The types listed by name, as bits. */
static enum sy_status read_types(const struct sy_variant *variant, const struct sy_json *object,
                                 const char *key, uint32_t *types, struct sy_error *error)
{
    const struct sy_json *list;
    enum sy_status status = sy_json_get_array_or(variant->doc, object, key, &list, error);
    for (const struct sy_json *item = list && !status ? sy_json_first(list) : NULL; item;
         item = sy_json_next(item)) {
        const unsigned type = sy_variant_type_named(variant, sy_json_string(item));
        if (type == SY_NO_TYPE) {
            return sy_json_fail(variant->doc, item, error, "must be the name of a piece");
        }
        *types |= 1U << type;
    }
    return status;
}

static enum sy_status read_counting_rules(struct sy_variant *variant, const struct sy_json *ends,
                                          struct sy_error *error)
{
    struct sy_endings *endings = &variant->endings;
    const struct sy_json *repetition, *progress, *insufficient;
    int64_t count = 3, plies = 100;
    enum sy_status status = sy_json_get_object_or(variant->doc, ends, "repetition", &repetition, error);
    status = status ? status : sy_json_get_object_or(variant->doc, ends, "no progress", &progress, error);
    status = status
                 ? status
                 : sy_json_get_object_or(variant->doc, ends, "insufficient material", &insufficient, error);
    if (!status && repetition) {
        status = sy_json_check_keys(variant->doc, repetition, "count|points", error);
        status = status ? status : sy_json_get_int(variant->doc, repetition, "count", 2, 100, &count, error);
        endings->repetition = 0.5;
        status = status ? status : read_points(variant, repetition, "points", &endings->repetition, error);
    }
    if (!status && progress) {
        status = sy_json_check_keys(variant->doc, progress, "plies|points", error);
        status = status ? status : sy_json_get_int(variant->doc, progress, "plies", 2, 1000, &plies, error);
        endings->no_progress = 0.5;
        status = status ? status : read_points(variant, progress, "points", &endings->no_progress, error);
    }
    if (!status && insufficient) {
        status = sy_json_check_keys(variant->doc, insufficient, "points|alone|one colour", error);
        endings->insufficient = 0.5;
        status =
            status ? status : read_points(variant, insufficient, "points", &endings->insufficient, error);
        status =
            status ? status : read_types(variant, insufficient, "alone", &endings->insufficient_alone, error);
        status = status ? status
                        : read_types(variant, insufficient, "one colour", &endings->insufficient_one_colour,
                                     error);
    }
    endings->repetition_count = (unsigned)count;
    endings->no_progress_plies = (unsigned)plies;
    return status;
}

static enum sy_status read_endings(struct sy_variant *variant, struct sy_error *error)
{
    struct sy_endings *endings = &variant->endings;
    const struct sy_json *ends;
    *endings = (struct sy_endings){.checkmate = -1,
                                   .stalemate = -1,
                                   .royal_captured = -1,
                                   .bare_royal = -1,
                                   .repetition = -1,
                                   .no_progress = -1,
                                   .insufficient = -1};
    enum sy_status status =
        sy_json_get_object(variant->doc, sy_json_root(variant->doc), "ends", &ends, error);
    status = status
                 ? status
                 : sy_json_check_keys(variant->doc, ends,
                                      "checkmate|stalemate|royal captured|bare royal|repetition|no progress|"
                                      "insufficient material",
                                      error);
    status = status ? status : read_points(variant, ends, "checkmate", &endings->checkmate, error);
    status = status ? status : read_points(variant, ends, "stalemate", &endings->stalemate, error);
    status = status ? status : read_points(variant, ends, "royal captured", &endings->royal_captured, error);
    status = status ? status : read_points(variant, ends, "bare royal", &endings->bare_royal, error);
    status = status ? status : read_counting_rules(variant, ends, error);
    if (status) {
        return status;
    }
    if (endings->stalemate < 0) {
        return sy_json_fail(variant->doc, ends, error,
                            "missing key 'stalemate': the points of a side that can't move");
    }
    if (variant->check_royal != SY_NO_TYPE && endings->checkmate < 0) {
        return sy_json_fail(variant->doc, ends, error,
                            "missing key 'checkmate': the points of the side mated");
    }
    if (variant->capture_royals && endings->royal_captured < 0) {
        return sy_json_fail(variant->doc, ends, error,
                            "missing key 'royal captured': the points of the side that lost its royal");
    }
    return SY_OK;
}

/* ---- values ---- */

/* {"pawn": 1, ...} into an array by material; materials left out stay as they are. */
static enum sy_status read_values(const struct sy_variant *variant, const struct sy_json *object,
                                  double values[SY_MAX_TYPES], struct sy_error *error)
{
    for (const struct sy_json *member = sy_json_first(object); member; member = sy_json_next(member)) {
        const unsigned material = material_named(variant, sy_json_key(member));
        if (material == SY_NO_TYPE || variant->material_royal[material]) {
            return sy_json_fail(variant->doc, member, error, "'%s' is no piece that has a value",
                                sy_json_key(member));
        }
        const double value = sy_json_number(member);
        if (!(value >= 0 && value <= 100)) {
            return sy_json_fail(variant->doc, member, error, "must be a number from 0 to 100");
        }
        values[material] = value;
    }
    return SY_OK;
}

static enum sy_status read_suggestion(struct sy_variant *variant, const struct sy_json *item,
                                      struct sy_error *error)
{
    struct sy_suggested *suggested = &variant->suggested[variant->suggestions];
    const char *by, *source = "";
    const struct sy_json *values;
    enum sy_status status = sy_json_check_keys(variant->doc, item, "by|source|values", error);
    status = status ? status : sy_json_get_string(variant->doc, item, "by", &by, error);
    status = status ? status : sy_json_get_string_or(variant->doc, item, "source", &source, error);
    status = status ? status : sy_json_get_object(variant->doc, item, "values", &values, error);
    if (status) {
        return status;
    }
    if (strlen(by) >= sizeof suggested->by || strlen(source) >= sizeof suggested->source) {
        return sy_json_fail(variant->doc, item, error, "\"by\" has at most %zu characters, \"source\" %zu",
                            sizeof suggested->by - 1, sizeof suggested->source - 1);
    }
    strcpy(suggested->by, by);
    strcpy(suggested->source, source);
    for (unsigned i = 0; i < SY_MAX_TYPES; i++) {
        suggested->value[i] = NAN;
    }
    variant->suggestions++;
    return read_values(variant, values, suggested->value, error);
}

/* What an engine believes: the file's "values"; else the first suggested table; else mobility. */
static void choose_believed(struct sy_variant *variant)
{
    sy_variant_guess_values(variant);
    for (unsigned i = 0; variant->suggestions && i < variant->materials; i++) {
        if (!isnan(variant->suggested[0].value[i])) {
            variant->believed[i] = variant->suggested[0].value[i];
        }
    }
}

static enum sy_status read_all_values(struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(variant->doc), *values, *list;
    const char *unit = NULL;
    enum sy_status status = sy_json_get_string_or(variant->doc, root, "unit", &unit, error);
    status = status ? status : sy_json_get_object_or(variant->doc, root, "values", &values, error);
    status = status ? status : sy_json_get_array_or(variant->doc, root, "suggested", &list, error);
    if (status) {
        return status;
    }
    while (variant->unit_material < variant->materials && variant->material_royal[variant->unit_material]) {
        variant->unit_material++;
    }
    if (unit) {
        variant->unit_material = material_named(variant, unit);
    }
    if (variant->unit_material >= variant->materials || variant->material_royal[variant->unit_material]) {
        return sy_json_fail(variant->doc, unit ? sy_json_member(root, "unit") : root, error,
                            "the unit must be the material of a common piece");
    }
    if (list && sy_json_count(list) > SY_MAX_SUGGESTED) {
        return sy_json_fail(variant->doc, list, error, "at most %d tables", SY_MAX_SUGGESTED);
    }
    for (const struct sy_json *item = list ? sy_json_first(list) : NULL; item && !status;
         item = sy_json_next(item)) {
        status = read_suggestion(variant, item, error);
    }
    if (status) {
        return status;
    }
    choose_believed(variant);
    variant->believed_given = values != NULL;
    return values ? read_values(variant, values, variant->believed, error) : SY_OK;
}

/* ---- start ---- */

static enum sy_status put_list(const struct sy_variant *variant, const struct sy_json *pieces, unsigned side,
                               struct sy_position *position, struct sy_error *error)
{
    for (const struct sy_json *member = sy_json_first(pieces); member; member = sy_json_next(member)) {
        const unsigned type = sy_variant_type_named(variant, sy_json_key(member));
        if (type == SY_NO_TYPE || sy_json_kind(member) != SY_JSON_ARRAY) {
            return sy_json_fail(variant->doc, member, error,
                                "must be \"PIECE\": [cells] with the name of a piece");
        }
        for (const struct sy_json *item = sy_json_first(member); item; item = sy_json_next(item)) {
            uint8_t cell;
            const enum sy_status status = read_cell(variant, item, &cell, error);
            if (status) {
                return status;
            }
            if (position->piece[cell] != SY_NO_PIECE) {
                return sy_json_fail(variant->doc, item, error, "two pieces overlap on %s",
                                    variant->board->name[cell]);
            }
            sy_position_put(position, cell, sy_piece_code(type, side));
        }
    }
    return SY_OK;
}

/* {"white": {"king": ["e1"], ...}, "black": {...} or "mirrored"} */
static enum sy_status place_start(const struct sy_variant *variant, const struct sy_json *start,
                                  struct sy_position *position, struct sy_error *error)
{
    const struct sy_json *white, *black = sy_json_member(start, "black");
    enum sy_status status = sy_json_check_keys(variant->doc, start, "white|black", error);
    status = status ? status : sy_json_get_object(variant->doc, start, "white", &white, error);
    if (status) {
        return status;
    }
    sy_position_clear(position, variant);
    position->castling = (uint8_t)((1U << strlen(variant->rights)) - 1);
    status = put_list(variant, white, SY_WHITE, position, error);
    if (status) {
        return status;
    }
    if (black && sy_json_kind(black) == SY_JSON_OBJECT) {
        status = put_list(variant, black, SY_BLACK, position, error);
    } else if (black && sy_json_string(black) && strcmp(sy_json_string(black), "mirrored") == 0) {
        for (unsigned cell = 0; cell < variant->cells; cell++) {
            const unsigned piece = position->piece[cell], mirror = variant->mirror[cell];
            if (piece != SY_NO_PIECE && sy_piece_side(piece) == SY_WHITE) {
                if (position->piece[mirror] != SY_NO_PIECE) {
                    return sy_json_fail(variant->doc, start, error, "two pieces overlap on %s",
                                        variant->board->name[mirror]);
                }
                sy_position_put(position, mirror, piece ^ 1U);
            }
        }
    } else {
        return sy_json_fail(variant->doc, start, error, "\"black\" must be an object or \"mirrored\"");
    }
    struct sy_error reason;
    status = status ? status
             : sy_position_finish(position, &reason)
                 ? sy_json_fail(variant->doc, start, error, "%s", reason.message)
                 : SY_OK;
    return status;
}

static enum sy_status check_balance(const struct sy_variant *variant, const struct sy_json *start,
                                    const struct sy_position *position, struct sy_error *error)
{
    for (unsigned type = 0; type < variant->types; type++) {
        const int white = sy_count(sy_pieces(position, type, SY_WHITE));
        const int black = sy_count(sy_pieces(position, type, SY_BLACK));
        if (white != black) {
            return sy_json_fail(
                variant->doc, start, error,
                "the colours are out of balance: White has %d of %s, Black %d; if that is meant, add "
                "\"balanced\": false",
                white, variant->type[type].name, black);
        }
    }
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        const unsigned piece = position->piece[cell], other = position->piece[variant->mirror[cell]];
        if (piece != SY_NO_PIECE && other != (piece ^ 1U)) {
            return sy_json_fail(
                variant->doc, start, error,
                "the colours are out of balance: what stands on %s has no counterpart on %s; choose "
                "\"symmetry\": \"flip\" or \"turn\", or add \"balanced\": false",
                variant->board->name[cell], variant->board->name[variant->mirror[cell]]);
        }
    }
    return SY_OK;
}

/* Can a piece of this code, from the cells it starts on, ever end a move in its promotion zone? */
static bool reaches_promotion(const struct sy_variant *variant, unsigned piece, sy_set cells)
{
    sy_set seen = cells;
    while (cells) {
        const sy_set next = sy_variant_empty_reach(variant, piece, sy_pop(&cells));
        if (next & variant->piece[piece].promotion_zone) {
            return true;
        }
        cells |= next & ~seen;
        seen |= next;
    }
    return false;
}

static enum sy_status check_promotions(const struct sy_variant *variant, const struct sy_json *pieces,
                                       const struct sy_position *start, struct sy_error *error)
{
    unsigned type = 0;
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece), type++) {
        for (unsigned side = 0; side < 2; side++) {
            const sy_set cells = sy_pieces(start, type, side);
            if (variant->type[type].promotion_count && cells &&
                !reaches_promotion(variant, sy_piece_code(type, side), cells)) {
                return sy_json_fail(variant->doc, sy_json_member(piece, "promotes"), error,
                                    "unreachable promotion: no %s of %s can get to its zone",
                                    variant->type[type].name, side ? "Black" : "White");
            }
        }
    }
    return SY_OK;
}

static enum sy_status read_start(struct sy_variant *variant, const struct sy_json *pieces,
                                 struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(variant->doc), *start = sy_json_member(root, "start");
    struct sy_position position;
    struct sy_error reason;
    bool balanced = true;
    enum sy_status status = sy_json_get_bool_or(variant->doc, root, "balanced", &balanced, error);
    if (status) {
        return status;
    }
    if (!start) {
        return sy_json_fail(variant->doc, root, error, "missing key 'start'");
    }
    if (sy_json_kind(start) == SY_JSON_OBJECT) {
        status = place_start(variant, start, &position, error);
    } else if (!sy_json_string(start)) {
        status = sy_json_fail(variant->doc, start, error, "must be a FEN, or lists of cells for each side");
    } else if (sy_fen_parse(variant, sy_json_string(start), &position, &reason)) {
        status = sy_json_fail(variant->doc, start, error, "%s", reason.message);
    }
    if (status) {
        return status;
    }
    variant->start = sy_fen(&position);
    status = balanced ? check_balance(variant, start, &position, error) : SY_OK;
    return status ? status : check_promotions(variant, pieces, &position, error);
}

/* ---- the whole ---- */

static enum sy_status read_symmetry(struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json *root = sy_json_root(variant->doc);
    const char *symmetry = "flip";
    const enum sy_status status = sy_json_get_string_or(variant->doc, root, "symmetry", &symmetry, error);
    if (status) {
        return status;
    }
    const bool turn = strcmp(symmetry, "turn") == 0;
    if (!turn && strcmp(symmetry, "flip") != 0) {
        return sy_json_fail(variant->doc, sy_json_member(root, "symmetry"), error,
                            "must be 'flip' or 'turn'");
    }
    memcpy(variant->mirror, turn ? variant->board->turn : variant->board->flip, sizeof variant->mirror);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        if (variant->mirror[cell] == SY_NO_CELL) {
            return sy_json_fail(
                variant->doc, root, error, "this board has no symmetry '%s'; try \"symmetry\": \"%s\"%s",
                symmetry, turn ? "flip" : "turn",
                strcmp(variant->board->kind, "cells") == 0 ? " and \"mirror\" in the board" : "");
        }
    }
    return SY_OK;
}

/* Zobrist keys from a fixed seed: a position's key depends on the tables' shape alone. */
static void draw_keys(struct sy_variant *variant)
{
    struct sy_random random = sy_random_stream(0x5354454c59415244ULL, 0, 0);
    for (unsigned piece = 0; piece < SY_MAX_PIECES; piece++) {
        for (unsigned cell = 0; cell < SY_MAX_CELLS; cell++) {
            variant->piece_key[piece][cell] = sy_random_u64(&random);
        }
    }
    for (unsigned cell = 0; cell < SY_MAX_CELLS; cell++) {
        variant->ep_key[cell] = sy_random_u64(&random);
    }
    uint64_t right_key[8];
    for (unsigned right = 0; right < 8; right++) {
        right_key[right] = sy_random_u64(&random);
    }
    for (unsigned rights = 0; rights < 256; rights++) {
        for (unsigned right = 0; right < 8; right++) {
            variant->castling_key[rights] ^= rights >> right & 1U ? right_key[right] : 0;
        }
    }
    variant->side_key = sy_random_u64(&random);
}

static enum sy_status read_variant(struct sy_variant *variant, struct sy_error *error)
{
    const struct sy_json_doc *doc = variant->doc;
    const struct sy_json *root = sy_json_root(doc), *board, *pieces;
    const char *title = variant->name, *about = NULL, *source = NULL;
    enum sy_status status = sy_json_check_keys(
        doc, root,
        "title|about|source|board|symmetry|balanced|zones|pieces|start|castling|ends|values|unit|"
        "suggested|readings|evaluation",
        error);
    status = status ? status : sy_json_get_string_or(doc, root, "title", &title, error);
    status = status ? status : sy_json_get_string_or(doc, root, "about", &about, error);
    status = status ? status : sy_json_get_string_or(doc, root, "source", &source, error);
    status = status ? status : sy_json_get_object(doc, root, "board", &board, error);
    status = status ? status : sy_json_get_object(doc, root, "pieces", &pieces, error);
    status = status ? status : sy_board_create(doc, board, &variant->board, error);
    if (status) {
        return status;
    }
    variant->title = sy_strdup(title);
    variant->cells = variant->board->cells;
    status = read_symmetry(variant, error);
    status = status ? status : check_zones(variant, error);
    status = status ? status : read_pieces(variant, pieces, error);
    status = status ? status : sy_variant_compile_moves(variant, pieces, error);
    status = status ? status : read_promotions(variant, pieces, error);
    if (!status) {
        sy_variant_find_manifold(variant);
    }
    status = status ? status : read_castlings(variant, error);
    status = status ? status : read_endings(variant, error);
    status = status ? status : read_all_values(variant, error);
    status = status ? status : sy_variant_read_evaluation(variant, error);
    if (status) {
        return status;
    }
    draw_keys(variant);
    return read_start(variant, pieces, error);
}

enum sy_status sy_variant_compile(const char *name, struct sy_json_doc *doc, struct sy_variant **out,
                                  struct sy_error *error)
{
    struct sy_variant *variant = sy_alloc(1, sizeof *variant);
    variant->name = sy_strdup(name);
    variant->doc = doc;
    const enum sy_status status = read_variant(variant, error);
    if (status) {
        sy_variant_free(variant);
        return status;
    }
    char *text = sy_json_text(sy_json_root(doc), false);
    sy_sha256(text, strlen(text), variant->digest);
    free(text);
    *out = variant;
    return SY_OK;
}
