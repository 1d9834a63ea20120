/* Shared by the board kinds: each fills in names, rows, steps and direction sets; board.c does the rest. */
#ifndef STEELYARD_BOARD_INTERNAL_H
#define STEELYARD_BOARD_INTERNAL_H

#include "steelyard/board.h"

enum sy_status sy_board_square(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board *board, struct sy_error *error);
enum sy_status sy_board_hexagon(const struct sy_json_doc *doc, const struct sy_json *description,
                                struct sy_board *board, struct sy_error *error);
enum sy_status sy_board_radial(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board *board, struct sy_error *error);
enum sy_status sy_board_written(const struct sy_json_doc *doc, const struct sy_json *description,
                                struct sy_board *board, struct sy_error *error);

/* A new direction set, empty everywhere. The caller keeps the number of sets within SY_MAX_DIRECTIONS. */
struct sy_directions *sy_board_add_directions(struct sy_board *board, const char *name);

/* The same slots from every cell, for White and for Black. */
void sy_board_add_uniform(struct sy_board *board, const char *name, unsigned white, unsigned black);

#endif
