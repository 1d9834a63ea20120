/* Tables: filled cell by cell, then written as HTML, Markdown, CSV or plain text.
 *
 * Readers get rounded numbers in their unit; a CSV gets them unscaled, with all digits, an interval as three
 * columns (RFC 4180). */
#include "report_internal.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT_TABLE = 25 }; /* rows */

struct sy_table sy_table_create(const char *name, const char *caption)
{
    return (struct sy_table){.name = sy_strdup(name), .caption = sy_strdup(caption)};
}

static char *format_text(const char *format, va_list arguments)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    return sy_strdup(text);
}

void sy_table_column(struct sy_table *table, enum sy_column_kind kind, const char *format, ...)
{
    va_list arguments;
    assert(table->columns < sizeof table->heading / sizeof *table->heading);
    va_start(arguments, format);
    table->heading[table->columns] = format_text(format, arguments);
    va_end(arguments);
    table->kind[table->columns++] = kind;
}

static struct sy_table_cell *add_cell(struct sy_table *table)
{
    table->cell = sy_grow(table->cell, &table->capacity, table->cells + 1, sizeof *table->cell);
    struct sy_table_cell *cell = &table->cell[table->cells++];
    *cell = (struct sy_table_cell){.value = NAN, .low = NAN, .high = NAN, .scale = 1.0};
    return cell;
}

void sy_table_text(struct sy_table *table, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_cell(table)->text = format_text(format, arguments);
    va_end(arguments);
}

void sy_table_number(struct sy_table *table, double value, double scale, int decimals)
{
    struct sy_table_cell *cell = add_cell(table);
    cell->value = value;
    cell->scale = scale;
    cell->decimals = decimals;
}

void sy_table_p(struct sy_table *table, double p)
{
    sy_table_number(table, p, 1.0, 4);
    table->cell[table->cells - 1].least = 0.0001;
}

void sy_table_estimate(struct sy_table *table, struct sy_estimate estimate, double scale, int decimals)
{
    struct sy_table_cell *cell = add_cell(table);
    cell->scale = scale;
    cell->decimals = decimals;
    if (estimate.status != SY_STAT_OK) {
        cell->text = sy_strdup(sy_stat_name(estimate.status));
        return;
    }
    cell->value = estimate.value;
    cell->low = estimate.low;
    cell->high = estimate.high;
}

void sy_table_clear(struct sy_table *table)
{
    for (size_t i = 0; i < table->columns; i++) {
        free(table->heading[i]);
    }
    for (size_t i = 0; i < table->cells; i++) {
        free(table->cell[i].text);
    }
    free(table->cell);
    free(table->caption);
    free(table->name);
    memset(table, 0, sizeof *table);
}

/* What a reader sees in the cell. */
static void add_shown(struct sy_text *out, const struct sy_table_cell *cell)
{
    if (cell->text) {
        sy_text_puts(out, cell->text);
    } else if (isfinite(cell->low)) {
        const struct sy_estimate estimate = {.value = cell->value, .low = cell->low, .high = cell->high};
        sy_add_estimate(out, estimate, cell->scale, cell->decimals);
    } else if (cell->value < cell->least) {
        sy_text_puts(out, "< ");
        sy_add_decimal(out, cell->least, cell->decimals);
    } else {
        sy_add_decimal(out, cell->scale * cell->value, cell->decimals);
    }
}

/* ---- HTML ---- */

static void add_html_cell(struct sy_text *html, const struct sy_table_cell *cell, enum sy_column_kind kind,
                          bool first)
{
    struct sy_text shown = SY_TEXT_INIT;
    sy_text_puts(html, first ? "<th scope=\"row\">" : kind == SY_COLUMN_TEXT ? "<td>" : "<td class=\"n\">");
    if (!cell->text && isfinite(cell->low)) {
        sy_text_puts(html, "<b>");
        sy_add_decimal(html, cell->scale * cell->value, cell->decimals);
        sy_text_puts(html, "</b> <span>");
        sy_add_decimal(html, cell->scale * cell->low, cell->decimals);
        sy_text_puts(html, " to ");
        sy_add_decimal(html, cell->scale * cell->high, cell->decimals);
        sy_text_puts(html, "</span>");
    } else {
        add_shown(&shown, cell);
        sy_add_html(html, shown.bytes ? shown.bytes : "");
        sy_text_clear(&shown);
    }
    sy_text_puts(html, first ? "</th>" : "</td>");
}

