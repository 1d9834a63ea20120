/* What a fit's further parts say, in sentences, for the terminal and the report. Nothing is computed here. */
#include "summary_internal.h"
#include "summary_read.h"

#include <math.h>
#include <string.h>

/* " 3.20 (2.90 to 3.60)", or the status. */
static void add_estimate(struct sy_text *out, const struct sy_json *estimate)
{
    if (isfinite(sy_read_number(estimate, "value"))) {
        sy_text_printf(out, " %.2f (%.2f to %.2f)", sy_read_number(estimate, "value"),
                       sy_read_number(estimate, "low"), sy_read_number(estimate, "high"));
    } else {
        sy_text_printf(out, " %s", sy_read_string(estimate, "status"));
    }
}

static void add_outside(struct sy_text *out, const struct sy_json *pieces)
{
    bool first = true;
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        if (sy_json_kind(sy_json_member(piece, "inside")) == SY_JSON_BOOL &&
            !sy_json_true(sy_json_member(piece, "inside"))) {
            sy_text_printf(out, "%s %s", first ? "; beyond what was drawn, so not to be trusted:" : ",",
                           sy_read_string(piece, "name"));
            first = false;
        }
    }
}

/* The values of a top, or why there is none. */
static void add_top(struct sy_text *out, const struct sy_json *top)
{
    const struct sy_json *pieces = sy_json_member(top, "pieces");
    if (strcmp(sy_read_string(top, "status"), "ok") != 0) {
        sy_text_printf(out, " no top: %s", sy_read_string(top, "reason"));
        if (strcmp(sy_read_string(top, "status"), "not concave") == 0) {
            sy_text_printf(out, " (%.0f %% of draws from the errors do)",
                           100.0 * sy_read_number(top, "concave"));
        }
        return;
    }
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        sy_text_printf(out, "%s %s", piece == sy_json_first(pieces) ? "" : ",",
                       sy_read_string(piece, "name"));
        const struct sy_json *value = sy_json_member(piece, "value");
        if (sy_read_number(value, "high") > sy_read_number(value, "low")) {
            add_estimate(out, value);
        } else {
            sy_text_printf(out, " %.4g, the unit", sy_read_number(value, "value"));
        }
    }
    add_outside(out, pieces);
}

static void add_alone(struct sy_text *out, const struct sy_json *pieces)
{
    sy_text_puts(out, "Each believed value alone, the others at the middle of their ranges, as the engine "
                      "counts:");
    for (const struct sy_json *piece = sy_json_first(pieces); piece; piece = sy_json_next(piece)) {
        sy_text_printf(out, "%s %s", piece == sy_json_first(pieces) ? "" : ",",
                       sy_read_string(piece, "name"));
        add_estimate(out, sy_json_member(piece, "alone"));
    }
    sy_text_puts(out, "\n");
}

static void add_tops(struct sy_text *out, const struct sy_json *fit, const struct sy_json *surface)
{
    const struct sy_json *top = sy_json_member(surface, "top");
    const struct sy_json *proportions = sy_json_member(surface, "proportions");
    const struct sy_json *other = sy_json_member(surface, "least_squares");
    sy_text_printf(out, "Which believed values win, in units (%s = %.4g):", sy_read_string(fit, "unit"),
                   sy_read_number(fit, "counts_as"));
    if (strcmp(sy_read_string(top, "status"), "flat") == 0) {
        sy_text_printf(out, " %s (p %.2g)\n", sy_read_string(top, "reason"),
                       sy_read_number(surface, "p_flat"));
        return;
    }
    add_top(out, top);
    if (isfinite(sy_json_number(sy_read_at(top, "scale", "value")))) {
        sy_text_puts(out, "; all together times");
        add_estimate(out, sy_json_member(top, "scale"));
    }
    sy_text_puts(out, "\n");
    if (sy_json_count(proportions) > 0) {
        sy_text_puts(out, "Which proportions of them win, their mean as drawn:");
        add_top(out, proportions);
        sy_text_puts(out, "\n");
        if (strcmp(sy_read_string(sy_json_member(other, "proportions"), "status"), "ok") == 0) {
            sy_text_puts(out, "The same by least squares of the score:");
            add_top(out, sy_json_member(other, "proportions"));
            sy_text_puts(out, "\n");
        }
    }
    add_alone(out, sy_json_member(surface, "pieces"));
}

