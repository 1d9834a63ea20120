/* variant_moves: compiles the move vocabulary into tables.
 *
 * Every line is walked once on the board's half-edges and kept as a ray, the list of its cells. From the rays
 * come the forward tables (struct sy_reach: leaps, axes, walks, hops) and the reverse ones (struct
 * sy_reverse: from where a piece could capture on a cell, and what lies between). A step is a leap: nothing
 * can stand in its way. Pieces whose moves do not depend on the side share one set of tables. */
#include "variant_internal.h"

#include <stdlib.h>
#include <string.h>

enum mode { MOVE, CAPTURE, BOTH, SHOOT };
enum { LONGEST_RAY = SY_MAX_CELLS };

struct ray {
    uint8_t length;
    uint8_t onward; /* the slot by which the series would go on, SY_NO_SLOT where it ends */
    uint8_t path[LONGEST_RAY];
};

/* One entry of a piece's "moves", read. */
struct move_entry {
    const struct sy_json *json;
    enum mode mode;
    sy_set zone[2]; /* cells it is available from */
    bool exposes, en_passant;
    enum { SLIDE, HOP, LEAP_ALONG, LEAP_DISTANCE } form;
    const struct sy_directions *directions[SY_MAX_DIRECTIONS];
    unsigned direction_count;
    unsigned range, over;
    uint32_t leaps; /* lengths of the leaps along a line, as bits; or the distance */
    unsigned then, turn;
};

struct compiler {
    struct sy_variant *variant;
    struct sy_error *error;
    size_t axes, axis_capacity, walks, walk_capacity, hops, hop_capacity, path, path_capacity;
    size_t extra, extra_capacity, exposures, exposure_capacity;
};

/* Rays of one kind of line from one cell, before they become tables. */
struct bundle {
    struct ray *rays;
    size_t count, capacity;
};

static void bundle_add(struct bundle *bundle, const struct ray *ray)
{
    bundle->rays = sy_grow(bundle->rays, &bundle->capacity, bundle->count + 1, sizeof *bundle->rays);
    bundle->rays[bundle->count++] = *ray;
}

/* ---- reading an entry ---- */

static enum sy_status add_directions(const struct sy_variant *variant, const struct sy_json *value,
                                     struct move_entry *entry, struct sy_error *error)
{
    const char *name = sy_json_string(value);
    const struct sy_directions *set = name ? sy_board_directions(variant->board, name) : NULL;
    if (!set) {
        char *known = sy_board_direction_names(variant->board);
        const enum sy_status status =
            sy_json_fail(variant->doc, value, error, "'%s' is no direction of this board; it has %s",
                         name ? name : "(not a string)", known);
        free(known);
        return status;
    }
    if (entry->direction_count == SY_MAX_DIRECTIONS) {
        return sy_json_fail(variant->doc, value, error, "too many directions");
    }
    entry->directions[entry->direction_count++] = set;
    return SY_OK;
}

/* A name or a list of names. */
static enum sy_status read_directions(const struct sy_variant *variant, const struct sy_json *value,
                                      struct move_entry *entry, struct sy_error *error)
{
    if (sy_json_kind(value) != SY_JSON_ARRAY) {
        return add_directions(variant, value, entry, error);
    }
    for (const struct sy_json *item = sy_json_first(value); item; item = sy_json_next(item)) {
        const enum sy_status status = add_directions(variant, item, entry, error);
        if (status) {
            return status;
        }
    }
    return entry->direction_count ? SY_OK : sy_json_fail(variant->doc, value, error, "names no direction");
}

/* "by": a length or a list of lengths. */
static enum sy_status read_lengths(const struct sy_variant *variant, const struct sy_json *leap,
                                   struct move_entry *entry, struct sy_error *error)
{
    const struct sy_json *by = sy_json_member(leap, "by");
    const struct sy_json *item = by && sy_json_kind(by) == SY_JSON_ARRAY ? sy_json_first(by) : by;
    if (!item) {
        return sy_json_fail(variant->doc, leap, error, "needs \"by\": how many steps along the line");
    }
    for (; item; item = item == by ? NULL : sy_json_next(item)) {
        const double length = sy_json_number(item);
        if (!(length >= 1 && length <= 31) || length != (unsigned)length) {
            return sy_json_fail(variant->doc, item, error, "must be a whole number from 1 to 31");
        }
        entry->leaps |= 1U << (unsigned)length;
    }
    return SY_OK;
}

