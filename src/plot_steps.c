/* Pictures of what changes from step to step: the path of self-consistency by rounds, and White's score by
 * search effort. Written and drawn as those of plot_report. */
#include "plot_internal.h"
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STARTS = 6, MOST_RUNGS = 64 };

/* ---- self-consistency ---- */

static const char path_body[] =
    "load 'style.gp'\n\n"
    "do for [format in 'png svg'] {\n"
    "    eval terminal(format)\n"
    "    set output 'path.'.format\n"
    "    set multiplot layout rows, columns title title\n"
    "    set xlabel 'round'\n"
    "    set ylabel 'value, points'\n"
    "    set grid ytics back\n"
    "    set xtics 1\n"
    "    set xrange [0.7:most + 0.3]\n"
    "    set yrange [0:highest]\n"
    "    do for [i=1:panels] {\n"
    "        set title panel[i]\n"
    "        plot for [k=1:kinds] 'path.dat' index (i-1)*kinds+k-1 using ($1 - 0.03):2 with linespoints \\\n"
    "                 linestyle 1+(k-1)%6 dashtype 2 linewidth 2 pointsize 0.6 notitle, \\\n"
    "             for [k=1:kinds] '' index (i-1)*kinds+k-1 using ($1 + 0.03):3:4:5 with yerrorbars \\\n"
    "                 linestyle 1+(k-1)%6 linewidth 2 notitle, \\\n"
    "             for [k=1:kinds] '' index (i-1)*kinds+k-1 using ($1 + 0.03):3 with linespoints \\\n"
    "                 linestyle 1+(k-1)%6 title name[k], \\\n"
    "             NaN with lines dashtype 2 linewidth 2 linecolor '#000000' title 'believed', \\\n"
    "             NaN with lines linewidth 3 linecolor '#000000' title 'measured, '.level.' %'\n"
    "    }\n"
    "    unset multiplot\n"
    "}\n"
    "unset output\n";

/* What the rounds of all paths come to. */
struct extent {
    size_t kinds, rounds;
    double highest;
    const char *name[SY_MAX_TYPES]; /* in the order of the first round that has pieces */
};

static void extend(struct extent *extent, const struct sy_path *path)
{
    const struct sy_json *round = sy_json_first(sy_path_rounds(path));
    for (size_t number = 1; round; round = sy_json_next(round), number++) {
        const struct sy_json *piece = sy_json_first(sy_round_pieces(round));
        for (size_t kind = 0; piece && kind < SY_MAX_TYPES; piece = sy_json_next(piece), kind++) {
            const struct sy_estimate measured = sy_read_estimate(sy_json_member(piece, "measured"));
            const double points[] = {sy_read_number(piece, "suggested"), measured.value,
                                     fmin(measured.high, 1.5 * measured.value)};
            for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
                extent->highest = fmax(extent->highest, path->scale * points[i]);
            }
            if (kind == extent->kinds) {
                extent->name[extent->kinds++] = sy_read_string(piece, "name");
            }
        }
        extent->rounds = number > extent->rounds ? number : extent->rounds;
    }
}

static void add_kind(const struct sy_path *path, const char *name, struct sy_text *data)
{
    const struct sy_json *round = sy_json_first(sy_path_rounds(path));
    for (size_t number = 1; round; round = sy_json_next(round), number++) {
        const struct sy_json *piece = sy_json_first(sy_round_pieces(round));
        while (piece && strcmp(sy_read_string(piece, "name"), name) != 0) {
            piece = sy_json_next(piece);
        }
        if (piece) {
            sy_text_printf(data, "%zu\t%.6g", number, path->scale * sy_read_number(piece, "suggested"));
            sy_plot_estimate(data, sy_read_estimate(sy_json_member(piece, "measured")), path->scale);
            sy_text_puts(data, "\n");
        }
    }
    sy_text_puts(data, "\n\n");
}

