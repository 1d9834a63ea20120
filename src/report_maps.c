/* The section of boards: where pieces go, where games are decided, how far pieces see; a picture each, drawn
 * on the real board with figures in the cells, and all numbers in tables/maps.csv.
 *
 * A page holds so many pictures and no more, so that it stays small: first where games are decided and where
 * pieces go, arm by arm, then mobility. */
#include "report_internal.h"

#include "steelyard/draw.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PICTURES = 56, PNG_WIDTH = 640, NAMED = 5, WIDE_BOARD = 70 };

/* A picture to be. */
struct map {
    char *name, *title; /* of the file, above the board */
    const char *measure;
    const double *value; /* a cell each */
    double scale, high;  /* what numbers are multiplied with; the end of the colours, after that */
    char *caption;
};

static void map_clear(struct map *map)
{
    free(map->name);
    free(map->title);
    free(map->caption);
}

/* "map-goes-r", and in experiments of several arms "map-2-goes-r". */
static char *map_name(const struct sy_report *report, unsigned arm, const char *what, char letter)
{
    char *number = report->run.experiment->arm_count > 1 ? sy_format("%u-", arm + 1) : sy_strdup("");
    char *name = letter ? sy_format(SY_MAP_PREFIX "%s%s-%c", number, what, tolower((unsigned char)letter))
                        : sy_format(SY_MAP_PREFIX "%s%s", number, what);
    free(number);
    return name;
}

static double highest(const double *value, unsigned cells)
{
    double high = 0.0;
    for (unsigned cell = 0; cell < cells; cell++) {
        high = isfinite(value[cell]) ? fmax(high, value[cell]) : high;
    }
    return high;
}

/* ---- one picture ---- */

/* "most on e4 5.1, d4 4.9, ...", for those who cannot see it. */
static void describe(const struct sy_board *board, const struct sy_heat *heat, struct sy_text *text)
{
    sy_set left = SY_EMPTY_SET;
    for (unsigned cell = 0; cell < board->cells; cell++) {
        left |= isfinite(heat->value[cell]) ? sy_bit(cell) : SY_EMPTY_SET;
    }
    sy_text_printf(text, "A board with a figure in each cell. %s: %s; most on", heat->title, heat->measure);
    for (unsigned named = 0; named < NAMED && left; named++) {
        unsigned best = sy_lowest(left);
        for (sy_set others = left; others;) {
            const unsigned cell = sy_pop(&others);
            best = heat->value[cell] > heat->value[best] ? cell : best;
        }
        left &= ~sy_bit(best);
        sy_text_printf(text, "%s %s ", named > 0 ? "," : "", board->name[best]);
        sy_add_decimal(text, heat->value[best], 1);
    }
}

/* Ends the PNG at that place of the ring, if one is under way. Without rsvg-convert there are none; a
 * sentence says so, once. */
static void end_png(struct sy_report *report, size_t place)
{
    struct sy_error trouble = {""};
    struct sy_png *png = report->png[place];
    report->png[place] = NULL;
    if (png && sy_png_end(png, &trouble) != SY_OK && !report->no_png) {
        report->no_png = sy_strdup(trouble.message);
    }
}

static void end_pngs(struct sy_report *report)
{
    for (size_t place = 0; place < SY_PNGS_AT_ONCE; place++) {
        end_png(report, place);
    }
}

static enum sy_status write_picture(struct sy_report *report, const char *name, const char *svg,
                                    struct sy_error *error)
{
    char *path = sy_format("%s/plots/%s.svg", report->run.directory, name);
    char *png = sy_format("%s/plots/%s.png", report->run.directory, name);
    const enum sy_status status = sy_write_file(path, svg, strlen(svg), error);
    const size_t place = report->pngs++ % SY_PNGS_AT_ONCE;
    end_png(report, place);
    if (status == SY_OK && !report->no_png) {
        report->png[place] = sy_png_begin(svg, png, PNG_WIDTH);
    }
    free(png);
    free(path);
    return status;
}

