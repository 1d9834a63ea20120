/* board_radial: closed tracks of hexagons round a middle that is not a cell.
 *
 * It is the hexagonal grid with `sectors` wedges of 60 degrees round the middle where the plane has six.
 * Track k (1 innermost) has k cells in a sector; place 0 lies on the sector's prime radial. The six edges of
 * a cell are numbered clockwise so that off the radial: 0 outward, 1 outward and clockwise, 2 clockwise, 3
 * inward, 4 inward and anti-clockwise, 5 anti-clockwise; on the radial: 0 outward, 1 outward and clockwise, 2
 * clockwise, 3 inward, 4 anti-clockwise, 5 outward and anti-clockwise. A series across tracks leaves a cell
 * by the edge opposite to the one it came in by and ends where that edge lies along the track; a series along
 * a track stays on it. A corner step follows the edge that starts at the corner to the cell at its other end;
 * a diagonal series leaves by the opposite corner. Source: the construction in the rules of the radial game
 * that Neatham published in 2006. */
#include "board_internal.h"

#include <math.h>
#include <string.h>

enum { EDGES = 6, OUTSIDE = 254, MIDDLE = 253 };

struct ring {
    unsigned sectors, tracks;
    unsigned first[16]; /* first cell of each track, 1.. */
};

static unsigned ring_cell(const struct ring *ring, unsigned sector, unsigned track, unsigned place)
{
    if (place == track) {
        return ring->first[track] + (sector + 1) % ring->sectors * track;
    }
    return ring->first[track] + sector % ring->sectors * track + place;
}

/* The neighbours of a cell by edge: cells, OUTSIDE or MIDDLE. */
static void neighbours(const struct ring *ring, unsigned sector, unsigned track, unsigned place,
                       uint8_t out[EDGES])
{
    const unsigned before = sector + ring->sectors - 1;
    const bool outermost = track == ring->tracks;
    if (place > 0) {
        out[0] = (uint8_t)(outermost ? OUTSIDE : ring_cell(ring, sector, track + 1, place));
        out[1] = (uint8_t)(outermost ? OUTSIDE : ring_cell(ring, sector, track + 1, place + 1));
        out[2] = (uint8_t)ring_cell(ring, sector, track, place + 1);
        out[3] = (uint8_t)ring_cell(ring, sector, track - 1, place);
        out[4] = (uint8_t)ring_cell(ring, sector, track - 1, place - 1);
        out[5] = (uint8_t)ring_cell(ring, sector, track, place - 1);
    } else {
        out[0] = (uint8_t)(outermost ? OUTSIDE : ring_cell(ring, sector, track + 1, 0));
        out[1] = (uint8_t)(outermost ? OUTSIDE : ring_cell(ring, sector, track + 1, 1));
        out[2] = (uint8_t)ring_cell(ring, sector, track, 1);
        out[3] = (uint8_t)(track == 1 ? MIDDLE : ring_cell(ring, sector, track - 1, 0));
        out[4] = (uint8_t)ring_cell(ring, before, track, track - 1);
        out[5] = (uint8_t)(outermost ? OUTSIDE : ring_cell(ring, before, track + 1, track));
    }
}

static unsigned edge_to(const uint8_t edges[EDGES], unsigned neighbour)
{
    for (unsigned edge = 0; edge < EDGES; edge++) {
        if (edges[edge] == neighbour) {
            return edge;
        }
    }
    return EDGES;
}

static bool along_track(unsigned place, unsigned edge)
{
    return edge == 2 || edge == (place ? 5U : 4U);
}

static void link_edges(struct sy_board *board, uint8_t (*edges)[EDGES], const uint8_t *place)
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        for (unsigned edge = 0; edge < EDGES; edge++) {
            const unsigned next = edges[cell][edge];
            if (next >= board->cells) {
                continue;
            }
            board->next_cell[cell][edge] = (uint8_t)next;
            if (along_track(place[cell], edge)) {
                board->next_slot[cell][edge] = edge == 2 ? 2 : (place[next] ? 5 : 4);
            } else {
                const unsigned opposite = (edge_to(edges[next], cell) + 3) % EDGES;
                board->next_slot[cell][edge] =
                    along_track(place[next], opposite) ? SY_NO_SLOT : (uint8_t)opposite;
            }
        }
    }
}

/* Corner i of a cell lies between its neighbours a = edge i and b = edge i+1. Seen from a, clockwise, come b,
 * the cell itself and so on: the cell at the other end of the edge between a and b is the one before b. Seen
 * from b it is the one after a. Either may be the middle or outside, which have no edges of their own. */
static void link_corners(struct sy_board *board, uint8_t (*edges)[EDGES])
{
    for (unsigned cell = 0; cell < board->cells; cell++) {
        for (unsigned corner = 0; corner < EDGES; corner++) {
            const unsigned a = edges[cell][corner], b = edges[cell][(corner + 1) % EDGES];
            unsigned next = SY_NO_CELL;
            if (a < board->cells) {
                next = edges[a][(edge_to(edges[a], cell) + EDGES - 2) % EDGES];
            } else if (b < board->cells) {
                next = edges[b][(edge_to(edges[b], cell) + 2) % EDGES];
            }
            if (next >= board->cells) {
                continue;
            }
            board->next_cell[cell][EDGES + corner] = (uint8_t)next;
            /* There, the corner lies between b and a (b comes first clockwise); the series goes on opposite.
             */
            const unsigned arrival =
                b < board->cells ? edge_to(edges[next], b) : (edge_to(edges[next], a) + EDGES - 1) % EDGES;
            board->next_slot[cell][EDGES + corner] = (uint8_t)(EDGES + (arrival + 3) % EDGES);
        }
    }
}

