/* A summary as a table for a terminal, at most 100 columns wide. Widths count characters, not bytes. */
#include "summary_internal.h"
#include "summary_read.h"

#include "steelyard/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 98, TABLES_BESIDE = 2 };

static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return count;
}

/* Adds the text, cut to the width, and spaces up to it: after the text, or before it if width < 0. */
static void add_padded(struct sy_text *out, int width, const char *text)
{
    const size_t wanted = (size_t)abs(width);
    size_t bytes = strlen(text);
    while (bytes > 0 && characters(text) - characters(text + bytes) > wanted) {
        bytes--;
    }
    const size_t shown = characters(text) - characters(text + bytes);
    if (width > 0) {
        sy_text_add(out, text, bytes);
    }
    for (size_t i = shown; i < wanted; i++) {
        sy_text_puts(out, " ");
    }
    if (width < 0) {
        sy_text_add(out, text, bytes);
    }
}

static void add_cell(struct sy_text *out, int width, const char *format, ...) SY_PRINTF(3, 4);
static void add_cell(struct sy_text *out, int width, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    add_padded(out, width, text);
}

/* A number in the cell, or a dash for one that is not there. */
static void add_number(struct sy_text *out, int width, int decimals, double number)
{
    if (isfinite(number)) {
        add_cell(out, width, "%.*f", decimals, number);
    } else {
        add_padded(out, width, "-");
    }
}

/* Adds the words of a sentence in lines of at most WIDTH, the later ones indented. */
static void add_wrapped(struct sy_text *out, const char *indent, const char *sentence)
{
    size_t column = 0;
    for (const char *word = sentence; *word;) {
        size_t bytes = strcspn(word, " ");
        bytes += strncmp(word + bytes, " %", 2) == 0 ? 2 + strcspn(word + bytes + 2, " ") : 0;
        char *copy = sy_format("%.*s", (int)bytes, word);
        const size_t length = characters(copy);
        if (column > 0 && column + 1 + length > WIDTH) {
            sy_text_printf(out, "\n%s", indent);
            column = characters(indent);
        } else if (column > 0) {
            sy_text_puts(out, " ");
            column++;
        }
        sy_text_puts(out, copy);
        column += length;
        free(copy);
        word += bytes;
        word += strspn(word, " ");
    }
    sy_text_puts(out, "\n");
}

/* Where the suggestion lies, seen from the measured interval. */
static const char *verdict(const struct sy_json *value, const struct sy_json *suggestion)
{
    const double suggested = sy_read_number(suggestion, "value");
    const double low = sy_read_number(value, "low");
    const double high = sy_read_number(value, "high");
    if (!isfinite(suggested) || !isfinite(low) || !isfinite(high)) {
        return "";
    }
    return suggested < low ? "too low" : suggested > high ? "too high" : "inside";
}

static void add_suggestion(struct sy_text *out, const struct sy_json *material,
                           const struct sy_json *suggestion)
{
    const bool unit = sy_json_true(sy_json_member(material, "unit"));
    add_number(out, -7, 2, sy_read_number(suggestion, "value"));
    sy_text_puts(out, " ");
    add_padded(out, 9, unit ? "" : verdict(sy_json_member(material, "value"), suggestion));
}

static void trim_line(struct sy_text *out)
{
    while (out->length > 0 && out->bytes[out->length - 1] == ' ') {
        out->bytes[--out->length] = '\0';
    }
    sy_text_puts(out, "\n");
}

static void add_material(struct sy_text *out, const struct sy_json *material)
{
    const struct sy_json *value = sy_json_member(material, "value");
    add_padded(out, 13, sy_read_string(material, "name"));
    add_number(out, -7, 2, sy_read_number(value, "value"));
    sy_text_puts(out, "  ");
    if (!isfinite(sy_read_number(value, "value"))) {
        add_padded(out, 17, sy_read_string(value, "status"));
    } else if (sy_json_true(sy_json_member(material, "unit"))) {
        add_padded(out, 17, "the unit");
    } else {
        add_cell(out, 17, "%.2f to %.2f", sy_read_number(value, "low"), sy_read_number(value, "high"));
    }
    add_number(out, -7, 3, sy_json_number(sy_read_at(material, "logit", "value")));
    add_number(out, -8, 0, sy_read_number(material, "games"));
    add_number(out, -10, 2, sy_read_number(material, "believed"));
    const struct sy_json *suggestion = sy_json_first(sy_json_member(material, "suggested"));
    for (int i = 0; suggestion && i < TABLES_BESIDE; i++, suggestion = sy_json_next(suggestion)) {
        add_suggestion(out, material, suggestion);
    }
    trim_line(out);
}

