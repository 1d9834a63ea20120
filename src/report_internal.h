/* What the files of report share: a page under construction, a run's numbers, and the panel of measures. */
#ifndef STEELYARD_REPORT_INTERNAL_H
#define STEELYARD_REPORT_INTERNAL_H

#include "steelyard/report.h"
#include "summary_internal.h"
#include "summary_read.h"

/* ---- a page: the same content as HTML, Markdown and CSV ---- */

struct sy_page {
    struct sy_text html, markdown;
    char *tables; /* where tables go as CSV; NULL: nowhere */
};

/* Text is plain everywhere below: these escape it for where it goes. */
void sy_add_html(struct sy_text *html, const char *text);
void sy_add_markdown(struct sy_text *markdown, const char *text);

void sy_page_begin(struct sy_page *page, const char *title, const char *subtitle);
void sy_page_end(struct sy_page *page, const char *footer);
void sy_page_clear(struct sy_page *page);
void sy_page_section(struct sy_page *page, const char *id, const char *title); /* closes the one before */
void sy_page_heading(struct sy_page *page, const char *title);                 /* inside a section */
void sy_page_text(struct sy_page *page, const char *css_class, const char *format, ...) SY_PRINTF(3, 4);
/* A list of strings, and one more unless it is NULL. */
void sy_page_warnings(struct sy_page *page, const struct sy_json *sentences, const char *more);
void sy_page_code(struct sy_page *page, const char *text);
/* The same folded up, in HTML alone. */
void sy_page_folded(struct sy_page *page, const char *summary, const char *text);

/* DIR/plots/NAME.svg, if it is there. */
SY_MUST_USE enum sy_status sy_page_picture(struct sy_page *page, const char *directory, const char *name,
                                           const char *alternative, const char *caption,
                                           struct sy_error *error);

/* Pictures between the two stand beside each other where there is room; css_class "row", or "row large". */
void sy_page_begin_row(struct sy_page *page, const char *css_class);
void sy_page_end_row(struct sy_page *page);

/* ---- tables ---- */

struct sy_table_cell {
    char *text;                     /* NULL: numbers */
    double value, low, high, scale; /* NaN: not there */
    int decimals;
    double least; /* a value below it, 0 or more, is shown as below it */
};

enum { SY_MOST_COLUMNS = 16 };

enum sy_column_kind { SY_COLUMN_TEXT, SY_COLUMN_NUMBER, SY_COLUMN_INTERVAL };

struct sy_table {
    char *name; /* of the CSV file */
    char *caption;
    size_t columns, cells, capacity;
    char *heading[SY_MOST_COLUMNS];
    enum sy_column_kind kind[SY_MOST_COLUMNS];
    struct sy_table_cell *cell; /* row by row */
};

/* In a CSV an interval takes three columns, and numbers stand there unscaled and in full. */
struct sy_table sy_table_create(const char *name, const char *caption);
void sy_table_column(struct sy_table *table, enum sy_column_kind kind, const char *format, ...)
    SY_PRINTF(3, 4);
void sy_table_text(struct sy_table *table, const char *format, ...) SY_PRINTF(2, 3);
void sy_table_number(struct sy_table *table, double value, double scale, int decimals);
void sy_table_p(struct sy_table *table, double p); /* a probability */
/* Without a value the status is shown. */
void sy_table_estimate(struct sy_table *table, struct sy_estimate estimate, double scale, int decimals);
void sy_table_clear(struct sy_table *table);

SY_MUST_USE enum sy_status sy_page_table(struct sy_page *page, const struct sy_table *table,
                                         struct sy_error *error);
/* Only as a CSV, for what the page shows as a picture. */
SY_MUST_USE enum sy_status sy_page_csv(struct sy_page *page, const struct sy_table *table,
                                       struct sy_error *error);
/* The same two, and the table is cleared. */
SY_MUST_USE enum sy_status sy_page_close_table(struct sy_page *page, struct sy_table *table,
                                               struct sy_error *error);
SY_MUST_USE enum sy_status sy_page_close_csv(struct sy_page *page, struct sy_table *table,
                                             struct sy_error *error);
void sy_table_csv(const struct sy_table *table, struct sy_text *csv);
void sy_table_plain(const struct sy_table *table, struct sy_text *text);

/* An estimate as summary.json has it; its status is SY_STAT_BAD_DATA when it is not there at all. */
struct sy_estimate sy_read_estimate(const struct sy_json *json);

/* A number for readers: a true minus sign, no negative zero, a dash when it is not there. */
void sy_add_decimal(struct sy_text *text, double number, int decimals);
/* "4.10 (3.90 to 4.30)"; the status when there is no value. */
void sy_add_estimate(struct sy_text *text, struct sy_estimate estimate, double scale, int decimals);

