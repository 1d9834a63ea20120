/* Pictures of a summary: this file writes the scripts' variables and the data, from summary.json alone.
 *
 * A data file has a block of lines for each panel (an arm of which there is something to show), columns
 * separated by tabs, '?' for a number that is not there. Text is put into single quotes in scripts, where
 * gnuplot interprets nothing; in data, where it has no way to write a quotation mark, it gets an apostrophe.
 */
#include "plot_internal.h"
#include "summary_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_WIDTH = 1600, MOST_ROWS = 4, MOST_TABLES = 4, OUTCOMES = 6 };

struct picture {
    const char *name;
    const char *body;
    /* Adds variables and data; false when there is nothing to show. */
    bool (*write)(const struct sy_json *summary, struct sy_text *script, struct sy_text *data);
};

/* ---- text and numbers ---- */

static bool is_control(char c)
{
    return (unsigned char)c < 0x20U || c == 0x7f;
}

void sy_plot_quote(struct sy_text *script, const char *text)
{
    sy_text_puts(script, "'");
    for (; *text; text++) {
        if (is_control(*text)) {
            sy_text_puts(script, " ");
        } else {
            sy_text_add(script, text, 1);
            if (*text == '\'') {
                sy_text_puts(script, "'");
            }
        }
    }
    sy_text_puts(script, "'");
}

static void add_word(struct sy_text *data, const char *text)
{
    sy_text_puts(data, "\t");
    for (; *text; text++) {
        if (is_control(*text)) {
            sy_text_puts(data, " ");
        } else if (*text == '"') {
            sy_text_puts(data, "'");
        } else {
            sy_text_add(data, text, 1);
        }
    }
}

static void add_number(struct sy_text *data, double number)
{
    if (isfinite(number)) {
        sy_text_printf(data, "\t%.6g", number);
    } else {
        sy_text_puts(data, "\t?");
    }
}

static void add_percent(struct sy_text *data, double share)
{
    add_number(data, 100.0 * share);
}

/* value, low, high of an estimate, in hundredths. */
static void add_interval(struct sy_text *data, const struct sy_json *estimate)
{
    add_percent(data, sy_read_number(estimate, "value"));
    add_percent(data, sy_read_number(estimate, "low"));
    add_percent(data, sy_read_number(estimate, "high"));
}

/* ---- variables ---- */

/* The numbers or texts of an array, one a panel, gathered while the data are written. */
struct list {
    struct sy_text items;
    size_t count;
};

static void list_separate(struct list *list)
{
    sy_text_puts(&list->items, list->count++ > 0 ? ", " : "");
}

static void list_text(struct list *list, const char *text)
{
    list_separate(list);
    sy_plot_quote(&list->items, text);
}

static void list_number(struct list *list, double number)
{
    list_separate(list);
    sy_text_printf(&list->items, "%.6g", number);
}

static void list_close(struct list *list, const char *name, struct sy_text *script)
{
    sy_text_printf(script, "array %s[%zu] = [%s]\n", name, list->count, list->items.bytes);
    sy_text_clear(&list->items);
}

static void add_text_variable(struct sy_text *script, const char *name, const char *text)
{
    sy_text_printf(script, "%s = ", name);
    sy_plot_quote(script, text);
    sy_text_puts(script, "\n");
}

static const struct sy_json *first_arm(const struct sy_json *summary)
{
    return sy_json_first(sy_json_member(summary, "arms"));
}

static void add_title(const struct sy_json *summary, struct sy_text *script)
{
    const char *title = sy_read_string(summary, "title");
    add_text_variable(script, "title", *title ? title : sy_read_string(first_arm(summary), "title"));
}

static void add_level(const struct sy_json *summary, struct sy_text *script)
{
    const double level = sy_json_number(sy_read_at(first_arm(summary), "fit", "confidence"));
    sy_text_printf(script, "level = '%g'\n", 100.0 * level);
}

/* Size in pixels of `panels` panels, each `panel_height` high, and room for labels of so many characters on
 * the left, the same for all panels so that their axes are in line. */
static void add_layout(struct sy_text *script, size_t panels, double panel_height, size_t label)
{
    const size_t columns = panels > MOST_ROWS ? 2 : 1;
    const size_t rows = (panels + columns - 1) / columns;
    sy_text_printf(script, "panels = %zu\ncolumns = %zu\nwidth = %zu\nheight = %.0f\nmargin = %zu\n", panels,
                   columns, columns * PANEL_WIDTH, 60.0 + (double)rows * panel_height, label + 3);
}