char *sy_surface_sentences(const struct sy_json *fit)
{
    struct sy_text out = SY_TEXT_INIT;
    const struct sy_json *surface = sy_json_member(fit, "surface");
    if (sy_json_count(surface) > 0 && strcmp(sy_read_string(surface, "status"), "ok") != 0) {
        sy_text_printf(&out, "Which believed values win: unknown: %s\n", sy_read_string(surface, "reason"));
    } else if (sy_json_count(surface) > 0) {
        add_tops(&out, fit, surface);
    }
    return out.bytes ? out.bytes : sy_strdup("");
}

/* ---- what changes as the board empties, and what pairs add ---- */

/* " 0.350 (0.300 to 0.400)", or the status. */
static void add_logit(struct sy_text *out, const struct sy_json *logit)
{
    if (isfinite(sy_read_number(logit, "value"))) {
        sy_text_printf(out, " %.3f (%.3f to %.3f)", sy_read_number(logit, "value"),
                       sy_read_number(logit, "low"), sy_read_number(logit, "high"));
    } else {
        sy_text_printf(out, " %s", sy_read_string(logit, "status"));
    }
}

static void add_phase(struct sy_text *out, const struct sy_json *phase, const struct sy_json *material)
{
    const struct sy_json *bins = sy_json_member(material, "bins");
    const struct sy_json *end = sy_json_first(sy_json_member(phase, "ends"));
    const struct sy_json *slope = sy_json_member(material, "slope");
    const struct sy_json *of = sy_json_first(sy_json_member(phase, "of"));
    sy_text_printf(out, of ? "%s with fewer and with more of" : "%s from an emptier to a fuller board",
                   sy_read_string(material, "name"));
    for (; of; of = sy_json_next(of)) {
        sy_text_printf(out, " %s", sy_json_string(of));
    }
    sy_text_puts(out, ":");
    for (const struct sy_json *bin = sy_json_first(bins); bin; bin = sy_json_next(bin)) {
        add_logit(out, sy_json_member(bin, "logit"));
        if (end) {
            sy_text_printf(out, " at %.0f %%", 100.0 * sy_json_number(end));
            end = sy_json_next(end);
        }
    }
    if (isfinite(sy_read_number(material, "p_holm"))) {
        sy_text_puts(out, slope ? " logits, which is" : " logits; p that it is the same");
        if (slope) {
            add_logit(out, slope);
            sy_text_puts(out, " more with all of them on the board than with none; p that it is the same");
        }
        sy_text_printf(out, " %.2g", sy_read_number(material, "p_holm"));
    }
    sy_text_puts(out, "\n");
}

static void add_pair(struct sy_text *out, const struct sy_json *term)
{
    const struct sy_json *logit = sy_json_member(term, "logit");
    const double colours = sy_read_number(term, "colours");
    if (isfinite(colours)) {
        sy_text_printf(out, "To have %ss on %.0f colours adds", sy_read_string(term, "name"), colours);
    } else {
        sy_text_printf(out, "A pair of %ss adds", sy_read_string(term, "name"));
    }
    if (isfinite(sy_read_number(logit, "value"))) {
        sy_text_printf(out, " %.3f logits (%.3f to %.3f)\n", sy_read_number(logit, "value"),
                       sy_read_number(logit, "low"), sy_read_number(logit, "high"));
    } else {
        sy_text_printf(out, ": unknown (%s)\n", sy_read_string(logit, "status"));
    }
}

char *sy_terms_sentences(const struct sy_json *fit)
{
    struct sy_text out = SY_TEXT_INIT;
    const struct sy_json *phase = sy_json_member(fit, "phase");
    const struct sy_json *materials = sy_json_member(phase, "materials");
    const struct sy_json *terms = sy_read_at(fit, "pairs", "terms");
    for (const struct sy_json *m = sy_json_first(materials); m; m = sy_json_next(m)) {
        add_phase(&out, phase, m);
    }
    for (const struct sy_json *term = sy_json_first(terms); term; term = sy_json_next(term)) {
        add_pair(&out, term);
    }
    return out.bytes ? out.bytes : sy_strdup("");
}