static enum sy_status add_map(struct sy_report *report, const struct sy_variant *variant,
                              const struct map *map, struct sy_error *error)
{
    struct sy_heat *heat = sy_alloc(1, sizeof *heat);
    struct sy_text alternative = SY_TEXT_INIT;
    heat->title = map->title;
    heat->measure = map->measure;
    heat->high = map->high;
    for (unsigned cell = 0; cell < variant->cells; cell++) {
        heat->value[cell] = map->value[cell] > 0.0 ? map->scale * map->value[cell] : NAN;
    }
    describe(variant->board, heat, &alternative);
    char *svg = sy_draw_heat(variant, heat);
    enum sy_status status = write_picture(report, map->name, svg, error);
    if (status == SY_OK) {
        status = sy_page_picture(&report->page, report->run.directory, map->name, alternative.bytes,
                                 map->caption, error);
    }
    sy_text_clear(&alternative);
    free(svg);
    free(heat);
    return status;
}

/* ---- an arm's pictures ---- */

static char *capital(const char *word)
{
    char *text = sy_strdup(word);
    text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

static enum sy_status add_decided(struct sy_report *report, unsigned arm, struct sy_error *error)
{
    const struct sy_places *places = &report->places[arm];
    const struct sy_variant *variant = report->run.experiment->arms[arm].variant;
    struct map map = {.name = map_name(report, arm, "decided", '\0'),
                      .title = sy_strdup("Where games are decided"),
                      .measure = "% of the games with a winner, who plays upwards",
                      .value = places->decided,
                      .scale = 100.0,
                      .high = 100.0 * highest(places->decided, variant->cells)};
    map.caption = sy_format("Where %zu games were decided.", places->decided_games);
    const enum sy_status status = places->decided_games > 0 ? add_map(report, variant, &map, error) : SY_OK;
    map_clear(&map);
    return status;
}

static enum sy_status add_goes(struct sy_report *report, unsigned arm, unsigned type, struct sy_error *error)
{
    const struct sy_places *places = &report->places[arm];
    const struct sy_variant *variant = report->run.experiment->arms[arm].variant;
    struct map map = {.name = map_name(report, arm, "goes", variant->type[type].letter),
                      .title = capital(variant->type[type].name),
                      .measure = "% of its moves that end there",
                      .value = places->goes[type],
                      .scale = 100.0,
                      .high = 100.0 * highest(places->goes[type], variant->cells)};
    map.caption = sy_format("%s: where it goes, in %zu games.", map.title, places->moved[type]);
    const enum sy_status status = places->moved[type] > 0 ? add_map(report, variant, &map, error) : SY_OK;
    map_clear(&map);
    return status;
}

/* Alone and among others, on the same scale. */
static enum sy_status add_mobility(struct sy_report *report, unsigned arm, unsigned type,
                                   struct sy_error *error)
{
    const struct sy_places *places = &report->places[arm];
    const struct sy_variant *variant = report->run.experiment->arms[arm].variant;
    const char *name = variant->type[type].name;
    const double high =
        fmax(highest(places->empty[type], variant->cells), highest(places->average[type], variant->cells));
    enum sy_status status = SY_OK;
    for (unsigned among = 0; among < 2 && status == SY_OK && (!among || places->samples > 0); among++) {
        char *word = capital(name);
        struct map map = {.name =
                              map_name(report, arm, among ? "average" : "empty", variant->type[type].letter),
                          .title = sy_format("%s, %s board", word, among ? "average" : "empty"),
                          .measure = "cells it can go to from there",
                          .value = among ? places->average[type] : places->empty[type],
                          .scale = 1.0,
                          .high = high};
        map.caption =
            among ? sy_format("%s: on the average board, other pieces in the way or to be taken.", word)
                  : sy_format("%s: on the empty board.", word);
        status = high > 0.0 ? add_map(report, variant, &map, error) : SY_OK;
        map_clear(&map);
        free(word);
    }
    return status;
}

/* ---- which arms ---- */

static size_t going_pictures(const struct sy_report *report, unsigned arm)
{
    return 1U + report->run.experiment->arms[arm].variant->types;
}

static size_t mobility_pictures(const struct sy_report *report, unsigned arm)
{
    return 2U * report->run.experiment->arms[arm].variant->types;
}

/* How many arms of the first get the pictures that `pictures` counts, out of so many; the rest is left. */
static unsigned fitting(const struct sy_report *report,
                        size_t (*pictures)(const struct sy_report *report, unsigned arm), size_t *left)
{
    unsigned arm = 0;
    while (arm < report->run.experiment->arm_count && pictures(report, arm) <= *left) {
        *left -= pictures(report, arm++);
    }
    return arm;
}

static void add_left_out(struct sy_report *report, const char *what, unsigned shown)
{
    const size_t arms = report->run.experiment->arm_count;
    if (shown < arms) {
        sy_page_text(&report->page, "note", "%s: boards of %u of the %zu arms, so that the page stays small.",
                     what, shown, arms);
    }
}

static enum sy_status add_arms(struct sy_report *report, unsigned arms, bool mobility, struct sy_error *error)
{
    enum sy_status status = SY_OK;
    for (unsigned arm = 0; arm < arms && status == SY_OK; arm++) {
        const struct sy_arm *one = &report->run.experiment->arms[arm];
        if (report->run.experiment->arm_count > 1) {
            sy_page_heading(&report->page, one->label);
        }
        sy_page_begin_row(&report->page, one->variant->cells > WIDE_BOARD ? "row large" : "row");
        status = mobility ? SY_OK : add_decided(report, arm, error);
        for (unsigned type = 0; type < one->variant->types && status == SY_OK; type++) {
            status = mobility ? add_mobility(report, arm, type, error) : add_goes(report, arm, type, error);
        }
        sy_page_end_row(&report->page);
    }
    return status;
}

/* ---- the section ---- */

static void add_rows(struct sy_table *table, const struct sy_report *report, unsigned arm, unsigned type)
{
    const struct sy_places *places = &report->places[arm];
    const struct sy_variant *variant = report->run.experiment->arms[arm].variant;
    for (unsigned i = 0; i < variant->cells; i++) {
        const unsigned cell = variant->board->order[i];
        sy_table_text(table, "%s", report->run.experiment->arms[arm].label);
        sy_table_text(table, "%s", variant->type[type].name);
        sy_table_text(table, "%s", variant->board->name[cell]);
        sy_table_number(table, places->goes[type][cell], 1.0, 4);
        sy_table_number(table, places->stays[type][cell], 1.0, 4);
        sy_table_number(table, places->empty[type][cell], 1.0, 0);
        sy_table_number(table, places->average[type][cell], 1.0, 4);
        sy_table_number(table, places->decided[cell], 1.0, 4);
    }
}

static enum sy_status write_table(struct sy_report *report, struct sy_error *error)
{
    static const char *const numbers[] = {"share of its moves", "share of its time", "can go to, empty board",
                                          "can go to, average board", "share of games decided"};
    static const char *const texts[] = {"arm", "piece", "cell"};
    struct sy_table table = sy_table_create("maps", "");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sy_table_column(&table, SY_COLUMN_TEXT, "%s", texts[i]);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sy_table_column(&table, SY_COLUMN_NUMBER, "%s", numbers[i]);
    }
    for (unsigned arm = 0; arm < report->run.experiment->arm_count; arm++) {
        for (unsigned type = 0; type < report->run.experiment->arms[arm].variant->types; type++) {
            add_rows(&table, report, arm, type);
        }
    }
    return sy_page_close_csv(&report->page, &table, error);
}