static enum sy_status read_leap(const struct sy_variant *variant, const struct sy_json *leap,
                                struct move_entry *entry, struct sy_error *error)
{
    const struct sy_json_doc *doc = variant->doc;
    enum sy_status status = sy_json_check_keys(doc, leap, "along by then turn distance", error);
    if (status) {
        return status;
    }
    int64_t then = 0, turn = 1, distance = 0;
    status = sy_json_get_int_or(doc, leap, "then", 1, 31, &then, error);
    status = status ? status : sy_json_get_int_or(doc, leap, "turn", 1, 5, &turn, error);
    status = status ? status : sy_json_get_int_or(doc, leap, "distance", 1, 31, &distance, error);
    if (status) {
        return status;
    }
    entry->then = (unsigned)then;
    entry->turn = (unsigned)turn;
    const struct sy_json *along = sy_json_member(leap, "along");
    if ((along != NULL) == (distance != 0) || (!along && sy_json_count(leap) > 1)) {
        return sy_json_fail(doc, leap, error, "must have either \"along\" and \"by\", or \"distance\" alone");
    }
    if (distance) {
        entry->form = LEAP_DISTANCE;
        entry->leaps = (uint32_t)distance;
        return SY_OK;
    }
    entry->form = LEAP_ALONG;
    status = read_directions(variant, along, entry, error);
    return status ? status : read_lengths(variant, leap, entry, error);
}

static enum sy_status read_line(const struct sy_variant *variant, const struct sy_json *json,
                                struct move_entry *entry, struct sy_error *error)
{
    int64_t range = LONGEST_RAY - 1, over = 1;
    const struct sy_json *step = sy_json_member(json, "step"), *hop = sy_json_member(json, "hop");
    enum sy_status status =
        sy_json_get_int_or(variant->doc, json, "range", 1, LONGEST_RAY - 1, &range, error);
    status = status ? status : sy_json_get_int_or(variant->doc, json, "over", 1, 8, &over, error);
    if (status) {
        return status;
    }
    if (step && sy_json_member(json, "range")) {
        return sy_json_fail(variant->doc, sy_json_member(json, "range"), error,
                            "a step is one step; write \"slide\" for more");
    }
    if (!hop && sy_json_member(json, "over")) {
        return sy_json_fail(variant->doc, sy_json_member(json, "over"), error,
                            "only a \"hop\" goes over pieces");
    }
    entry->form = hop ? HOP : SLIDE;
    entry->range = step ? 1 : (unsigned)range;
    entry->over = (unsigned)over;
    return read_directions(variant, step ? step : hop ? hop : sy_json_member(json, "slide"), entry, error);
}

static enum sy_status read_mode(const struct sy_variant *variant, const struct sy_json *json,
                                struct move_entry *entry, struct sy_error *error)
{
    static const char *const names[] = {"move", "capture", "both", "shoot"};
    const char *mode = "both";
    enum sy_status status = sy_json_get_string_or(variant->doc, json, "mode", &mode, error);
    if (status) {
        return status;
    }
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(mode, names[i]) == 0) {
            entry->mode = (enum mode)i;
            return SY_OK;
        }
    }
    return sy_json_fail(variant->doc, sy_json_member(json, "mode"), error,
                        "must be 'move', 'capture', 'both' or 'shoot'");
}

static enum sy_status read_entry(const struct sy_variant *variant, const struct sy_json *json,
                                 struct move_entry *entry, struct sy_error *error)
{
    *entry = (struct move_entry){.json = json, .zone = {~SY_EMPTY_SET, ~SY_EMPTY_SET}};
    const struct sy_json_doc *doc = variant->doc;
    enum sy_status status =
        sy_json_check_keys(doc, json, "step|slide|leap|hop|range|over|mode|from|exposes|en passant", error);
    if (status) {
        return status;
    }
    const struct sy_json *leap = sy_json_member(json, "leap");
    const int forms = (leap != NULL) + (sy_json_member(json, "step") != NULL) +
                      (sy_json_member(json, "slide") != NULL) + (sy_json_member(json, "hop") != NULL);
    if (forms != 1) {
        return sy_json_fail(doc, json, error,
                            "a move is exactly one of \"step\", \"slide\", \"leap\", \"hop\"");
    }
    status = leap ? read_leap(variant, leap, entry, error) : read_line(variant, json, entry, error);
    status = status ? status : read_mode(variant, json, entry, error);
    status = status ? status : sy_json_get_bool_or(doc, json, "exposes", &entry->exposes, error);
    status = status ? status : sy_json_get_bool_or(doc, json, "en passant", &entry->en_passant, error);
    const struct sy_json *from = sy_json_member(json, "from");
    status = !status && from ? sy_variant_zone(variant, from, entry->zone, error) : status;
    if (status) {
        return status;
    }
    const bool single = entry->form == SLIDE && entry->range == 1;
    if (entry->exposes && (entry->form != SLIDE || single || entry->mode != MOVE || entry->range > 6)) {
        return sy_json_fail(doc, json, error,
                            "\"exposes\" belongs to a slide of range 2 to 6 with \"mode\": \"move\"");
    }
    if (entry->en_passant && (!(single || leap) || entry->mode == MOVE || entry->mode == SHOOT)) {
        return sy_json_fail(doc, json, error, "\"en passant\" belongs to a step or leap that captures");
    }
    return SY_OK;
}