static void add_heading(struct sy_text *out, const struct sy_json *fit)
{
    add_padded(out, 13, "piece");
    add_padded(out, -7, "value");
    sy_text_puts(out, "  ");
    add_cell(out, 17, "%g %% interval", 100.0 * sy_read_number(fit, "confidence"));
    add_padded(out, -7, "logit");
    add_padded(out, -8, "games");
    add_padded(out, -10, "believed");
    const struct sy_json *first = sy_json_first(sy_json_member(fit, "materials"));
    const struct sy_json *suggestion = sy_json_first(sy_json_member(first, "suggested"));
    for (int i = 0; suggestion && i < TABLES_BESIDE; i++, suggestion = sy_json_next(suggestion)) {
        sy_text_puts(out, "   ");
        add_padded(out, 14, sy_read_string(suggestion, "by"));
    }
    trim_line(out);
}

/* Suggested tables that did not fit beside the values. */
static void add_further_suggestions(struct sy_text *out, const struct sy_json *materials)
{
    const size_t tables = sy_json_count(sy_json_member(sy_json_first(materials), "suggested"));
    for (size_t table = TABLES_BESIDE; table < tables; table++) {
        struct sy_text line = SY_TEXT_INIT;
        for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
            const struct sy_json *suggestion = sy_read_item(sy_json_member(m, "suggested"), table);
            if (m == sy_json_first(materials)) {
                sy_text_printf(&line, "%s:", sy_read_string(suggestion, "by"));
            }
            if (isfinite(sy_read_number(suggestion, "value"))) {
                sy_text_printf(&line, " %s %.2f %s;", sy_read_string(m, "name"),
                               sy_read_number(suggestion, "value"),
                               verdict(sy_json_member(m, "value"), suggestion));
            }
        }
        add_wrapped(out, "  ", line.bytes ? line.bytes : "");
        sy_text_clear(&line);
    }
}

static void add_values(struct sy_text *out, const struct sy_json *fit, const struct sy_json *materials)
{
    if (sy_json_count(materials) > 0) {
        add_heading(out, fit);
    }
    for (const struct sy_json *material = sy_json_first(materials); material;
         material = sy_json_next(material)) {
        add_material(out, material);
    }
    add_further_suggestions(out, materials);
}

/* "knight 3.4 (3.1 to 3.8) against 3, p 0.01" */
static void add_departure(struct sy_text *line, const struct sy_json *piece, bool first)
{
    const struct sy_json *measured = sy_json_member(piece, "measured");
    sy_text_printf(line, "%s %s", first ? "" : ",", sy_read_string(piece, "name"));
    if (isfinite(sy_read_number(measured, "value"))) {
        sy_text_printf(line, " %.2f (%.2f to %.2f)", sy_read_number(measured, "value"),
                       sy_read_number(measured, "low"), sy_read_number(measured, "high"));
    }
    sy_text_printf(line, " against %.4g, p %.2g", sy_read_number(piece, "suggested"),
                   sy_read_number(piece, "p_holm"));
}

static void add_verdict(struct sy_text *out, const struct sy_json *verdict)
{
    struct sy_text line = SY_TEXT_INIT;
    const struct sy_json *pieces = sy_json_member(verdict, "pieces");
    bool first = true;
    if (!isfinite(sy_read_number(verdict, "p"))) {
        return;
    }
    sy_text_printf(&line, "%s, as a whole and in any unit: %s (Wald %.1f on %.0f, p %.2g)",
                   sy_read_string(verdict, "by"),
                   sy_json_true(sy_json_member(verdict, "agrees")) ? "agrees" : "does not fit",
                   sy_read_number(verdict, "wald"), sy_read_number(verdict, "freedom"),
                   sy_read_number(verdict, "p"));
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        if (sy_json_true(sy_json_member(piece, "departs"))) {
            sy_text_puts(&line, first ? "; in its points:" : "");
            add_departure(&line, piece, first);
            first = false;
        }
    }
    add_wrapped(out, "  ", line.bytes);
    sy_text_clear(&line);
}

static void add_percent(struct sy_text *line, const char *what, const struct sy_json *estimate)
{
    const double value = sy_read_number(estimate, "value");
    if (isfinite(value)) {
        sy_text_printf(line, "%s %.1f %% (%.1f to %.1f)", what, 100.0 * value,
                       100.0 * sy_read_number(estimate, "low"), 100.0 * sy_read_number(estimate, "high"));
    } else {
        sy_text_printf(line, "%s unknown (%s)", what, sy_read_string(estimate, "status"));
    }
}