static void list_arm(struct list *panel, const struct sy_json *arm)
{
    const struct sy_json *games = sy_json_member(arm, "games");
    char *text = sy_format("%s: %.0f games, %.0f in the fit", sy_read_string(arm, "label"),
                           sy_read_number(games, "played"), sy_json_number(sy_read_at(arm, "fit", "games")));
    list_text(panel, text);
    free(text);
}

static size_t longer(size_t longest, const char *label)
{
    size_t length = 0;
    for (; *label; label++) {
        length += ((unsigned char)*label & 0xC0U) != 0x80U;
    }
    return length > longest ? length : longest;
}

/* ---- values ---- */

/* How far the axis goes: all points, and intervals as far as they don't dwarf them. */
struct extent {
    double points, low, high;
    size_t label; /* characters of the longest name */
};

static void extend(struct extent *extent, double point, double low, double high)
{
    extent->points = isfinite(point) ? fmax(extent->points, fabs(point)) : extent->points;
    extent->low = isfinite(low) ? fmin(extent->low, low) : extent->low;
    extent->high = isfinite(high) ? fmax(extent->high, high) : extent->high;
}

static void add_material(const struct sy_json *material, size_t item, struct sy_text *data,
                         struct extent *extent)
{
    const struct sy_json *value = sy_json_member(material, "value");
    const double measured = sy_read_number(value, "value");
    const char *name = sy_read_string(material, "name");
    char *label =
        isfinite(measured) ? sy_strdup(name) : sy_format("%s (%s)", name, sy_read_string(value, "status"));
    extent->label = longer(extent->label, label);
    sy_text_printf(data, "%zu", item);
    add_word(data, label);
    add_number(data, measured);
    add_number(data, sy_read_number(value, "low"));
    add_number(data, sy_read_number(value, "high"));
    add_number(data, sy_read_number(material, "believed"));
    extend(extent, measured, sy_read_number(value, "low"), sy_read_number(value, "high"));
    extend(extent, sy_read_number(material, "believed"), NAN, NAN);
    for (size_t table = 0; table < MOST_TABLES; table++) {
        const double suggested =
            sy_read_number(sy_read_item(sy_json_member(material, "suggested"), table), "value");
        add_number(data, suggested);
        extend(extent, suggested, NAN, NAN);
    }
    sy_text_puts(data, "\n");
    free(label);
}

static size_t list_tables(struct list *by, const struct sy_json *materials)
{
    const struct sy_json *suggested = sy_json_member(sy_json_first(materials), "suggested");
    const size_t tables = sy_json_count(suggested);
    for (size_t table = 0; table < MOST_TABLES; table++) {
        list_text(by, sy_read_string(sy_read_item(suggested, table), "by"));
    }
    return tables < MOST_TABLES ? tables : MOST_TABLES;
}

static bool has_value(const struct sy_json *materials)
{
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        if (isfinite(sy_json_number(sy_read_at(m, "value", "value")))) {
            return true;
        }
    }
    return false;
}

/* The materials to draw: in the measure that stands in for a weak unit where there is one, since its
 * intervals are the ones that can be read, else in the unit; says which. NULL when there is nothing to draw.
 */
static const struct sy_json *list_unit(struct list *unit, const struct sy_json *fit)
{
    const struct sy_json *materials = sy_json_member(fit, "materials");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    const double counts = sy_read_number(fit, "counts_as");
    char *text = NULL;
    if (has_value(sy_json_member(alternative, "materials"))) {
        materials = sy_json_member(alternative, "materials");
        text = sy_format("%s = %.4g", sy_read_string(alternative, "unit"),
                         sy_read_number(alternative, "counts_as"));
    } else if (has_value(materials)) {
        text = sy_format("%s = %.4g", sy_read_string(fit, "unit"), isfinite(counts) ? counts : 1.0);
    } else {
        return NULL;
    }
    list_text(unit, text);
    free(text);
    return materials;
}

static void add_extent(struct sy_text *script, const struct extent *extent)
{
    const double most = fmax(extent->points, fmin(extent->high, 2.0 * extent->points));
    const double least = fmax(extent->low, -0.5 * most);
    sy_text_printf(script, "least = %.4g\nmost = %.4g\n", 1.04 * least, 1.04 * most);
}