/* ---- walking ---- */

/* From `cell` by `slot`, up to `range` steps; a loop ends before it comes back. */
static void walk_ray(const struct sy_board *board, unsigned cell, unsigned slot, unsigned range,
                     struct ray *ray)
{
    const unsigned origin = cell;
    ray->length = 0;
    while (ray->length < range && slot != SY_NO_SLOT) {
        const unsigned next = board->next_cell[cell][slot];
        if (next == SY_NO_CELL || next == origin || ray->length == LONGEST_RAY - 1) {
            break;
        }
        ray->path[ray->length++] = (uint8_t)next;
        slot = board->next_slot[cell][slot];
        cell = next;
    }
    ray->onward = (uint8_t)slot;
}

static unsigned start_slots(const struct move_entry *entry, unsigned side, unsigned cell)
{
    unsigned slots = 0;
    for (unsigned i = 0; i < entry->direction_count; i++) {
        slots |= entry->directions[i]->slots[side][cell];
    }
    return slots;
}

/* The leaper's target after `by` steps and, having turned to either side, `then` more. */
static sy_set bent_leap(const struct sy_board *board, unsigned cell, unsigned slot, unsigned by,
                        const struct move_entry *entry)
{
    struct ray first, second;
    sy_set reached = SY_EMPTY_SET;
    walk_ray(board, cell, slot, by, &first);
    if (first.length < by || first.onward >= board->edges) {
        return reached;
    }
    for (unsigned side = 0; side < 2; side++) {
        const unsigned turned =
            (first.onward + (side ? board->edges - entry->turn : entry->turn)) % board->edges;
        walk_ray(board, first.path[by - 1], turned, entry->then, &second);
        if (second.length == entry->then) {
            reached |= sy_bit(second.path[second.length - 1]);
        }
    }
    return reached & ~sy_bit(cell);
}

static sy_set leap_targets(const struct sy_board *board, const struct move_entry *entry, unsigned side,
                           unsigned cell)
{
    sy_set reached = SY_EMPTY_SET;
    if (entry->form == LEAP_DISTANCE) {
        for (unsigned other = 0; other < board->cells; other++) {
            reached |= board->distance[cell][other] == entry->leaps ? sy_bit(other) : SY_EMPTY_SET;
        }
        return reached;
    }
    for (unsigned slots = start_slots(entry, side, cell); slots; slots &= slots - 1) {
        const unsigned slot = (unsigned)__builtin_ctz(slots);
        for (uint32_t leaps = entry->leaps; leaps; leaps &= leaps - 1) {
            const unsigned by = (unsigned)__builtin_ctz(leaps);
            struct ray ray;
            if (entry->then) {
                reached |= bent_leap(board, cell, slot, by, entry);
                continue;
            }
            walk_ray(board, cell, slot, by, &ray);
            if (ray.length == by) {
                reached |= sy_bit(ray.path[by - 1]);
            }
        }
    }
    return reached;
}

/* ---- forward tables ---- */

static sy_set ray_set(const struct ray *ray, unsigned length)
{
    sy_set set = SY_EMPTY_SET;
    for (unsigned i = 0; i < length; i++) {
        set |= sy_bit(ray->path[i]);
    }
    return set;
}

/* 1 when the path rises from the origin, -1 when it falls, 0 otherwise. */
static int ray_order(const struct ray *ray, unsigned origin)
{
    bool rising = true, falling = true;
    unsigned last = origin;
    for (unsigned i = 0; i < ray->length; i++) {
        rising = rising && ray->path[i] > last;
        falling = falling && ray->path[i] < last;
        last = ray->path[i];
    }
    return rising ? 1 : falling ? -1 : 0;
}