enum sy_status sy_report_maps(struct sy_report *report, struct sy_error *error)
{
    size_t left = MOST_PICTURES;
    const unsigned going = fitting(report, going_pictures, &left);
    const unsigned moving = fitting(report, mobility_pictures, &left);
    sy_page_section(&report->page, "maps", "Where it happens");
    sy_page_text(
        &report->page, "note",
        "Both sides are taken together: every board is seen from the side that moves, or that wins, playing "
        "upwards. Each game counts once, however long it was, and random opening moves count nothing. A "
        "game with a winner is decided where the losing royal stood when its side had no move left, else "
        "where the last piece was taken. An empty cell: never. Dark is more; all numbers, and the shares of "
        "pieces' time beside those of their moves, are in tables/maps.csv.");
    enum sy_status status = write_table(report, error);
    add_left_out(report, "Where pieces go", going);
    if (status == SY_OK) {
        status = add_arms(report, going, false, error);
    }
    if (status == SY_OK && moving > 0) {
        sy_page_heading(&report->page, "How far pieces see");
        sy_page_text(&report->page, "note",
                     "Cells that a piece can go to when it is put on the cell in place of whatever stands "
                     "there, check left aside: on the empty board, and in the mean over a position of each "
                     "of up to %d games, drawn at random. The two boards of a piece have one scale; an empty "
                     "cell: none.",
                     SY_MOST_SAMPLES);
        add_left_out(report, "How far pieces see", moving);
        status = add_arms(report, moving, true, error);
    }
    end_pngs(report);
    return status;
}