static bool write_values(const struct sy_json *summary, struct sy_text *script, struct sy_text *data)
{
    struct list panel = {SY_TEXT_INIT, 0}, items = panel, tables = panel, by = panel, unit = panel;
    struct extent extent = {0.0, 0.0, 0.0, 0};
    double highest = 0.0;
    sy_text_puts(data, "# row\tpiece\tvalue\tlow\thigh\tbelieved\tsuggested tables\n");
    for (const struct sy_json *arm = first_arm(summary); arm; arm = sy_json_next(arm)) {
        const struct sy_json *materials = list_unit(&unit, sy_json_member(arm, "fit"));
        if (!materials) {
            continue;
        }
        size_t item = 0;
        for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
            add_material(m, ++item, data, &extent);
        }
        sy_text_puts(data, "\n\n");
        list_arm(&panel, arm);
        list_number(&items, (double)item);
        list_number(&tables, (double)list_tables(&by, materials));
        highest = fmax(highest, (double)item);
    }
    if (panel.count == 0) {
        return false;
    }
    add_level(summary, script);
    add_layout(script, panel.count, 180.0 + 80.0 * highest, extent.label);
    add_extent(script, &extent);
    list_close(&panel, "panel", script);
    list_close(&unit, "unit", script);
    list_close(&items, "items", script);
    list_close(&tables, "tables", script);
    list_close(&by, "by", script);
    return true;
}

/* ---- White's score ---- */

static bool write_white(const struct sy_json *summary, struct sy_text *script, struct sy_text *data)
{
    size_t items = 0;
    size_t label = 0;
    bool fitted = false;
    bool counted = false;
    sy_text_puts(data, "# row\tvariant\tat equal material, %\tlow\thigh\tall games, %\tlow\thigh\n");
    for (const struct sy_json *arm = first_arm(summary); arm; arm = sy_json_next(arm)) {
        const struct sy_json *fit = sy_json_member(arm, "fit");
        /* Without materials the fit's score is the counted one. */
        const struct sy_json *score =
            sy_json_count(sy_json_member(fit, "materials")) > 0 ? sy_read_at(fit, "white", "score") : NULL;
        const struct sy_json *count = sy_read_at(arm, "white", "score");
        sy_text_printf(data, "%zu", ++items);
        add_word(data, sy_read_string(arm, "label"));
        label = longer(label, sy_read_string(arm, "label"));
        add_interval(data, score);
        add_interval(data, count);
        sy_text_puts(data, "\n");
        fitted = fitted || isfinite(sy_read_number(score, "value"));
        counted = counted || isfinite(sy_read_number(count, "value"));
    }
    if (!counted) {
        return false;
    }
    add_level(summary, script);
    sy_text_printf(script, "items = %zu\n", items);
    add_layout(script, 1, 240.0 + 80.0 * (double)items, label);
    sy_text_printf(script, "series = '%s'\narray shift[2] = [%s]\n", fitted ? "1 2" : "2",
                   fitted ? "-0.12, 0.12" : "0, 0");
    sy_text_printf(script, "array name[2] = ['at equal material (fit)', '%s']\n",
                   fitted ? "all games, whatever the start (count)" : "all games");
    return true;
}

/* ---- outcomes ---- */

static void add_reason(const struct sy_json *reason, size_t item, double played, struct sy_text *data,
                       bool *occurs)
{
    const struct sy_json *by_score = sy_json_member(reason, "by_score");
    sy_text_printf(data, "%zu", item);
    add_word(data, sy_read_string(reason, "reason"));
    add_interval(data, sy_json_member(reason, "share"));
    add_number(data, sy_read_number(reason, "games"));
    for (size_t shown = 0; shown < OUTCOMES; shown++) {
        /* The summary counts from Black's win to White's; the picture starts with White's. */
        const size_t at = shown < OUTCOMES - 1 ? OUTCOMES - 2 - shown : OUTCOMES - 1;
        const double games = sy_json_number(sy_read_item(by_score, at));
        add_percent(data, games / played);
        occurs[shown] = occurs[shown] || games > 0.0;
    }
    sy_text_puts(data, "\n");
}

static bool write_outcomes(const struct sy_json *summary, struct sy_text *script, struct sy_text *data)
{
    struct list panel = {SY_TEXT_INIT, 0}, items = panel;
    bool occurs[OUTCOMES] = {false};
    size_t label = 0;
    double highest = 0.0;
    sy_text_puts(data, "# row\treason\tshare, %\tlow\thigh\tgames\tWhite wins, %\tWhite scores 3/4\tdraw\t"
                       "White scores 1/4\tBlack wins\tunfinished\n");
    for (const struct sy_json *arm = first_arm(summary); arm; arm = sy_json_next(arm)) {
        const struct sy_json *reasons = sy_read_at(arm, "outcomes", "reasons");
        if (sy_json_count(reasons) == 0) {
            continue;
        }
        size_t item = 0;
        for (const struct sy_json *reason = sy_json_first(reasons); reason; reason = sy_json_next(reason)) {
            label = longer(label, sy_read_string(reason, "reason"));
            add_reason(reason, ++item, sy_json_number(sy_read_at(arm, "games", "played")), data, occurs);
        }
        sy_text_puts(data, "\n\n");
        list_arm(&panel, arm);
        list_number(&items, (double)item);
        highest = fmax(highest, (double)item);
    }
    if (panel.count == 0) {
        return false;
    }
    add_level(summary, script);
    add_layout(script, panel.count, 180.0 + 70.0 * highest, label);
    list_close(&panel, "panel", script);
    list_close(&items, "items", script);
    sy_text_puts(script, "scores = '");
    for (size_t shown = 0; shown < OUTCOMES; shown++) {
        if (occurs[shown]) {
            sy_text_printf(script, " %zu", shown + 1);
        }
    }
    sy_text_puts(script, "'\n");
    return true;
}