static uint16_t keep_path(struct compiler *compiler, const struct ray *ray)
{
    struct sy_variant *variant = compiler->variant;
    const size_t first = compiler->path;
    variant->path = sy_grow(variant->path, &compiler->path_capacity, first + ray->length, 1);
    memcpy(variant->path + first, ray->path, ray->length);
    compiler->path += ray->length;
    return (uint16_t)first;
}

/* Pairs rising and falling rays into axes; the others become walks. */
static void keep_slides(struct compiler *compiler, const struct bundle *bundle, unsigned origin,
                        struct sy_lines *lines)
{
    struct sy_variant *variant = compiler->variant;
    lines->axis = (uint32_t)compiler->axes;
    lines->walk = (uint32_t)compiler->walks;
    size_t low = compiler->axes, high = compiler->axes;
    for (size_t i = 0; i < bundle->count; i++) {
        const struct ray *ray = &bundle->rays[i];
        const int order = ray_order(ray, origin);
        if (order == 0) {
            const struct sy_walk walk = {.first = keep_path(compiler, ray), .length = ray->length};
            variant->walks = sy_grow(variant->walks, &compiler->walk_capacity, compiler->walks + 1,
                                     sizeof *variant->walks);
            variant->walks[compiler->walks++] = walk;
            continue;
        }
        size_t *end = order > 0 ? &high : &low;
        if (*end == compiler->axes) {
            variant->axes =
                sy_grow(variant->axes, &compiler->axis_capacity, compiler->axes + 1, sizeof *variant->axes);
            variant->axes[compiler->axes++] = (struct sy_axis){SY_EMPTY_SET, SY_EMPTY_SET};
        }
        *(order > 0 ? &variant->axes[*end].high : &variant->axes[*end].low) = ray_set(ray, ray->length);
        (*end)++;
    }
    lines->axes = (uint8_t)(compiler->axes - lines->axis);
    lines->walks = (uint8_t)(compiler->walks - lines->walk);
}

static void keep_hops(struct compiler *compiler, const struct bundle *bundle, unsigned origin, unsigned over,
                      struct sy_lines *lines)
{
    struct sy_variant *variant = compiler->variant;
    lines->hop = (uint32_t)compiler->hops;
    lines->hops = (uint8_t)bundle->count;
    for (size_t i = 0; i < bundle->count; i++) {
        const struct ray *ray = &bundle->rays[i];
        variant->hop_rays = sy_grow(variant->hop_rays, &compiler->hop_capacity, compiler->hops + 1,
                                    sizeof *variant->hop_rays);
        variant->hop_rays[compiler->hops++] = (struct sy_hop){.mask = ray_set(ray, ray->length),
                                                              .first = keep_path(compiler, ray),
                                                              .length = ray->length,
                                                              .order = (int8_t)ray_order(ray, origin),
                                                              .over = (uint8_t)over};
    }
}

/* ---- reverse tables ---- */

struct reverse_tables {
    struct sy_reverse *reverse;
    sy_set *slide_between, *hop_between;
    uint8_t hop_over;
};

/* Lines past the first between the same two cells, for one target at a time (they must be contiguous). */
struct pending_extra {
    uint8_t target;
    struct sy_extra_line line;
};
struct pending {
    struct pending_extra *items;
    size_t count, capacity;
};

static void note_line(const struct sy_variant *variant, struct reverse_tables *tables,
                      struct pending *pending, unsigned from, const struct ray *ray, unsigned index,
                      unsigned over)
{
    const unsigned target = ray->path[index];
    struct sy_reverse *reverse = &tables->reverse[target];
    sy_set *between = (over ? tables->hop_between : tables->slide_between) + target * variant->cells + from;
    sy_set *sources = over ? &reverse->hop : &reverse->slide;
    const sy_set path = ray_set(ray, index);
    if (!sy_has(*sources, from)) {
        *sources |= sy_bit(from);
        *between = path;
        return;
    }
    bool known = *between == path;
    for (size_t i = 0; i < pending->count; i++) {
        const struct pending_extra *item = &pending->items[i];
        known = known || (item->target == target && item->line.from == from && item->line.over == over &&
                          item->line.between == path);
    }
    if (!known) {
        pending->items =
            sy_grow(pending->items, &pending->capacity, pending->count + 1, sizeof *pending->items);
        pending->items[pending->count++] =
            (struct pending_extra){(uint8_t)target, {path, (uint8_t)from, (uint8_t)over}};
    }
}

