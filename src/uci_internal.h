/* What uci's own files share. */
#ifndef STEELYARD_UCI_INTERNAL_H
#define STEELYARD_UCI_INTERNAL_H

#include "steelyard/base.h"

/* What `go` asks for. Times are in milliseconds. */
struct sy_uci_go {
    uint64_t nodes;
    unsigned depth;
    bool infinite, ponder;
    bool clocked;             /* the mover's clock was given */
    int64_t left[2], gain[2]; /* clocks and increments of White and Black */
    int64_t moves_to_go;      /* 0: for the rest of the game */
    int64_t move_time;        /* 0: none */
};

/* How long a move may take, in seconds; 0: no limit. */
struct sy_uci_budget {
    double enough; /* beyond it no new iteration is begun */
    double most;   /* then the search is broken off */
};

/* overhead: milliseconds that a move loses on its way. */
struct sy_uci_budget sy_uci_budget_of(const struct sy_uci_go *go, unsigned side, int64_t overhead);

/* The words of a line, cut in place. */
enum { SY_UCI_WORDS = 4096 };
struct sy_uci_words {
    size_t count, next; /* next: the first that is not read yet */
    char *word[SY_UCI_WORDS];
};
void sy_uci_split(char *line, struct sy_uci_words *words);

/* The next word, NULL after the last. */
const char *sy_uci_word(struct sy_uci_words *words);

/* The words up to `end` (NULL: all), joined by spaces; `end` is read over. A new string. */
char *sy_uci_join(struct sy_uci_words *words, const char *end);

/* Reads what follows `go`. What it does not understand it leaves out, and names the last of it in *error;
 * returns then SY_BAD_INPUT, and *go is to be used all the same. */
enum sy_status sy_uci_read_go(struct sy_uci_words *words, struct sy_uci_go *go, struct sy_error *error);

#endif