static void add_html(struct sy_text *html, const struct sy_table *table)
{
    sy_text_puts(html, "<p class=\"caption\">");
    sy_add_html(html, table->caption);
    /* A table that fits on a sheet stays on one. */
    sy_text_printf(html, "</p>\n<div class=\"wide\" tabindex=\"0\"><table%s aria-label=\"",
                   table->cells <= SHORT_TABLE * table->columns ? " class=\"short\"" : "");
    sy_add_html(html, table->caption);
    sy_text_puts(html, "\">\n<thead><tr>");
    for (size_t i = 0; i < table->columns; i++) {
        sy_text_puts(html, table->kind[i] == SY_COLUMN_TEXT ? "<th scope=\"col\">"
                                                            : "<th scope=\"col\" class=\"n\">");
        sy_add_html(html, table->heading[i]);
        sy_text_puts(html, "</th>");
    }
    sy_text_puts(html, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < table->cells; i++) {
        sy_text_puts(html, i % table->columns == 0 ? "<tr>" : "");
        add_html_cell(html, &table->cell[i], table->kind[i % table->columns], i % table->columns == 0);
        sy_text_puts(html, (i + 1) % table->columns == 0 ? "</tr>\n" : "");
    }
    sy_text_puts(html, "</tbody>\n</table></div>\n");
}

/* ---- Markdown ---- */

static void add_markdown(struct sy_text *markdown, const struct sy_table *table)
{
    sy_add_markdown(markdown, table->caption);
    sy_text_puts(markdown, "\n\n|");
    for (size_t i = 0; i < table->columns; i++) {
        sy_text_puts(markdown, " ");
        sy_add_markdown(markdown, table->heading[i]);
        sy_text_puts(markdown, " |");
    }
    sy_text_puts(markdown, "\n|");
    for (size_t i = 0; i < table->columns; i++) {
        sy_text_puts(markdown, table->kind[i] == SY_COLUMN_TEXT ? " --- |" : " ---: |");
    }
    sy_text_puts(markdown, "\n");
    for (size_t i = 0; i < table->cells; i++) {
        struct sy_text shown = SY_TEXT_INIT;
        add_shown(&shown, &table->cell[i]);
        sy_text_puts(markdown, i % table->columns == 0 ? "| " : " ");
        sy_add_markdown(markdown, shown.bytes ? shown.bytes : "");
        sy_text_puts(markdown, (i + 1) % table->columns == 0 ? " |\n" : " |");
        sy_text_clear(&shown);
    }
    sy_text_puts(markdown, "\n");
}

/* ---- CSV ---- */

static void add_csv_text(struct sy_text *csv, const char *text)
{
    sy_text_puts(csv, "\"");
    for (; *text; text++) {
        sy_text_add(csv, text, 1);
        sy_text_puts(csv, *text == '"' ? "\"" : "");
    }
    sy_text_puts(csv, "\"");
}

static void add_csv_number(struct sy_text *csv, double number)
{
    char digits[32] = "";
    if (isfinite(number)) {
        sy_double_text(number, digits);
    }
    sy_text_puts(csv, digits);
}

static void add_csv_cell(struct sy_text *csv, const struct sy_table_cell *cell, enum sy_column_kind kind)
{
    if (kind == SY_COLUMN_TEXT) {
        add_csv_text(csv, cell->text ? cell->text : "");
        return;
    }
    add_csv_number(csv, cell->value);
    if (kind == SY_COLUMN_INTERVAL) {
        sy_text_puts(csv, ",");
        add_csv_number(csv, cell->low);
        sy_text_puts(csv, ",");
        add_csv_number(csv, cell->high);
    }
}