static void note_bundle(const struct sy_variant *variant, struct reverse_tables *tables,
                        struct pending *pending, unsigned from, const struct bundle *bundle, unsigned over)
{
    for (size_t i = 0; i < bundle->count; i++) {
        for (unsigned index = over; index < bundle->rays[i].length; index++) {
            note_line(variant, tables, pending, from, &bundle->rays[i], index, over);
        }
    }
}

static void keep_extras(struct compiler *compiler, struct reverse_tables *tables,
                        const struct pending *pending)
{
    struct sy_variant *variant = compiler->variant;
    for (unsigned target = 0; target < variant->cells; target++) {
        tables->reverse[target].extra = (uint16_t)compiler->extra;
        for (size_t i = 0; i < pending->count; i++) {
            if (pending->items[i].target == target) {
                variant->extra = sy_grow(variant->extra, &compiler->extra_capacity, compiler->extra + 1,
                                         sizeof *variant->extra);
                variant->extra[compiler->extra++] = pending->items[i].line;
            }
        }
        tables->reverse[target].extras = (uint16_t)(compiler->extra - tables->reverse[target].extra);
    }
}

/* ---- a piece ---- */

/* What the entries of one piece give from one cell. */
struct harvest {
    struct sy_reach reach;
    struct bundle slides[4], hops[4]; /* by mode */
};

static void harvest_entry(const struct sy_variant *variant, const struct move_entry *entry, unsigned side,
                          unsigned cell, struct harvest *harvest)
{
    const struct sy_board *board = variant->board;
    sy_set leaps = SY_EMPTY_SET;
    if (!sy_has(entry->zone[side], cell)) {
        return;
    }
    if (entry->form == LEAP_ALONG || entry->form == LEAP_DISTANCE) {
        leaps = leap_targets(board, entry, side, cell);
    } else {
        for (unsigned slots = start_slots(entry, side, cell); slots; slots &= slots - 1) {
            struct ray ray;
            walk_ray(board, cell, (unsigned)__builtin_ctz(slots), entry->range, &ray);
            if (entry->form == HOP) {
                bundle_add(&harvest->hops[entry->mode], &ray);
            } else if (ray.length == 1) {
                leaps |= sy_bit(ray.path[0]);
            } else if (ray.length > 1) {
                bundle_add(&harvest->slides[entry->mode], &ray);
            }
        }
    }
    harvest->reach.quiet_leap |= entry->mode == MOVE || entry->mode == BOTH ? leaps : SY_EMPTY_SET;
    harvest->reach.capture_leap |= entry->mode == CAPTURE || entry->mode == BOTH ? leaps : SY_EMPTY_SET;
    harvest->reach.shot_leap |= entry->mode == SHOOT ? leaps : SY_EMPTY_SET;
}

static void keep_harvest(struct compiler *compiler, struct harvest *harvest, unsigned cell, unsigned over,
                         struct reverse_tables *tables, struct pending *pending)
{
    struct sy_reach *reach = &harvest->reach;
    struct sy_lines *const lines[4] = {&reach->quiet, &reach->capture, &reach->both, &reach->shot};
    for (unsigned mode = 0; mode < 4; mode++) {
        keep_slides(compiler, &harvest->slides[mode], cell, lines[mode]);
        keep_hops(compiler, &harvest->hops[mode], cell, over, lines[mode]);
        if (mode != MOVE) {
            note_bundle(compiler->variant, tables, pending, cell, &harvest->slides[mode], 0);
            note_bundle(compiler->variant, tables, pending, cell, &harvest->hops[mode], over);
        }
        free(harvest->slides[mode].rays);
        free(harvest->hops[mode].rays);
    }
    const sy_set leaps = reach->capture_leap | reach->shot_leap;
    for (sy_set left = leaps; left;) {
        tables->reverse[sy_pop(&left)].leap |= sy_bit(cell);
    }
}

static bool any_shot(const struct sy_reach *reach)
{
    return reach->shot_leap || reach->shot.axes || reach->shot.walks || reach->shot.hops;
}

/* What shoots as it captures has one set of rays, so that both are found at once. */
static void share_hops(const struct sy_variant *variant, struct sy_reach *reach)
{
    const struct sy_lines *capture = &reach->capture;
    struct sy_lines *shot = &reach->shot;
    bool same = capture->hops == shot->hops;
    for (unsigned i = 0; same && i < shot->hops; i++) {
        const struct sy_hop *a = &variant->hop_rays[capture->hop + i], *b = &variant->hop_rays[shot->hop + i];
        same = a->mask == b->mask && a->over == b->over && a->order == b->order &&
               memcmp(variant->path + a->first, variant->path + b->first, a->length) == 0;
    }
    if (same) {
        shot->hop = capture->hop;
    }
}

