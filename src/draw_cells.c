/* draw_cells: the outline of a cell, from nothing but the board's centres and neighbours.
 *
 * Squares and hexagons are regular. On a radial board the corner between two neighbours is the middle of the
 * triangle of the three centres (the dual of the triangulation), so that cells fit together; where one of the
 * three is off the board, the corner lies as far out as it would in a regular hexagon, and where two are, it
 * mirrors the opposite corner. A written-out board has no shape of cells, so they are discs. */
#include "draw_internal.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static void add_corner(struct sy_polygon *polygon, double x, double y)
{
    polygon->x[polygon->corners] = x;
    polygon->y[polygon->corners++] = y;
}

/* Corners clockwise from the angle. */
static void regular(double x, double y, unsigned corners, double radius, double angle, struct sy_polygon *out)
{
    out->corners = 0;
    for (unsigned i = 0; i < corners; i++) {
        const double here = angle - 2 * PI * i / corners;
        add_corner(out, x + radius * cos(here), y + radius * sin(here));
    }
}

/* The direction of edge 0 on a plane board of hexagons: any neighbour shows it. */
static double first_edge(const struct sy_board *board)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        for (unsigned edge = 0; edge < board->edges; edge++) {
            const unsigned next = board->next_cell[cell][edge];
            if (next != SY_NO_CELL) {
                return atan2(board->y[next] - board->y[cell], board->x[next] - board->x[cell]) +
                       2 * PI * edge / board->edges;
            }
        }
    }
    return PI / 2;
}

/* The corner between the cell, its neighbour there and a third that is missing, which lies clockwise (side
 * -1) or anticlockwise (+1) of the neighbour. Towards the middle, which is at 0, 0, it goes no farther than
 * if the middle were a cell: with few sectors there is no room. */
static void rim_corner(const struct sy_board *board, unsigned cell, unsigned neighbour, double side,
                       double *x, double *y)
{
    const double dx = board->x[neighbour] - board->x[cell], dy = board->y[neighbour] - board->y[cell];
    const double middle_x = board->x[cell] + dx / 2, middle_y = board->y[cell] + dy / 2;
    const double out = side / (2 * sqrt(3));
    *x = middle_x - dy * out;
    *y = middle_y + dx * out;
    const double inward = *x * middle_x + *y * middle_y;
    const double square = middle_x * middle_x + middle_y * middle_y;
    if (inward < square * 2 / 3) {
        *x = middle_x * 2 / 3;
        *y = middle_y * 2 / 3;
    }
}

static void radial(const struct sy_board *board, unsigned cell, struct sy_polygon *out)
{
    const unsigned corners = board->edges;
    out->corners = corners;
    for (unsigned i = 0; i < corners; i++) {
        const unsigned a = board->next_cell[cell][i], b = board->next_cell[cell][(i + 1) % corners];
        if (a != SY_NO_CELL && b != SY_NO_CELL) {
            out->x[i] = (board->x[cell] + board->x[a] + board->x[b]) / 3;
            out->y[i] = (board->y[cell] + board->y[a] + board->y[b]) / 3;
        } else if (a != SY_NO_CELL) {
            rim_corner(board, cell, a, -1, &out->x[i], &out->y[i]);
        } else if (b != SY_NO_CELL) {
            rim_corner(board, cell, b, 1, &out->x[i], &out->y[i]);
        }
    }
    /* The neighbours along the track are always there, so the opposite corner is done. */
    for (unsigned i = 0; i < corners; i++) {
        if (board->next_cell[cell][i] == SY_NO_CELL &&
            board->next_cell[cell][(i + 1) % corners] == SY_NO_CELL) {
            const unsigned opposite = (i + corners / 2) % corners;
            out->x[i] = 2 * board->x[cell] - out->x[opposite];
            out->y[i] = 2 * board->y[cell] - out->y[opposite];
        }
    }
}

/* Between two different places of cells; 1 when there are none. */
static double nearest_pair(const struct sy_board *board)
{
    double nearest = INFINITY;
    for (unsigned a = 0; a < board->cells; a++) {
        for (unsigned b = 0; b < a; b++) {
            const double distance = hypot(board->x[a] - board->x[b], board->y[a] - board->y[b]);
            nearest = distance > 0 ? fmin(nearest, distance) : nearest;
        }
    }
    return isfinite(nearest) ? nearest : 1;
}

double sy_draw_scale(const struct sy_board *board)
{
    enum { WIDEST = 40 };
    if (strcmp(board->kind, "cells") != 0) {
        return 1;
    }
    double extent = 0;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        extent = fmax(extent, fabs(board->x[cell] - board->x[0]));
        extent = fmax(extent, fabs(board->y[cell] - board->y[0]));
    }
    return fmin(1 / nearest_pair(board), extent > 0 ? WIDEST / extent : 1);
}

void sy_draw_cell(const struct sy_board *board, unsigned cell, struct sy_polygon *out)
{
    memset(out, 0, sizeof *out);
    const double x = board->x[cell], y = board->y[cell];
    if (strcmp(board->kind, "square") == 0) {
        regular(x, y, 4, sqrt(0.5), PI / 4, out);
    } else if (strcmp(board->kind, "hexagon") == 0) {
        regular(x, y, 6, 1 / sqrt(3), first_edge(board) - PI / 6, out);
    } else if (strcmp(board->kind, "radial") == 0) {
        radial(board, cell, out);
    } else {
        regular(x, y, SY_MAX_CORNERS, 0.44 * nearest_pair(board), PI / 2, out);
    }
}
