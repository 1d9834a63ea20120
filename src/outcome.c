/* outcome: applies a variant's endings. Points in the file are the side to move's, or those of the side whose
 * royal is captured or bare; here they become White's. */
#include "steelyard/outcome.h"

#include "steelyard/movegen.h"

#include <stdio.h>
#include <stdlib.h>

void sy_history_push(struct sy_history *history, uint64_t key)
{
    history->keys = sy_grow(history->keys, &history->capacity, history->count + 1, sizeof *history->keys);
    history->keys[history->count++] = key;
}

void sy_history_clear(struct sy_history *history)
{
    free(history->keys);
    *history = (struct sy_history){NULL, 0, 0};
}

unsigned sy_history_occurrences(const struct sy_history *history)
{
    unsigned count = 0;
    for (size_t back = 0; back < history->count; back += 2) {
        count += history->keys[history->count - 1 - back] == history->keys[history->count - 1];
    }
    return count;
}

static struct sy_outcome scored(enum sy_reason reason, unsigned side, double points)
{
    return (struct sy_outcome){reason, side == SY_WHITE ? points : 1 - points};
}

static bool lost_capture_royal(const struct sy_position *position, unsigned side)
{
    for (uint32_t types = position->variant->capture_royals; types; types &= types - 1) {
        if (!sy_pieces(position, (unsigned)__builtin_ctz(types), side)) {
            return true;
        }
    }
    return false;
}

static bool insufficient(const struct sy_position *position)
{
    const struct sy_variant *variant = position->variant;
    const sy_set others = sy_occupied(position) & ~sy_royals(position);
    sy_set lone = SY_EMPTY_SET, coloured = SY_EMPTY_SET;
    for (unsigned type = 0; type < variant->types; type++) {
        lone |= variant->endings.insufficient_alone >> type & 1U ? position->type[type] : SY_EMPTY_SET;
        coloured |=
            variant->endings.insufficient_one_colour >> type & 1U ? position->type[type] : SY_EMPTY_SET;
    }
    if (sy_count(others) <= 1) {
        return !(others & ~lone);
    }
    if (others & ~coloured) {
        return false;
    }
    const uint8_t *colour = variant->board->colour;
    for (sy_set left = others; left;) {
        if (colour[sy_pop(&left)] != colour[sy_lowest(others)]) {
            return false;
        }
    }
    return true;
}

struct sy_outcome sy_outcome_material(const struct sy_position *position)
{
    const struct sy_endings *endings = &position->variant->endings;
    const unsigned us = position->to_move, them = us ^ 1U;
    /* The last move was the other side's, so the side to move is the first to have lost something. */
    if (position->variant->capture_royals) {
        for (unsigned i = 0; i < 2; i++) {
            const unsigned side = i ? them : us;
            if (lost_capture_royal(position, side)) {
                return scored(SY_ROYAL_CAPTURED, side, endings->royal_captured);
            }
        }
    }
    if (endings->bare_royal >= 0) {
        const sy_set common = ~sy_royals(position);
        for (unsigned i = 0; i < 2; i++) {
            const unsigned side = i ? them : us;
            if (!(position->side[side] & common)) {
                return scored(SY_BARE_ROYAL, side, endings->bare_royal);
            }
        }
    }
    if (endings->insufficient >= 0 && insufficient(position)) {
        return scored(SY_INSUFFICIENT, us, endings->insufficient);
    }
    return (struct sy_outcome){SY_GOING_ON, 0};
}

struct sy_outcome sy_outcome_of(const struct sy_position *position, const struct sy_history *history,
                                unsigned legal)
{
    const struct sy_endings *endings = &position->variant->endings;
    const unsigned us = position->to_move;
    const struct sy_outcome material = sy_outcome_material(position);
    if (material.reason == SY_ROYAL_CAPTURED || material.reason == SY_BARE_ROYAL) {
        return material;
    }
    if (legal == 0) {
        return sy_in_check(position) ? scored(SY_CHECKMATE, us, endings->checkmate)
                                     : scored(SY_STALEMATE, us, endings->stalemate);
    }
    if (material.reason != SY_GOING_ON) {
        return material;
    }
    if (endings->repetition >= 0 && history && sy_history_occurrences(history) >= endings->repetition_count) {
        return scored(SY_REPETITION, us, endings->repetition);
    }
    if (endings->no_progress >= 0 && position->halfmove >= endings->no_progress_plies) {
        return scored(SY_NO_PROGRESS, us, endings->no_progress);
    }
    return (struct sy_outcome){SY_GOING_ON, 0};
}

static const char *first_royal(const struct sy_variant *variant, bool by_capture)
{
    for (unsigned type = 0; type < variant->types; type++) {
        if (by_capture ? variant->capture_royals >> type & 1U : type == variant->check_royal) {
            return variant->type[type].name;
        }
    }
    return "royal";
}

const char *sy_reason_text(const struct sy_variant *variant, enum sy_reason reason, char buffer[64])
{
    switch (reason) {
    case SY_CHECKMATE:
        return "checkmate";
    case SY_STALEMATE:
        return "stalemate";
    case SY_ROYAL_CAPTURED:
        snprintf(buffer, 64, "%s captured", first_royal(variant, true));
        return buffer;
    case SY_BARE_ROYAL:
        snprintf(buffer, 64, "bare %s", first_royal(variant, variant->check_royal == SY_NO_TYPE));
        return buffer;
    case SY_REPETITION:
        return "repetition";
    case SY_NO_PROGRESS:
        return variant->endings.no_progress_plies == 100 ? "fifty moves" : "no progress";
    case SY_INSUFFICIENT:
        return "insufficient material";
    case SY_GOING_ON:
    case SY_REASONS:
        break;
    }
    return NULL;
}