/* ---- lengths ---- */

static bool write_lengths(const struct sy_json *summary, struct sy_text *script, struct sy_text *data)
{
    struct list panel = {SY_TEXT_INIT, 0}, median = panel, widths = panel;
    double longest = 0.0;
    sy_text_puts(data, "# middle of bin, plies\tgames\tshare, %\n");
    for (const struct sy_json *arm = first_arm(summary); arm; arm = sy_json_next(arm)) {
        const struct sy_json *length = sy_json_member(arm, "length");
        const struct sy_json *bins = sy_read_at(length, "histogram", "games");
        const double width = sy_json_number(sy_read_at(length, "histogram", "width"));
        const double played = sy_json_number(sy_read_at(arm, "games", "played"));
        if (sy_json_count(bins) == 0) {
            continue;
        }
        double left = 0.0;
        for (const struct sy_json *bin = sy_json_first(bins); bin; bin = sy_json_next(bin)) {
            sy_text_printf(data, "%.6g\t%.0f", left + 0.5 * width, sy_json_number(bin));
            add_percent(data, sy_json_number(bin) / played);
            sy_text_puts(data, "\n");
            left += width;
        }
        sy_text_puts(data, "\n\n");
        list_arm(&panel, arm);
        list_number(&median, sy_read_number(length, "median"));
        list_number(&widths, width);
        longest = fmax(longest, left);
    }
    if (panel.count == 0) {
        return false;
    }
    add_layout(script, panel.count, 460.0, 5);
    sy_text_printf(script, "longest = %.6g\n", longest);
    list_close(&panel, "panel", script);
    list_close(&median, "median", script);
    list_close(&widths, "width_of_bin", script);
    return true;
}

/* ---- all of them ---- */

static enum sy_status write_file(const char *folder, const char *name, const char *suffix,
                                 const struct sy_text *text, struct sy_error *error)
{
    char *path = sy_format("%s/%s%s", folder, name, suffix);
    const enum sy_status status = sy_write_file(path, text->bytes, text->length, error);
    free(path);
    return status;
}

static enum sy_status draw(const struct picture *picture, const char *folder, const char *gnuplot,
                           const struct sy_json *summary, struct sy_error *error)
{
    struct sy_text script = SY_TEXT_INIT;
    struct sy_text data = SY_TEXT_INIT;
    enum sy_status status = SY_OK;
    add_title(summary, &script);
    if (picture->write(summary, &script, &data)) {
        sy_text_printf(&script, "load 'style.gp'\n\n%s", picture->body);
        status = write_file(folder, picture->name, ".dat", &data, error);
        if (status == SY_OK) {
            status = write_file(folder, picture->name, ".gp", &script, error);
        }
        if (status == SY_OK && gnuplot) {
            char *name = sy_format("%s.gp", picture->name);
            status = sy_gnuplot_run(gnuplot, folder, name, error);
            free(name);
        }
    }
    sy_text_clear(&script);
    sy_text_clear(&data);
    return status;
}

enum sy_status sy_plot_summary(const char *directory, const struct sy_json *summary, char **warning,
                               struct sy_error *error)
{
    const struct picture pictures[] = {{"values", sy_plot_values, write_values},
                                       {"white", sy_plot_white, write_white},
                                       {"outcomes", sy_plot_outcomes, write_outcomes},
                                       {"lengths", sy_plot_lengths, write_lengths}};
    char *folder = sy_format("%s/plots", directory);
    char *gnuplot = sy_gnuplot_find();
    struct sy_text style = SY_TEXT_INIT;
    sy_text_puts(&style, sy_plot_style);
    *warning =
        gnuplot ? NULL : sy_strdup("no gnuplot on PATH: scripts and data are in plots/, pictures are not");
    enum sy_status status = sy_make_directory(folder, error);
    if (status == SY_OK) {
        status = write_file(folder, "style", ".gp", &style, error);
    }
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures && status == SY_OK; i++) {
        status = draw(&pictures[i], folder, gnuplot, summary, error);
    }
    sy_text_clear(&style);
    free(gnuplot);
    free(folder);
    return status;
}