static void compile_piece(struct compiler *compiler, unsigned piece, const struct move_entry *entries,
                          size_t count)
{
    struct sy_variant *variant = compiler->variant;
    const unsigned cells = variant->cells;
    struct sy_reach *reach = sy_variant_block(variant, cells, sizeof *reach);
    struct reverse_tables tables = {.reverse = sy_variant_block(variant, cells, sizeof *tables.reverse)};
    struct pending pending = {NULL, 0, 0};
    bool slides = false;
    unsigned over = 0;
    for (size_t i = 0; i < count; i++) {
        slides = slides || (entries[i].form == SLIDE && entries[i].mode != MOVE && entries[i].range > 1);
        over = entries[i].form == HOP ? entries[i].over : over;
    }
    if (slides) {
        tables.slide_between = sy_variant_block(variant, (size_t)cells * cells, sizeof(sy_set));
    }
    if (over) {
        tables.hop_between = sy_variant_block(variant, (size_t)cells * cells, sizeof(sy_set));
    }
    struct sy_piece *compiled = &variant->piece[piece];
    for (unsigned cell = 0; cell < cells; cell++) {
        struct harvest harvest;
        memset(&harvest, 0, sizeof harvest);
        for (size_t i = 0; i < count; i++) {
            harvest_entry(variant, &entries[i], sy_piece_side(piece), cell, &harvest);
        }
        keep_harvest(compiler, &harvest, cell, over, &tables, &pending);
        share_hops(variant, &harvest.reach);
        reach[cell] = harvest.reach;
        compiled->shoots = compiled->shoots || any_shot(&harvest.reach);
    }
    keep_extras(compiler, &tables, &pending);
    free(pending.items);
    compiled->reach = reach;
    compiled->reverse = tables.reverse;
    compiled->slide_between = tables.slide_between;
    compiled->hop_between = tables.hop_between;
    compiled->hop_over = (uint8_t)over;
}

/* ---- en passant ---- */

static void expose(struct compiler *compiler, unsigned piece, const struct move_entry *entry)
{
    struct sy_variant *variant = compiler->variant;
    struct sy_piece *compiled = &variant->piece[piece];
    const unsigned side = sy_piece_side(piece);
    sy_set *targets = compiled->exposing ? (sy_set *)(uintptr_t)compiled->exposing
                                         : sy_variant_block(variant, variant->cells, sizeof *targets);
    struct sy_exposure *list = NULL;
    size_t count = compiled->exposure_count, capacity = 0;
    list = sy_grow(list, &capacity, count + 1, sizeof *list);
    if (count) {
        memcpy(list, compiled->exposures, count * sizeof *list);
    }
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        for (unsigned slots = sy_has(entry->zone[side], cell) ? start_slots(entry, side, cell) : 0; slots;
             slots &= slots - 1) {
            struct ray ray;
            walk_ray(variant->board, cell, (unsigned)__builtin_ctz(slots), entry->range, &ray);
            for (unsigned i = 1; i < ray.length; i++) {
                struct sy_exposure exposure = {
                    .from = (uint8_t)cell, .to = ray.path[i], .passed_count = (uint8_t)i};
                memcpy(exposure.passed, ray.path, i);
                exposure.cells = ray_set(&ray, i);
                list = sy_grow(list, &capacity, count + 1, sizeof *list);
                list[count++] = exposure;
                targets[cell] |= sy_bit(ray.path[i]);
            }
        }
    }
    struct sy_exposure *kept = sy_variant_block(variant, count + 1, sizeof *kept);
    memcpy(kept, list, count * sizeof *kept);
    free(list);
    compiled->exposing = targets;
    compiled->exposures = kept;
    compiled->exposure_count = (unsigned)count;
}

static void take_en_passant(struct compiler *compiler, unsigned piece, const struct move_entry *entry)
{
    struct sy_variant *variant = compiler->variant;
    struct sy_piece *compiled = &variant->piece[piece];
    const unsigned side = sy_piece_side(piece);
    sy_set *from = compiled->en_passant_from ? (sy_set *)(uintptr_t)compiled->en_passant_from
                                             : sy_variant_block(variant, variant->cells, sizeof *from);
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        if (!sy_has(entry->zone[side], cell)) {
            continue;
        }
        sy_set targets =
            entry->form == SLIDE ? SY_EMPTY_SET : leap_targets(variant->board, entry, side, cell);
        for (unsigned slots = entry->form == SLIDE ? start_slots(entry, side, cell) : 0; slots;
             slots &= slots - 1) {
            const unsigned next = variant->board->next_cell[cell][__builtin_ctz(slots)];
            targets |= next == SY_NO_CELL ? SY_EMPTY_SET : sy_bit(next);
        }
        while (targets) {
            from[sy_pop(&targets)] |= sy_bit(cell);
        }
    }
    compiled->en_passant_from = from;
}

