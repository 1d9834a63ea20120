/* set: a set of up to 128 cells in two machine words, and the bit tricks on it. Cell c is bit c. */
#ifndef STEELYARD_SET_H
#define STEELYARD_SET_H

#include <stdbool.h>
#include <stdint.h>

/* ISO C has no 128-bit integer; gcc and clang have one on every 64-bit target, and its operators (& | ~
 * << - +) read better than function calls. */
__extension__ typedef unsigned __int128 sy_set;

enum { SY_MAX_CELLS = 128, SY_NO_CELL = 255 };

#define SY_EMPTY_SET ((sy_set)0)

static inline sy_set sy_bit(unsigned cell)
{
    return (sy_set)1 << cell;
}

static inline bool sy_has(sy_set set, unsigned cell)
{
    return (unsigned)(set >> cell) & 1U;
}

static inline int sy_count(sy_set set)
{
    return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* The lowest cell of a set that is not empty. */
static inline unsigned sy_lowest(sy_set set)
{
    const uint64_t low = (uint64_t)set;
    return low ? (unsigned)__builtin_ctzll(low) : 64U + (unsigned)__builtin_ctzll((uint64_t)(set >> 64));
}

/* The highest cell of a set that is not empty. */
static inline unsigned sy_highest(sy_set set)
{
    const uint64_t high = (uint64_t)(set >> 64);
    return high ? 127U - (unsigned)__builtin_clzll(high) : 63U - (unsigned)__builtin_clzll((uint64_t)set);
}

static inline sy_set sy_without_lowest(sy_set set)
{
    return set & (set - 1);
}

/* Removes and returns the lowest cell; for (sy_set left = s; left;) { c = sy_pop(&left); ... } */
static inline unsigned sy_pop(sy_set *set)
{
    const unsigned cell = sy_lowest(*set);
    *set = sy_without_lowest(*set);
    return cell;
}

/* Runs what follows for every cell of a set, the lowest first; `continue` goes on to the next. As two loops,
 * one for each machine word, it costs less than sy_pop; leave it by return only. */
#define SY_EACH(cell, set)                                                                                   \
    for (unsigned cell = 0, cell##_base = 0; cell##_base < SY_MAX_CELLS; cell##_base += 64)                  \
        for (uint64_t cell##_word = (uint64_t)((set) >> cell##_base);                                        \
             cell##_word && (cell = cell##_base + (unsigned)__builtin_ctzll(cell##_word), true);             \
             cell##_word &= cell##_word - 1)

#endif