/* ---- a run ---- */

struct sy_run {
    const char *directory;
    struct sy_experiment *experiment;
    struct sy_game_log log;
    struct sy_json_doc *doc;
    const struct sy_json *summary; /* its root */
};
/* Reads the three files and checks that they belong together. Clear *run whatever comes back. */
SY_MUST_USE enum sy_status sy_run_open(const char *directory, struct sy_run *run, struct sy_error *error);
void sy_run_clear(struct sy_run *run);
struct sy_arm_games sy_run_arm(const struct sy_run *run, unsigned arm);
const struct sy_json *sy_run_arm_summary(const struct sy_run *run, unsigned arm);

/* ---- the panel ---- */

enum sy_measure {
    SY_MEASURE_ADVANTAGE,
    SY_MEASURE_BALANCE,
    SY_MEASURE_COMPLETION,
    SY_MEASURE_PLAYED_OUT,
    SY_MEASURE_DECISIVENESS,
    SY_MEASURE_DRAWS,
    SY_MEASURE_DURATION,
    SY_MEASURE_BRANCHING,
    SY_MEASURE_COVERAGE,
    SY_MEASURE_CAPTURES,
    SY_MEASURE_LEAD_CHANGES,
    SY_MEASURE_DRAMA,
    SY_MEASURE_NO_RETURN,
    SY_MEASURE_LAST_TENTH,
    SY_MEASURES
};

struct sy_measure_info {
    const char *name, *unit;
    double scale; /* what the number is multiplied by to be in that unit */
    int decimals;
    const char *definition, *source;
};
extern const struct sy_measure_info sy_measure_info[SY_MEASURES];
/* The table of what they are. */
SY_MUST_USE enum sy_status sy_page_definitions(struct sy_page *page, struct sy_error *error);

enum { SY_TENTHS = 11 }; /* moments of a game: its start, each tenth, its end */

struct sy_survival {
    const char *name;
    struct sy_estimate share[SY_TENTHS];
};

struct sy_panel {
    struct sy_estimate measure[SY_MEASURES];
    size_t games[SY_MEASURES]; /* that it was taken over */
    size_t kinds;
    struct sy_survival survival[SY_MAX_TYPES]; /* kinds of material; royals left out */
};
SY_MUST_USE enum sy_status sy_panel_compute(const struct sy_arm_games *games, const struct sy_json *arm,
                                            struct sy_panel *panel, struct sy_error *error);

/* 1 White won, -1 Black, 0 nobody. */
int sy_winner_of(const struct sy_game_record *game);

/* ---- where things happen ---- */

enum { SY_MOST_SAMPLES = 3000 }; /* games whose position is asked how far pieces see */

/* Shares by type and cell, both sides as White sees the board; NaN where there was nothing to count. */
struct sy_places {
    double goes[SY_MAX_TYPES][SY_MAX_CELLS];  /* of the type's moves in a game, those that end on the cell */
    double stays[SY_MAX_TYPES][SY_MAX_CELLS]; /* of the type's time in a game, that on the cell */
    size_t moved[SY_MAX_TYPES], stood[SY_MAX_TYPES]; /* games with such a move, or such a piece */
    double decided[SY_MAX_CELLS];                    /* of the games with a winner, as he sees the board */
    size_t decided_games;
    /* How many cells a piece of the type can go to from the cell, alone and among others. */
    double empty[SY_MAX_TYPES][SY_MAX_CELLS], average[SY_MAX_TYPES][SY_MAX_CELLS];
    size_t samples; /* games of which a position was looked at */
};
SY_MUST_USE enum sy_status sy_places_compute(const struct sy_arm_games *games, struct sy_places *places,
                                             struct sy_error *error);

/* ---- how the score model fits ---- */

struct sy_bin {
    double at;                   /* mean predicted score, or material difference */
    struct sy_estimate observed; /* score, or what it is above the predicted one */
    size_t games;
};

enum { SY_MOST_BINS = 24 };

struct sy_fit_check {
    size_t calibrations, residuals;
    struct sy_bin calibration[SY_MOST_BINS], residual[SY_MOST_BINS];
};
/* Empty where nothing was fitted. */
SY_MUST_USE enum sy_status sy_fit_check_compute(const struct sy_arm_games *games, const struct sy_json *arm,
                                                struct sy_fit_check *check, struct sy_error *error);

/* Draws survival, calibration and residuals in DIR/plots; arms by the experiment's order. */
SY_MUST_USE enum sy_status sy_plot_report(const struct sy_run *run, const struct sy_panel *panels,
                                          const struct sy_fit_check *checks, struct sy_error *error);

/* ---- rounds of self-consistency ---- */