void sy_table_csv(const struct sy_table *table, struct sy_text *csv)
{
    for (size_t i = 0; i < table->columns; i++) {
        sy_text_puts(csv, i > 0 ? "," : "");
        add_csv_text(csv, table->heading[i]);
        sy_text_puts(csv, table->kind[i] == SY_COLUMN_INTERVAL ? ",\"low\",\"high\"" : "");
    }
    sy_text_puts(csv, "\r\n");
    for (size_t i = 0; i < table->cells; i++) {
        sy_text_puts(csv, i % table->columns == 0 ? "" : ",");
        add_csv_cell(csv, &table->cell[i], table->kind[i % table->columns]);
        sy_text_puts(csv, (i + 1) % table->columns == 0 ? "\r\n" : "");
    }
}

/* ---- plain ---- */

static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text; text++) {
        count += ((unsigned char)*text & 0xC0U) != 0x80U;
    }
    return count;
}

static void add_padded(struct sy_text *out, const char *text, size_t width, bool left)
{
    const size_t length = characters(text);
    const int spaces = length < width ? (int)(width - length) : 0;
    sy_text_printf(out, "%*s%s%*s", left ? 0 : spaces, "", text, left ? spaces : 0, "");
}

static void add_plain_row(struct sy_text *out, const struct sy_table *table, char *const *shown,
                          const size_t *width)
{
    for (size_t i = 0; i < table->columns; i++) {
        sy_text_puts(out, i > 0 ? "  " : "");
        add_padded(out, shown[i], width[i], table->kind[i] == SY_COLUMN_TEXT);
    }
    while (out->length > 0 && out->bytes[out->length - 1] == ' ') {
        out->bytes[--out->length] = '\0';
    }
    sy_text_puts(out, "\n");
}

void sy_table_plain(const struct sy_table *table, struct sy_text *text)
{
    size_t width[sizeof table->heading / sizeof *table->heading] = {0};
    char **shown = sy_alloc(table->cells + 1, sizeof *shown);
    for (size_t i = 0; i < table->columns; i++) {
        width[i] = characters(table->heading[i]);
    }
    for (size_t i = 0; i < table->cells; i++) {
        struct sy_text cell = SY_TEXT_INIT;
        add_shown(&cell, &table->cell[i]);
        shown[i] = sy_strdup(cell.bytes ? cell.bytes : "");
        const size_t length = characters(shown[i]);
        width[i % table->columns] = length > width[i % table->columns] ? length : width[i % table->columns];
        sy_text_clear(&cell);
    }
    sy_text_printf(text, "%s\n", table->caption);
    add_plain_row(text, table, table->heading, width);
    for (size_t i = 0; i + table->columns <= table->cells; i += table->columns) {
        add_plain_row(text, table, shown + i, width);
    }
    for (size_t i = 0; i < table->cells; i++) {
        free(shown[i]);
    }
    free(shown);
}

enum sy_status sy_page_csv(struct sy_page *page, const struct sy_table *table, struct sy_error *error)
{
    if (!page->tables) {
        return SY_OK;
    }
    struct sy_text csv = SY_TEXT_INIT;
    char *path = sy_format("%s/%s.csv", page->tables, table->name);
    sy_table_csv(table, &csv);
    const enum sy_status status = sy_write_file(path, csv.bytes, csv.length, error);
    sy_text_clear(&csv);
    free(path);
    return status;
}

enum sy_status sy_page_table(struct sy_page *page, const struct sy_table *table, struct sy_error *error)
{
    assert(table->cells % table->columns == 0);
    add_html(&page->html, table);
    add_markdown(&page->markdown, table);
    return sy_page_csv(page, table, error);
}

enum sy_status sy_page_close_table(struct sy_page *page, struct sy_table *table, struct sy_error *error)
{
    const enum sy_status status = sy_page_table(page, table, error);
    sy_table_clear(table);
    return status;
}

enum sy_status sy_page_close_csv(struct sy_page *page, struct sy_table *table, struct sy_error *error)
{
    const enum sy_status status = sy_page_csv(page, table, error);
    sy_table_clear(table);
    return status;
}