/* "from start 1: converged in round 3"; a new string. */
static char *panel_title(const struct sy_path *path, size_t index, size_t count)
{
    char *start = count > 1 ? sy_format("start %zu", index + 1) : sy_strdup("the start");
    const size_t rounds = sy_json_count(sy_path_rounds(path));
    char *title =
        sy_json_true(sy_json_member(sy_json_root(path->doc), "converged"))
            ? sy_format("from %s: believed and measured values agree in round %zu", start, rounds)
            : sy_format("from %s: believed and measured values do not agree after round %zu", start, rounds);
    free(start);
    return title;
}

enum sy_status sy_plot_paths(const struct sy_run *run, const struct sy_path *paths, size_t count,
                             struct sy_error *error)
{
    struct extent extent = {0};
    struct sy_text script = SY_TEXT_INIT, data = SY_TEXT_INIT;
    char *titles[MOST_STARTS];
    const char *panels[MOST_STARTS];
    const size_t shown = count < MOST_STARTS ? count : (size_t)MOST_STARTS;
    for (size_t i = 0; i < shown; i++) {
        extend(&extent, &paths[i]);
    }
    if (extent.kinds == 0) {
        return SY_OK;
    }
    sy_text_puts(&data, "# round\tbelieved\tmeasured\tlow\thigh\n");
    for (size_t i = 0; i < shown; i++) {
        panels[i] = titles[i] = panel_title(&paths[i], i, count);
        for (size_t kind = 0; kind < extent.kinds; kind++) {
            add_kind(&paths[i], extent.name[kind], &data);
        }
    }
    sy_plot_head(&script, run, panels, shown, 560.0);
    sy_text_printf(&script, "kinds = %zu\nmost = %zu\nhighest = %.4g\narray name[%zu] = [", extent.kinds,
                   extent.rounds, 1.05 * extent.highest, extent.kinds);
    for (size_t kind = 0; kind < extent.kinds; kind++) {
        sy_text_puts(&script, kind > 0 ? ", " : "");
        sy_plot_quote(&script, extent.name[kind]);
    }
    sy_text_printf(&script, "]\n%s", path_body);
    for (size_t i = 0; i < shown; i++) {
        free(titles[i]);
    }
    return sy_plot_draw(run, "path", &script, &data, error);
}

/* ---- the ladder ---- */

static const char ladder_body[] =
    "load 'style.gp'\n\n"
    "do for [format in 'png svg'] {\n"
    "    eval terminal(format)\n"
    "    set output 'ladder.'.format\n"
    "    set multiplot layout rows, columns title title\n"
    "    set xlabel effort\n"
    "    set ylabel 'White''s score, %, with '.level.' % interval'\n"
    "    set grid ytics back\n"
    "    if (logarithmic) { set logscale x }\n"
    "    eval 'set xtics ('.rungs.')'\n"
    "    set xrange [least:most]\n"
    "    set yrange [*<48:52<*]\n"
    "    set arrow 1 from least, 50 to most, 50 nohead back linewidth 3 dashtype 2 linecolor '#000000'\n"
    "    plot for [k=1:ladders] 'ladder.dat' index k-1 using 1:2:3:4 with yerrorbars \\\n"
    "             linestyle 1+(k-1)%6 linewidth 2 notitle, \\\n"
    "         for [k=1:ladders] '' index k-1 using 1:2 with linespoints linestyle 1+(k-1)%6 title name[k]\n"
    "    unset multiplot\n"
    "}\n"
    "unset output\n";

static double effort(const struct sy_arm *arm)
{
    return arm->limits.nodes > 0 ? (double)arm->limits.nodes : (double)arm->limits.depth;
}

static bool one_measure(const struct sy_run *run)
{
    bool same = true;
    for (size_t i = 1; i < run->experiment->arm_count; i++) {
        same = same &&
               (run->experiment->arms[i].limits.nodes > 0) == (run->experiment->arms[0].limits.nodes > 0);
    }
    return same;
}

/* Do both arms play the same game, so that they are rungs of one ladder? */
static bool same_game(const struct sy_arm *a, const struct sy_arm *b)
{
    return strcmp(a->variant->digest, b->variant->digest) == 0;
}

