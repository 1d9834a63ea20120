/* The pictures that need the games: how long pieces survive, and how well the score model fits. Written and
 * drawn as those of a summary: a script, its data, and what gnuplot makes of them. */
#include "plot_internal.h"
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>

enum { PANEL_WIDTH = 1600, MOST_PANELS = 8 };

void sy_plot_head(struct sy_text *script, const struct sy_run *run, const char *const *titles, size_t panels,
                  double panel_height)
{
    sy_text_puts(script, "title = ");
    sy_plot_quote(script, *run->experiment->title ? run->experiment->title : run->experiment->arms[0].label);
    sy_text_printf(
        script, "\nlevel = '%g'\npanels = %zu\ncolumns = 1\nwidth = %d\nheight = %.0f\nmargin = 9\n",
        100.0 * run->experiment->fit.confidence, panels, PANEL_WIDTH, 60.0 + (double)panels * panel_height);
    sy_text_printf(script, "array panel[%zu] = [", panels);
    for (size_t i = 0; i < panels; i++) {
        sy_text_puts(script, i > 0 ? ", " : "");
        sy_plot_quote(script, titles[i]);
    }
    sy_text_puts(script, "]\n");
}

static void add_head(struct sy_text *script, const struct sy_run *run, const unsigned *arms, size_t panels,
                     double panel_height)
{
    const char *titles[MOST_PANELS];
    for (size_t i = 0; i < panels; i++) {
        titles[i] = run->experiment->arms[arms[i]].label;
    }
    sy_plot_head(script, run, titles, panels, panel_height);
}

void sy_plot_estimate(struct sy_text *data, struct sy_estimate estimate, double scale)
{
    if (estimate.status == SY_STAT_OK) {
        sy_text_printf(data, "\t%.6g\t%.6g\t%.6g", scale * estimate.value, scale * estimate.low,
                       scale * estimate.high);
    } else {
        sy_text_puts(data, "\t?\t?\t?");
    }
}

static enum sy_status write_file(const struct sy_run *run, const char *name, const char *suffix,
                                 const struct sy_text *text, struct sy_error *error)
{
    char *path = sy_format("%s/plots/%s%s", run->directory, name, suffix);
    const enum sy_status status = sy_write_file(path, text->bytes, text->length, error);
    free(path);
    return status;
}

enum sy_status sy_plot_draw(const struct sy_run *run, const char *name, struct sy_text *script,
                            struct sy_text *data, struct sy_error *error)
{
    char *gnuplot = sy_gnuplot_find();
    char *folder = sy_format("%s/plots", run->directory);
    char *file = sy_format("%s.gp", name);
    enum sy_status status = write_file(run, name, ".dat", data, error);
    if (status == SY_OK) {
        status = write_file(run, name, ".gp", script, error);
    }
    if (status == SY_OK && gnuplot) {
        status = sy_gnuplot_run(gnuplot, folder, file, error);
    }
    free(file);
    free(folder);
    free(gnuplot);
    sy_text_clear(script);
    sy_text_clear(data);
    return status;
}

/* ---- survival ---- */

static const char survival_body[] =
    "load 'style.gp'\n\n"
    "do for [format in 'png svg'] {\n"
    "    eval terminal(format)\n"
    "    set output 'survival.'.format\n"
    "    set multiplot layout rows, columns title title\n"
    "    set xlabel 'how much of the game has passed, %'\n"
    "    set ylabel 'still on the board, %'\n"
    "    set grid ytics back\n"
    "    set xrange [-2:102]\n"
    "    set yrange [0:102]\n"
    "    do for [i=1:panels] {\n"
    "        set title panel[i].', with '.level.' % interval'\n"
    "        plot for [k=1:kinds[i]] 'survival.dat' index first[i]+k-1 using ($1 + 0.3 * (k - 1)):2:3:4 \\\n"
    "                 with yerrorbars linestyle 1+(k-1)%6 pointsize 0 linewidth 2 notitle, \\\n"
    "             for [k=1:kinds[i]] '' index first[i]+k-1 using ($1 + 0.3 * (k - 1)):2 with linespoints \\\n"
    "                 linestyle 1+(k-1)%6 title name[first[i]+k]\n"
    "    }\n"
    "    unset multiplot\n"
    "}\n"
    "unset output\n";

static void add_numbers(struct sy_text *script, const char *name, const size_t *numbers, size_t count)
{
    sy_text_printf(script, "array %s[%zu] = [", name, count);
    for (size_t i = 0; i < count; i++) {
        sy_text_printf(script, "%s%zu", i > 0 ? ", " : "", numbers[i]);
    }
    sy_text_puts(script, "]\n");
}

static void add_curves(const struct sy_panel *panel, struct sy_text *names, struct sy_text *data)
{
    for (size_t kind = 0; kind < panel->kinds; kind++) {
        sy_text_puts(names, names->length > 0 ? ", " : "");
        sy_plot_quote(names, panel->survival[kind].name);
        for (unsigned tenth = 0; tenth < SY_TENTHS; tenth++) {
            sy_text_printf(data, "%u", tenth * 100U / (SY_TENTHS - 1));
            sy_plot_estimate(data, panel->survival[kind].share[tenth], 100.0);
            sy_text_puts(data, "\n");
        }
        sy_text_puts(data, "\n\n");
    }
}

