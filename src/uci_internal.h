/* What uci's own files share. */
#ifndef STEELYARD_UCI_INTERNAL_H
#define STEELYARD_UCI_INTERNAL_H

#include "steelyard/uci_time.h"

/* The words of a line that are still to be read; cuts the line as it goes. */
struct sy_uci_words {
    char *rest;
};

/* The next word, NULL after the last. */
const char *sy_uci_word(struct sy_uci_words *words);

/* The words up to `end` (NULL: all), joined by spaces; `end` is read over. A new string. */
char *sy_uci_join(struct sy_uci_words *words, const char *end);

/* Reads what follows `go`. What it does not understand it leaves out, and names the last of it in *error;
 * returns then SY_BAD_INPUT, and *go is to be used all the same. */
enum sy_status sy_uci_read_go(struct sy_uci_words *words, struct sy_uci_go *go, struct sy_error *error);

#endif