/* The arms of the ladder that begins with this arm, by effort; none when an earlier arm began it, or when it
 * would have a single rung. */
static size_t find_ladder(const struct sy_run *run, unsigned first, unsigned rungs[MOST_RUNGS])
{
    const struct sy_arm *arms = run->experiment->arms;
    size_t count = 0;
    bool climbs = false;
    for (unsigned arm = 0; arm < run->experiment->arm_count && count < MOST_RUNGS; arm++) {
        if (!same_game(&arms[arm], &arms[first])) {
            continue;
        }
        if (arm < first) {
            return 0;
        }
        size_t at = count++;
        for (; at > 0 && effort(&arms[rungs[at - 1]]) > effort(&arms[arm]); at--) {
            rungs[at] = rungs[at - 1];
        }
        rungs[at] = arm;
        climbs =
            climbs || effort(&arms[arm]) < effort(&arms[first]) || effort(&arms[arm]) > effort(&arms[first]);
    }
    return climbs ? count : 0;
}

static struct sy_estimate white_of(const struct sy_run *run, unsigned arm)
{
    const struct sy_json *summary = sy_run_arm_summary(run, arm);
    return sy_read_estimate(run->experiment->design == SY_DESIGN_FIRST_MOVE
                                ? sy_read_at(summary, "white", "score")
                                : sy_json_member(sy_read_at(summary, "fit", "white"), "score"));
}

enum sy_status sy_plot_ladder(const struct sy_run *run, size_t *rungs, struct sy_error *error)
{
    struct sy_text script = SY_TEXT_INIT, data = SY_TEXT_INIT, names = SY_TEXT_INIT, rungs_at = SY_TEXT_INIT;
    double least = INFINITY, most = 0.0;
    size_t ladders = 0;
    *rungs = 0;
    sy_text_puts(&data, "# search a move\tWhite's score, %\tlow\thigh\n");
    for (unsigned first = 0; first < run->experiment->arm_count && one_measure(run); first++) {
        unsigned arms[MOST_RUNGS];
        const size_t count = find_ladder(run, first, arms);
        for (size_t i = 0; i < count; i++) {
            const double here = effort(&run->experiment->arms[arms[i]]);
            sy_text_printf(&data, "%.6g", here);
            sy_plot_estimate(&data, white_of(run, arms[i]), 100.0);
            sy_text_puts(&data, "\n");
            sy_text_printf(&rungs_at, "%s%.6g", rungs_at.length > 0 ? ", " : "", here);
            least = fmin(least, here);
            most = fmax(most, here);
        }
        if (count > 0) {
            sy_text_puts(&data, "\n\n");
            sy_text_puts(&names, ladders++ > 0 ? ", " : "");
            sy_plot_quote(&names, run->experiment->arms[first].variant->title);
            *rungs += count;
        }
    }
    if (ladders == 0 || least <= 0.0) {
        *rungs = 0;
        sy_text_clear(&data);
        sy_text_clear(&names);
        sy_text_clear(&rungs_at);
        return SY_OK;
    }
    const bool nodes = run->experiment->arms[0].limits.nodes > 0;
    sy_plot_head(&script, run, (const char *const[]){""}, 1, 560.0);
    sy_text_printf(&script, "ladders = %zu\narray name[%zu] = [%s]\nlogarithmic = %d\neffort = '%s a move'\n",
                   ladders, ladders, names.bytes, nodes, nodes ? "nodes searched" : "depth searched");
    sy_text_printf(&script, "rungs = '%s'\n", rungs_at.bytes);
    sy_text_clear(&rungs_at);
    sy_text_printf(&script, "least = %.6g\nmost = %.6g\n%s", nodes ? least / 1.2 : least - 0.5,
                   nodes ? most * 1.2 : most + 0.5, ladder_body);
    sy_text_clear(&names);
    return sy_plot_draw(run, "ladder", &script, &data, error);
}