static void add_white(struct sy_text *out, const struct sy_json *arm)
{
    struct sy_text line = SY_TEXT_INIT;
    const struct sy_json *fitted = sy_read_at(arm, "fit", "white");
    const struct sy_json *counted = sy_json_member(arm, "white");
    if (sy_json_count(sy_read_at(arm, "fit", "materials")) > 0) {
        add_percent(&line, "White scores, at equal material:", sy_json_member(fitted, "score"));
        add_percent(&line, "; all games counted:", sy_json_member(counted, "score"));
    } else {
        add_percent(&line, "White scores", sy_json_member(counted, "score"));
    }
    const double elo = sy_json_number(sy_read_at(fitted, "elo", "value"));
    if (isfinite(elo)) {
        sy_text_printf(&line, "; %+.0f Elo", elo);
    }
    const double decisive = sy_json_number(sy_read_at(counted, "decisive", "value"));
    if (isfinite(decisive)) {
        sy_text_printf(&line, "; decisive games %.1f %%", 100.0 * decisive);
    }
    add_wrapped(out, "  ", line.bytes);
    sy_text_clear(&line);
}

static void add_outcomes(struct sy_text *out, const struct sy_json *arm)
{
    struct sy_text line = SY_TEXT_INIT;
    sy_text_puts(&line, "Games end by");
    const struct sy_json *reasons = sy_read_at(arm, "outcomes", "reasons");
    for (const struct sy_json *reason = sy_json_first(reasons); reason; reason = sy_json_next(reason)) {
        sy_text_printf(&line, "%s %s %.1f %%", reason == sy_json_first(reasons) ? "" : ",",
                       sy_read_string(reason, "reason"),
                       100.0 * sy_json_number(sy_read_at(reason, "share", "value")));
    }
    add_wrapped(out, "  ", line.bytes);
    sy_text_clear(&line);
}

static void add_length(struct sy_text *out, const struct sy_json *arm)
{
    const struct sy_json *length = sy_json_member(arm, "length");
    char *line = sy_format(
        "Length %.0f plies (median; middle 90 %%: %.0f to %.0f); %.1f legal moves; %.1f %% of games distinct",
        sy_read_number(length, "median"), sy_read_number(length, "5 %"), sy_read_number(length, "95 %"),
        sy_json_number(sy_read_at(arm, "branching", "value")),
        100.0 * sy_json_number(sy_read_at(arm, "distinct", "share")));
    add_wrapped(out, "  ", line);
    free(line);
}

/* The unit has no value that is surely above nothing, so its own table is empty: this one takes its place. */
static void add_alternative(struct sy_text *out, const struct sy_json *fit, const struct sy_json *alternative)
{
    const char *unit = sy_read_string(fit, "unit");
    const struct sy_json *material = sy_json_first(sy_json_member(fit, "materials"));
    while (material && !sy_json_true(sy_json_member(material, "unit"))) {
        material = sy_json_next(material);
    }
    const struct sy_json *logit = sy_json_member(material, "logit");
    struct sy_text line = SY_TEXT_INIT;
    sy_text_printf(&line, "No table in %ss: ", unit);
    if (isfinite(sy_read_number(logit, "value"))) {
        sy_text_printf(&line, "one is worth %.3f logits (%.3f to %.3f), which may be nothing. ",
                       sy_read_number(logit, "value"), sy_read_number(logit, "low"),
                       sy_read_number(logit, "high"));
    } else {
        sy_text_printf(&line, "%s. ", sy_read_string(logit, "status"));
    }
    sy_text_printf(&line,
                   "Values count one %s, the piece known best, as %.4g:", sy_read_string(alternative, "unit"),
                   sy_read_number(alternative, "counts_as"));
    add_wrapped(out, "  ", line.bytes);
    sy_text_clear(&line);
    add_values(out, fit, sy_json_member(alternative, "materials"));
}

/* Each line is a sentence; takes the string over. */
static void add_sentences(struct sy_text *out, char *sentences)
{
    for (char *line = sentences; *line;) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        add_wrapped(out, "  ", line);
        line += length + !last;
    }
    free(sentences);
}

/* Whether White's score is surely within the margin of even, where somebody asked. */
static void add_evenness(struct sy_text *out, const struct sy_json *evenness)
{
    for (const struct sy_json *arm = sy_json_first(evenness); arm; arm = sy_json_next(arm)) {
        const double within = sy_read_number(arm, "p_within_holm");
        if (isfinite(within)) {
            sy_text_printf(out, "  %s: %s within %g points of even (p %.2g)\n", sy_read_string(arm, "arm"),
                           sy_json_true(sy_json_member(arm, "within")) ? "surely" : "not surely",
                           100.0 * sy_read_number(arm, "margin"), within);
        }
    }
}