static enum sy_status plot_survival(const struct sy_run *run, const struct sy_panel *panels,
                                    struct sy_error *error)
{
    struct sy_text script = SY_TEXT_INIT, data = SY_TEXT_INIT, names = SY_TEXT_INIT;
    unsigned arms[MOST_PANELS];
    size_t kinds[MOST_PANELS], first[MOST_PANELS], count = 0, blocks = 0;
    sy_text_puts(&data, "# time, % of the game\tsurviving, %\tlow\thigh; a block for each arm and kind\n");
    for (unsigned arm = 0; arm < run->experiment->arm_count && count < MOST_PANELS; arm++) {
        if (panels[arm].kinds > 0 && panels[arm].survival[0].share[0].status == SY_STAT_OK) {
            arms[count] = arm;
            kinds[count] = panels[arm].kinds;
            first[count++] = blocks;
            blocks += panels[arm].kinds;
            add_curves(&panels[arm], &names, &data);
        }
    }
    if (count == 0) {
        sy_text_clear(&data);
        return SY_OK;
    }
    add_head(&script, run, arms, count, 560.0);
    add_numbers(&script, "kinds", kinds, count);
    add_numbers(&script, "first", first, count);
    sy_text_printf(&script, "array name[%zu] = [%s]\n%s", blocks, names.bytes, survival_body);
    sy_text_clear(&names);
    return sy_plot_draw(run, "survival", &script, &data, error);
}

/* ---- the fit ---- */

static const char calibration_body[] =
    "load 'style.gp'\n\n"
    "do for [format in 'png svg'] {\n"
    "    eval terminal(format)\n"
    "    set output 'calibration.'.format\n"
    "    set multiplot layout rows, columns title title\n"
    "    set xlabel 'predicted score of White, %'\n"
    "    set ylabel 'observed, %'\n"
    "    set grid ytics back\n"
    "    set xrange [0:100]\n"
    "    set yrange [0:100]\n"
    "    set arrow 1 from 0, 0 to 100, 100 nohead back linewidth 3 dashtype 2 linecolor '#000000'\n"
    "    do for [i=1:panels] {\n"
    "        set title panel[i].', with '.level.' % interval (dashed: a perfect fit)'\n"
    "        plot 'calibration.dat' index i-1 using 1:2:3:4 with yerrorbars linestyle 1 title 'tenths of "
    "'\\\n"
    "             .'the games'\n"
    "    }\n"
    "    unset multiplot\n"
    "}\n"
    "unset output\n";

static const char residuals_body[] =
    "load 'style.gp'\n\n"
    "do for [format in 'png svg'] {\n"
    "    eval terminal(format)\n"
    "    set output 'residuals.'.format\n"
    "    set multiplot layout rows, columns title title\n"
    "    set xlabel 'White''s lead in material as the engine values it, units'\n"
    "    set ylabel 'observed less predicted, %'\n"
    "    set grid ytics back\n"
    "    set xrange [*<-1:1<*]\n"
    "    set offsets 0.5, 0.5, 0, 0\n"
    "    set yrange [*<-5:5<*]\n"
    "    unset key\n"
    "    do for [i=1:panels] {\n"
    "        set title panel[i].', with '.level.' % interval'\n"
    "        plot 0 with lines linewidth 3 dashtype 2 linecolor '#000000', \\\n"
    "             'residuals.dat' index i-1 using 1:2:3:4 with yerrorbars linestyle 1\n"
    "    }\n"
    "    unset multiplot\n"
    "}\n"
    "unset output\n";

static void add_bins(const struct sy_bin *bins, size_t count, double scale, struct sy_text *data)
{
    for (size_t i = 0; i < count; i++) {
        sy_text_printf(data, "%.6g", scale * bins[i].at);
        sy_plot_estimate(data, bins[i].observed, 100.0);
        sy_text_printf(data, "\t%zu\n", bins[i].games);
    }
    sy_text_puts(data, "\n\n");
}

static enum sy_status plot_fit(const struct sy_run *run, const struct sy_fit_check *checks, bool residuals,
                               struct sy_error *error)
{
    struct sy_text script = SY_TEXT_INIT, data = SY_TEXT_INIT;
    unsigned arms[MOST_PANELS];
    size_t count = 0;
    sy_text_puts(&data, residuals ? "# material difference\tresidual, %\tlow\thigh\tgames\n"
                                  : "# predicted, %\tobserved, %\tlow\thigh\tgames\n");
    for (unsigned arm = 0; arm < run->experiment->arm_count && count < MOST_PANELS; arm++) {
        const struct sy_fit_check *check = &checks[arm];
        if (residuals && check->residuals > 0) {
            add_bins(check->residual, check->residuals, 1.0, &data);
            arms[count++] = arm;
        } else if (!residuals && check->calibrations > 0) {
            add_bins(check->calibration, check->calibrations, 100.0, &data);
            arms[count++] = arm;
        }
    }
    if (count == 0) {
        sy_text_clear(&data);
        return SY_OK;
    }
    add_head(&script, run, arms, count, 520.0);
    sy_text_puts(&script, residuals ? residuals_body : calibration_body);
    return sy_plot_draw(run, residuals ? "residuals" : "calibration", &script, &data, error);
}

enum sy_status sy_plot_report(const struct sy_run *run, const struct sy_panel *panels,
                              const struct sy_fit_check *checks, struct sy_error *error)
{
    enum sy_status status = plot_survival(run, panels, error);
    if (status == SY_OK) {
        status = plot_fit(run, checks, false, error);
    }
    return status == SY_OK ? plot_fit(run, checks, true, error) : status;
}