static void name_directions(struct sy_board *board, const uint8_t *place)
{
    enum { ORTHOGONAL, DIAGONAL, ALONG, ACROSS, CLOCKWISE, ANTI, INWARD, OUTWARD, FLANK_CW, FLANK_ACW, SETS };
    static const char *const names[SETS] = {"orthogonal",      "diagonal",           "along",  "across",
                                            "clockwise",       "anticlockwise",      "inward", "outward",
                                            "clockwise-flank", "anticlockwise-flank"};
    struct sy_directions *set[SETS];
    for (unsigned i = 0; i < SETS; i++) {
        set[i] = sy_board_add_directions(board, names[i]);
    }
    for (unsigned cell = 0; cell < board->cells; cell++) {
        const unsigned anti = place[cell] ? 5 : 4;
        unsigned slots[SETS];
        slots[ORTHOGONAL] = 0x3f;
        slots[DIAGONAL] = 0xfc0;
        slots[CLOCKWISE] = 1U << 2;
        slots[ANTI] = 1U << anti;
        slots[ALONG] = slots[CLOCKWISE] | slots[ANTI];
        slots[ACROSS] = slots[ORTHOGONAL] & ~slots[ALONG];
        slots[INWARD] = place[cell] ? 1U << 3 | 1U << 4 : 1U << 3;
        slots[OUTWARD] = slots[ACROSS] & ~slots[INWARD];
        slots[FLANK_CW] = 1U << 1 | 1U << 3;
        slots[FLANK_ACW] = 1U << (anti - 1) | 1U << (anti + 1) % EDGES;
        for (unsigned i = 0; i < SETS; i++) {
            set[i]->slots[0][cell] = set[i]->slots[1][cell] = (uint16_t)slots[i];
        }
    }
}

/* Sector a lies to the left and the sectors follow clockwise; a cell stands on the straight line between the
 * two prime radials of its sector. */
static void place_cell(struct sy_board *board, unsigned cell, const struct ring *ring, unsigned sector,
                       unsigned track, unsigned place)
{
    const double pi = 3.14159265358979323846;
    const double turn = 2 * pi / ring->sectors;
    const double here = pi + turn / 2 - turn * sector, next = here - turn;
    const double share = (double)place / track;
    /* Neighbours on the innermost track are one unit apart. */
    const double radius = (track - 1) + 0.5 / sin(turn / 2);
    board->x[cell] = radius * ((1 - share) * cos(here) + share * cos(next));
    board->y[cell] = radius * ((1 - share) * sin(here) + share * sin(next));
}

enum sy_status sy_board_radial(const struct sy_json_doc *doc, const struct sy_json *description,
                               struct sy_board *board, struct sy_error *error)
{
    int64_t sectors;
    const char *tracks;
    enum sy_status status = sy_json_check_keys(doc, description, "kind sectors tracks", error);
    status = status ? status : sy_json_get_int(doc, description, "sectors", 3, 26, &sectors, error);
    status = status ? status : sy_json_get_string(doc, description, "tracks", &tracks, error);
    if (status) {
        return status;
    }
    struct ring ring = {.sectors = (unsigned)sectors, .tracks = (unsigned)strlen(tracks)};
    const size_t cells = (size_t)ring.sectors * ring.tracks * (ring.tracks + 1) / 2;
    if (ring.tracks == 0 || ring.tracks > 9 || cells > SY_MAX_CELLS) {
        return sy_json_fail(
            doc, sy_json_member(description, "tracks"), error,
            "%u tracks in %u sectors make %zu cells; a board has 1 to %d cells and at most 9 tracks",
            ring.tracks, ring.sectors, cells, SY_MAX_CELLS);
    }
    for (unsigned track = 1; track <= ring.tracks; track++) {
        ring.first[track + 1] = ring.first[track] + ring.sectors * track;
    }
    uint8_t edges[SY_MAX_CELLS][EDGES], places[SY_MAX_CELLS];
    board->cells = (unsigned)cells;
    board->edges = EDGES;
    board->slots = 2 * EDGES;
    for (unsigned track = 1; track <= ring.tracks; track++) {
        for (unsigned sector = 0; sector < ring.sectors; sector++) {
            for (unsigned place = 0; place < track; place++) {
                const unsigned cell = ring_cell(&ring, sector, track, place);
                const char name[] = {(char)('a' + sector), tracks[track - 1], (char)('1' + place), '\0'};
                memcpy(board->name[cell], name, sizeof name);
                neighbours(&ring, sector, track, place, edges[cell]);
                places[cell] = (uint8_t)place;
                place_cell(board, cell, &ring, sector, track, place);
                if (ring.sectors % 2 == 0) {
                    board->turn[cell] =
                        (uint8_t)ring_cell(&ring, (sector + ring.sectors / 2) % ring.sectors, track, place);
                }
            }
        }
    }
    link_edges(board, edges, places);
    link_corners(board, edges);
    name_directions(board, places);
    for (unsigned track = ring.tracks, listed = 0; track >= 1; track--) {
        for (unsigned i = 0; i < ring.sectors * track; i++) {
            board->order[listed++] = (uint8_t)(ring.first[track] + i);
        }
        board->row_start[++board->rows] = (uint8_t)listed;
    }
    return SY_OK;
}