/* ---- all pieces ---- */

static bool depends_on_side(const struct move_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (entries[i].zone[0] != entries[i].zone[1]) {
            return true;
        }
        for (unsigned d = 0; d < entries[i].direction_count; d++) {
            const struct sy_directions *set = entries[i].directions[d];
            if (memcmp(set->slots[0], set->slots[1], sizeof set->slots[0]) != 0) {
                return true;
            }
        }
    }
    return false;
}

static enum sy_status check_hops(const struct sy_variant *variant, const struct move_entry *entries,
                                 size_t count, struct sy_error *error)
{
    unsigned over = 0;
    for (size_t i = 0; i < count; i++) {
        if (entries[i].form == HOP && over && entries[i].over != over) {
            return sy_json_fail(variant->doc, entries[i].json, error,
                                "all hops of one piece go over the same number of pieces");
        }
        over = entries[i].form == HOP ? entries[i].over : over;
    }
    return SY_OK;
}

static enum sy_status compile_type(struct compiler *compiler, unsigned type, const struct sy_json *moves)
{
    struct sy_variant *variant = compiler->variant;
    const size_t count = sy_json_count(moves);
    struct move_entry *entries = sy_alloc(count + 1, sizeof *entries);
    enum sy_status status = SY_OK;
    size_t read = 0;
    for (const struct sy_json *item = sy_json_first(moves); item && !status; item = sy_json_next(item)) {
        status = read_entry(variant, item, &entries[read++], compiler->error);
    }
    status = status ? status : check_hops(variant, entries, count, compiler->error);
    const unsigned sides = status ? 0 : depends_on_side(entries, count) ? 2 : 1;
    for (unsigned side = 0; side < sides; side++) {
        const unsigned piece = sy_piece_code(type, side);
        compile_piece(compiler, piece, entries, count);
        for (size_t i = 0; i < count; i++) {
            if (entries[i].exposes) {
                expose(compiler, piece, &entries[i]);
            }
            if (entries[i].en_passant) {
                take_en_passant(compiler, piece, &entries[i]);
            }
        }
    }
    if (sides == 1) {
        variant->piece[sy_piece_code(type, SY_BLACK)] = variant->piece[sy_piece_code(type, SY_WHITE)];
    }
    free(entries);
    return status;
}

/* Whatever stands about: the lines to their ends, and all of a hopping ray. */
static sy_set farthest_reach(const struct sy_variant *variant, unsigned piece, unsigned from)
{
    const struct sy_reach *reach = &variant->piece[piece].reach[from];
    const struct sy_lines *lines[] = {&reach->both, &reach->quiet, &reach->capture};
    sy_set cells = sy_variant_empty_reach(variant, piece, from);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        for (unsigned k = 0; k < lines[i]->hops; k++) {
            cells |= variant->hop_rays[lines[i]->hop + k].mask;
        }
    }
    return cells;
}

void sy_variant_find_manifold(struct sy_variant *variant)
{
    for (unsigned piece = 0; piece < 2 * variant->types; piece++) {
        struct sy_piece *compiled = &variant->piece[piece];
        for (unsigned cell = 0; compiled->promotion_zone && cell < variant->cells; cell++) {
            if (farthest_reach(variant, piece, cell) & compiled->promotion_zone) {
                compiled->promotes_from |= sy_bit(cell);
            }
        }
        if (compiled->shoots || variant->type[sy_piece_type(piece)].promotion_count > 1) {
            variant->manifold |= 1U << sy_piece_type(piece);
        }
    }
}

static void join_threats(struct sy_variant *variant)
{
    for (unsigned side = 0; side < 2; side++) {
        sy_set *threats = sy_variant_block(variant, variant->cells, sizeof *threats);
        for (unsigned type = 0; type < variant->types; type++) {
            const struct sy_reverse *reverse = variant->piece[sy_piece_code(type, side)].reverse;
            for (unsigned cell = 0; cell < variant->cells; cell++) {
                threats[cell] |= reverse[cell].leap | reverse[cell].slide | reverse[cell].hop;
                for (unsigned i = 0; i < reverse[cell].extras; i++) {
                    threats[cell] |= sy_bit(variant->extra[reverse[cell].extra + i].from);
                }
            }
        }
        variant->threats[side] = threats;
    }
}