/* The rounds from one start, as iterate.json in a directory has them. */
struct sy_path {
    struct sy_json_doc *doc;
    char *last;   /* directory of the last round */
    double scale; /* of its points, so that its end lies nearest to the first path's */
};
/* Has the directory rounds rather than a run? */
bool sy_is_path(const char *directory);
const struct sy_json *sy_path_rounds(const struct sy_path *path);
/* What a round has on each piece; NULL when it has no joint test. */
const struct sy_json *sy_round_pieces(const struct sy_json *round);

/* In an arm of a summary, what its fit has on a piece; NULL when it has none of the name. */
const struct sy_json *sy_find_material(const struct sy_json *arm, const char *name);
/* Do two arms count values in the same unit? */
bool sy_same_unit(const struct sy_json *a, const struct sy_json *b);

/* b taken from a, both independent. */
struct sy_estimate sy_difference(struct sy_estimate a, struct sy_estimate b);

/* ---- pictures by gnuplot ---- */

/* What style.gp and the scripts want to know: level, sizes, and the titles of the panels, one an arm. */
void sy_plot_head(struct sy_text *script, const struct sy_run *run, const char *const *titles, size_t panels,
                  double panel_height);
/* Three columns; gnuplot takes '?' for a number that is not there. */
void sy_plot_estimate(struct sy_text *data, struct sy_estimate estimate, double scale);
/* Writes script and data, which it takes over, and runs gnuplot where there is one. */
SY_MUST_USE enum sy_status sy_plot_draw(const struct sy_run *run, const char *name, struct sy_text *script,
                                        struct sy_text *data, struct sy_error *error);
/* The path of self-consistency, a panel a start. */
SY_MUST_USE enum sy_status sy_plot_paths(const struct sy_run *run, const struct sy_path *paths, size_t count,
                                         struct sy_error *error);
/* White's score against search effort, for arms that differ in nothing else; *rungs gets their number, 0 when
 * there is nothing to draw. */
SY_MUST_USE enum sy_status sy_plot_ladder(const struct sy_run *run, size_t *rungs, struct sy_error *error);

/* ---- sections ---- */

enum { SY_PNGS_AT_ONCE = 4 };

/* The summary of another run. */
struct sy_beside {
    struct sy_json_doc *doc;
    const char *directory;
};

/* What the sections are made of. */
struct sy_report {
    struct sy_page page;
    struct sy_run run; /* with paths the last round of the first one, its directory being the path's own */
    size_t paths;
    struct sy_path *path;
    size_t besides; /* other runs of the same games */
    struct sy_beside *beside;
    size_t rungs;            /* of the ladder */
    struct sy_panel *panels; /* one an arm */
    struct sy_fit_check *checks;
    struct sy_places *places;
    struct sy_png *png[SY_PNGS_AT_ONCE]; /* under way */
    size_t pngs;                         /* begun so far */
    char *no_png;                        /* why boards have no PNG beside them; NULL: they have */
};

/* Names of pictures of boards begin so. */
#define SY_MAP_PREFIX "map-"

/* What a fit counts values in: "pawns", or "points (army = 3)". */
void sy_add_unit(struct sy_text *text, const struct sy_json *fit);

/* Question, answers, and the summary's warnings. */
void sy_report_answers(struct sy_report *report);
/* Reads the rounds in the directories. Clear whatever comes back. */
SY_MUST_USE enum sy_status sy_paths_open(struct sy_report *report, const char *const *directories,
                                         size_t count, struct sy_error *error);
void sy_paths_clear(struct sy_report *report);
/* Reads the summaries in the directories. Clear whatever comes back. */
SY_MUST_USE enum sy_status sy_beside_open(struct sy_report *report, const char *const *directories,
                                          size_t count, struct sy_error *error);
void sy_beside_clear(struct sy_report *report);
/* Where the other runs surely disagree with this one: a new string, or NULL. */
char *sy_beside_warning(const struct sy_report *report);
SY_MUST_USE enum sy_status sy_report_beside(struct sy_report *report, struct sy_error *error);
/* Whether each path has converged, and whether they end together. */
void sy_report_path_answers(struct sy_report *report);
SY_MUST_USE enum sy_status sy_report_rounds(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_values(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_surface(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_first_move(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_endings(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_panel(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_maps(struct sy_report *report, struct sy_error *error);
bool sy_report_has_fit(const struct sy_report *report);
SY_MUST_USE enum sy_status sy_report_fit(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_further(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_games(struct sy_report *report, struct sy_error *error);
SY_MUST_USE enum sy_status sy_report_made(struct sy_report *report, struct sy_error *error);

/* What is the same in all pages, in parts; NULL ends. */
extern const char *const sy_report_style[], *const sy_report_script[];

#endif