static void add_arm(struct sy_text *out, const struct sy_json *arm)
{
    const struct sy_json *games = sy_json_member(arm, "games");
    const struct sy_json *fit = sy_json_member(arm, "fit");
    const struct sy_json *alternative = sy_json_member(fit, "alternative");
    const double voids = sy_json_number(sy_read_at(games, "left_out", "void")); /* NaN: there is none */
    struct sy_text line = SY_TEXT_INIT;
    sy_text_printf(&line, "%s: %.0f games, %.0f in the fit, %.0f unfinished", sy_read_string(arm, "label"),
                   sy_read_number(games, "played"), sy_read_number(fit, "games"),
                   sy_json_number(sy_read_at(games, "left_out", "unfinished")));
    if (voids > 0.0) {
        sy_text_printf(&line, ", %.0f void", voids);
    }
    sy_text_puts(out, "\n");
    add_wrapped(out, "  ", line.bytes);
    sy_text_clear(&line);
    if (sy_json_true(sy_json_member(alternative, "main"))) {
        add_alternative(out, fit, alternative);
    } else {
        add_values(out, fit, sy_json_member(fit, "materials"));
        if (sy_json_count(alternative) > 0) {
            sy_text_printf(out, "The same, counting one %s as %.4g:\n", sy_read_string(alternative, "unit"),
                           sy_read_number(alternative, "counts_as"));
            add_values(out, fit, sy_json_member(alternative, "materials"));
        }
    }
    const struct sy_json *verdicts = sy_read_at(fit, "verdicts", "suggested");
    for (const struct sy_json *verdict = sy_json_first(verdicts); verdict; verdict = sy_json_next(verdict)) {
        add_verdict(out, verdict);
    }
    add_sentences(out, sy_terms_sentences(fit));
    add_sentences(out, sy_surface_sentences(fit));
    if (sy_json_count(sy_read_at(arm, "outcomes", "reasons")) > 0) {
        add_white(out, arm);
        add_outcomes(out, arm);
        add_length(out, arm);
    }
}

static void add_comparisons(struct sy_text *out, const struct sy_json *comparisons)
{
    if (sy_json_count(comparisons) > 0) {
        sy_text_puts(out, "\nWhite's score compared (p after Holm's correction)\n");
    }
    for (const struct sy_json *pair = sy_json_first(comparisons); pair; pair = sy_json_next(pair)) {
        const struct sy_json *difference = sy_json_member(pair, "difference");
        char *names = sy_format("  %s - %s", sy_read_string(pair, "arm"), sy_read_string(pair, "against"));
        add_padded(out, 50, names);
        free(names);
        if (isfinite(sy_read_number(difference, "value"))) {
            sy_text_printf(
                out, " %+5.1f points (%+.1f to %+.1f)", 100.0 * sy_read_number(difference, "value"),
                100.0 * sy_read_number(difference, "low"), 100.0 * sy_read_number(difference, "high"));
        } else {
            sy_text_printf(out, " unknown (%s)", sy_read_string(difference, "status"));
        }
        if (isfinite(sy_read_number(pair, "p_holm"))) {
            sy_text_printf(out, ", p %.2g", sy_read_number(pair, "p_holm"));
        }
        sy_text_puts(out, "\n");
    }
}

/* Text from files must not steer the terminal. */
static void disarm(struct sy_text *out)
{
    for (size_t i = 0; i < out->length; i++) {
        const unsigned char byte = (unsigned char)out->bytes[i];
        if ((byte < 0x20U && byte != '\n') || byte == 0x7fU) {
            out->bytes[i] = '?';
        }
    }
}

char *sy_summary_table(const struct sy_json *summary)
{
    struct sy_text out = SY_TEXT_INIT;
    const char *title = sy_read_string(summary, "title");
    const struct sy_json *arms = sy_json_member(summary, "arms");
    const struct sy_json *warnings = sy_json_member(summary, "warnings");
    if (*title) {
        add_wrapped(&out, "  ", title);
    }
    for (const struct sy_json *arm = sy_json_first(arms); arm; arm = sy_json_next(arm)) {
        add_arm(&out, arm);
    }
    add_comparisons(&out, sy_json_member(summary, "first_move"));
    add_evenness(&out, sy_json_member(summary, "evenness"));
    if (sy_json_count(warnings) > 0) {
        sy_text_puts(&out, "\n");
    }
    for (const struct sy_json *warning = sy_json_first(warnings); warning; warning = sy_json_next(warning)) {
        char *line = sy_format("Warning: %s", sy_json_string(warning) ? sy_json_string(warning) : "");
        add_wrapped(&out, "  ", line);
        free(line);
    }
    disarm(&out);
    return out.bytes ? out.bytes : sy_strdup("");
}