enum sy_status sy_variant_compile_moves(struct sy_variant *variant, const struct sy_json *pieces,
                                        struct sy_error *error)
{
    struct compiler compiler = {.variant = variant, .error = error};
    unsigned type = 0;
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece), type++) {
        const struct sy_json *moves;
        enum sy_status status = sy_json_get_array(variant->doc, piece, "moves", &moves, error);
        status = status ? status : compile_type(&compiler, type, moves);
        if (status) {
            return status;
        }
        if (compiler.path > UINT16_MAX || compiler.extra > UINT16_MAX) {
            return sy_json_fail(variant->doc, piece, error,
                                "the pieces have too many winding lines for the tables");
        }
    }
    join_threats(variant);
    return SY_OK;
}

/* ---- using the tables ---- */

/* Of one hopping ray, the cells looked at, and those beyond the `over`-th piece up to and including the next.
 */
struct hopped {
    sy_set seen, beyond;
};

static struct hopped hop_along(const struct sy_variant *variant, const struct sy_hop *hop, sy_set occupied)
{
    struct hopped hopped = {SY_EMPTY_SET, SY_EMPTY_SET};
    unsigned passed = 0;
    const uint8_t *path = variant->path + hop->first;
    for (unsigned i = 0; i < hop->length; i++) {
        hopped.seen |= sy_bit(path[i]);
        if (passed == hop->over) {
            hopped.beyond |= sy_bit(path[i]);
        }
        if (sy_has(occupied, path[i]) && passed++ == hop->over) {
            break;
        }
    }
    return hopped;
}

/* Cell numbers rise along the ray: the pieces on it, from the origin on, are the bits from the lowest on. */
static struct hopped hop_up(const struct sy_hop *hop, sy_set occupied)
{
    sy_set pieces = occupied & hop->mask, leapt = SY_EMPTY_SET;
    for (unsigned over = 0; over < hop->over; over++) {
        leapt = pieces & -pieces;
        pieces ^= leapt;
    }
    if (!leapt) {
        return (struct hopped){hop->mask, SY_EMPTY_SET};
    }
    const sy_set next = pieces & -pieces;
    const sy_set seen = next ? hop->mask & ((next << 1) - 1) : hop->mask;
    return (struct hopped){seen, seen & ~((leapt << 1) - 1)};
}

static sy_set highest(sy_set set)
{
    return set ? sy_bit(sy_highest(set)) : SY_EMPTY_SET;
}

static struct hopped hop_down(const struct sy_hop *hop, sy_set occupied)
{
    sy_set pieces = occupied & hop->mask, leapt = SY_EMPTY_SET;
    for (unsigned over = 0; over < hop->over; over++) {
        leapt = highest(pieces);
        pieces ^= leapt;
    }
    if (!leapt) {
        return (struct hopped){hop->mask, SY_EMPTY_SET};
    }
    const sy_set next = highest(pieces);
    const sy_set seen = next ? hop->mask & ~(next - 1) : hop->mask;
    return (struct hopped){seen, seen & (leapt - 1)};
}

sy_set sy_hop_reach(const struct sy_variant *variant, const struct sy_lines *lines, sy_set occupied,
                    sy_set *depends)
{
    sy_set reached = SY_EMPTY_SET;
    for (unsigned i = 0; i < lines->hops; i++) {
        const struct sy_hop *hop = &variant->hop_rays[lines->hop + i];
        const struct hopped hopped = hop->order > 0   ? hop_up(hop, occupied)
                                     : hop->order < 0 ? hop_down(hop, occupied)
                                                      : hop_along(variant, hop, occupied);
        reached |= hopped.beyond;
        *depends |= hopped.seen;
    }
    return reached;
}

sy_set sy_variant_empty_reach(const struct sy_variant *variant, unsigned piece, unsigned from)
{
    const struct sy_reach *reach = &variant->piece[piece].reach[from];
    return reach->quiet_leap | reach->capture_leap | sy_slide(variant, &reach->both, SY_EMPTY_SET) |
           sy_slide(variant, &reach->quiet, SY_EMPTY_SET) | sy_slide(variant, &reach->capture, SY_EMPTY_SET);
}
