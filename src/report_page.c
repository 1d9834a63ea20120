/* A page under construction, written at once as HTML and as Markdown, and its tables as CSV.
 *
 * Callers give plain text; whatever is special in the format is escaped here, so that a title from a file can
 * neither break the page nor run in it. The page takes nothing from anywhere else: its policy forbids that,
 * and pictures stand in it as data. A picture from a file is an <img>, in which no script runs. */
#include "report_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- escaping ---- */

static bool is_control(char c)
{
    return (unsigned char)c < 0x20U || c == 0x7f;
}

void sy_add_html(struct sy_text *html, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '&':
            sy_text_puts(html, "&amp;");
            break;
        case '<':
            sy_text_puts(html, "&lt;");
            break;
        case '>':
            sy_text_puts(html, "&gt;");
            break;
        case '"':
            sy_text_puts(html, "&quot;");
            break;
        case '\'':
            sy_text_puts(html, "&#39;");
            break;
        case ' ': /* a number keeps its sign on its line */
            sy_text_puts(html, text[1] == '%' ? "&nbsp;" : " ");
            break;
        default:
            sy_text_add(html, is_control(*text) && *text != '\n' ? " " : text, 1);
        }
    }
}

void sy_add_markdown(struct sy_text *markdown, const char *text)
{
    for (; *text; text++) {
        if (is_control(*text)) {
            sy_text_puts(markdown, " ");
        } else if (*text == '<' || *text == '&') {
            sy_text_puts(markdown, *text == '<' ? "&lt;" : "&amp;");
        } else {
            sy_text_puts(markdown, strchr("\\`*_[]|#~>!", *text) ? "\\" : "");
            sy_text_add(markdown, text, 1);
        }
    }
}

void sy_add_decimal(struct sy_text *text, double number, int decimals)
{
    char digits[352];
    if (!isfinite(number)) {
        sy_text_puts(text, "–");
        return;
    }
    snprintf(digits, sizeof digits, "%.*f", decimals, fabs(number));
    const bool zero = strspn(digits, "0.") == strlen(digits);
    sy_text_printf(text, "%s%s", number < 0.0 && !zero ? "−" : "", digits);
}

void sy_add_estimate(struct sy_text *text, struct sy_estimate estimate, double scale, int decimals)
{
    if (estimate.status != SY_STAT_OK) {
        sy_text_puts(text, sy_stat_name(estimate.status));
        return;
    }
    sy_add_decimal(text, scale * estimate.value, decimals);
    sy_text_puts(text, " (");
    sy_add_decimal(text, scale * estimate.low, decimals);
    sy_text_puts(text, " to ");
    sy_add_decimal(text, scale * estimate.high, decimals);
    sy_text_puts(text, ")");
}

struct sy_estimate sy_read_estimate(const struct sy_json *json)
{
    struct sy_estimate estimate = {.status = SY_STAT_BAD_DATA};
    const char *status = sy_read_string(json, "status");
    for (int i = SY_STAT_OK; i < SY_STAT_COUNT; i++) {
        if (strcmp(status, sy_stat_name((enum sy_stat)i)) == 0) {
            estimate.status = (enum sy_stat)i;
        }
    }
    if (estimate.status == SY_STAT_OK) {
        estimate.value = sy_read_number(json, "value");
        estimate.error = sy_read_number(json, "error");
        estimate.low = sy_read_number(json, "low");
        estimate.high = sy_read_number(json, "high");
        if (!isfinite(estimate.value) || !isfinite(estimate.low) || !isfinite(estimate.high)) {
            return (struct sy_estimate){.status = SY_STAT_BAD_DATA};
        }
    }
    return estimate;
}

/* ---- the frame ---- */

static void add_parts(struct sy_text *html, const char *const *parts)
{
    for (; *parts; parts++) {
        sy_text_puts(html, *parts);
    }
}

void sy_page_begin(struct sy_page *page, const char *title, const char *subtitle)
{
    struct sy_text *html = &page->html;
    sy_text_puts(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<meta name=\"color-scheme\" content=\"light dark\">\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
    sy_add_html(html, title);
    sy_text_puts(html, "</title>\n<style>\n");
    add_parts(html, sy_report_style);
    sy_text_puts(html, "</style>\n</head>\n<body>\n<header>\n<h1>");
    sy_add_html(html, title);
    sy_text_puts(html, "</h1>\n");
    sy_text_puts(&page->markdown, "# ");
    sy_add_markdown(&page->markdown, title);
    sy_text_puts(&page->markdown, "\n\n");
    if (*subtitle) {
        sy_page_text(page, "about", "%s", subtitle);
    }
    sy_text_puts(html, "</header>\n<main>\n<section>\n");
}

void sy_page_end(struct sy_page *page, const char *footer)
{
    sy_text_puts(&page->html, "</section>\n</main>\n<footer>\n<p>");
    sy_add_html(&page->html, footer);
    sy_text_puts(&page->html, "</p>\n</footer>\n<script>\n");
    add_parts(&page->html, sy_report_script);
    sy_text_puts(&page->html, "</script>\n</body>\n</html>\n");
    sy_text_puts(&page->markdown, "---\n\n");
    sy_add_markdown(&page->markdown, footer);
    sy_text_puts(&page->markdown, "\n");
}

void sy_page_clear(struct sy_page *page)
{
    sy_text_clear(&page->html);
    sy_text_clear(&page->markdown);
    free(page->tables);
    page->tables = NULL;
}

void sy_page_section(struct sy_page *page, const char *id, const char *title)
{
    sy_text_printf(&page->html, "</section>\n<section id=\"%s\">\n<h2>", id);
    sy_add_html(&page->html, title);
    sy_text_puts(&page->html, "</h2>\n");
    sy_text_puts(&page->markdown, "## ");
    sy_add_markdown(&page->markdown, title);
    sy_text_puts(&page->markdown, "\n\n");
}

void sy_page_heading(struct sy_page *page, const char *title)
{
    sy_text_puts(&page->html, "<h3>");
    sy_add_html(&page->html, title);
    sy_text_puts(&page->html, "</h3>\n");
    sy_text_puts(&page->markdown, "### ");
    sy_add_markdown(&page->markdown, title);
    sy_text_puts(&page->markdown, "\n\n");
}

static char *format_text(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = sy_alloc((size_t)(length < 0 ? 0 : length) + 1, 1);
    vsnprintf(text, (size_t)(length < 0 ? 0 : length) + 1, format, arguments);
    return text;
}

void sy_page_text(struct sy_page *page, const char *css_class, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    sy_text_printf(&page->html, *css_class ? "<p class=\"%s\">" : "<p>", css_class);
    sy_add_html(&page->html, text);
    sy_text_puts(&page->html, "</p>\n");
    sy_add_markdown(&page->markdown, text);
    sy_text_puts(&page->markdown, "\n\n");
    free(text);
}

static void add_warning(struct sy_page *page, const char *text)
{
    sy_text_puts(&page->html, "<li><b>Warning:</b> ");
    sy_add_html(&page->html, text);
    sy_text_puts(&page->html, "</li>\n");
    sy_text_puts(&page->markdown, "- **Warning:** ");
    sy_add_markdown(&page->markdown, text);
    sy_text_puts(&page->markdown, "\n");
}

void sy_page_warnings(struct sy_page *page, const struct sy_json *sentences, const char *more)
{
    if (sy_json_count(sentences) == 0 && !more) {
        return;
    }
    sy_text_puts(&page->html, "<ul class=\"warnings\">\n");
    for (const struct sy_json *item = sy_json_first(sentences); item; item = sy_json_next(item)) {
        const char *text = sy_json_string(item);
        add_warning(page, text ? text : "");
    }
    if (more) {
        add_warning(page, more);
    }
    sy_text_puts(&page->html, "</ul>\n");
    sy_text_puts(&page->markdown, "\n");
}

void sy_page_code(struct sy_page *page, const char *text)
{
    sy_text_puts(&page->html, "<pre>");
    sy_add_html(&page->html, text);
    sy_text_puts(&page->html, "</pre>\n");
    /* Four spaces make a line code, whatever is in it. */
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        sy_text_printf(&page->markdown, "    %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    sy_text_puts(&page->markdown, "\n");
}

void sy_page_folded(struct sy_page *page, const char *summary, const char *text)
{
    sy_text_puts(&page->html, "<details>\n<summary>");
    sy_add_html(&page->html, summary);
    sy_text_puts(&page->html, "</summary>\n<pre>");
    sy_add_html(&page->html, text);
    sy_text_puts(&page->html, "</pre>\n</details>\n");
}

/* ---- pictures ---- */

void sy_page_begin_row(struct sy_page *page, const char *css_class)
{
    sy_text_printf(&page->html, "<div class=\"%s\">\n", css_class);
}

void sy_page_end_row(struct sy_page *page)
{
    sy_text_puts(&page->html, "</div>\n");
}

/* RFC 4648. */
static void add_base64(struct sy_text *out, const char *bytes, size_t length)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t group = (uint32_t)(unsigned char)bytes[i] << 16;
        group |= i + 1 < length ? (uint32_t)(unsigned char)bytes[i + 1] << 8 : 0;
        group |= i + 2 < length ? (uint32_t)(unsigned char)bytes[i + 2] : 0;
        const char four[4] = {digit[group >> 18], digit[group >> 12 & 63U],
                              i + 1 < length ? digit[group >> 6 & 63U] : '=',
                              i + 2 < length ? digit[group & 63U] : '='};
        sy_text_add(out, four, sizeof four);
    }
}

static void add_picture(struct sy_page *page, const char *name, const char *alternative, const char *caption,
                        const char *svg, size_t length)
{
    sy_text_puts(&page->html, "<figure>\n<div class=\"wide\" tabindex=\"0\"><img alt=\"");
    sy_add_html(&page->html, alternative);
    sy_text_puts(&page->html, "\" src=\"data:image/svg+xml;base64,");
    add_base64(&page->html, svg, length);
    sy_text_puts(&page->html, "\"></div>\n<figcaption>");
    sy_add_html(&page->html, caption);
    sy_text_puts(&page->html, "</figcaption>\n</figure>\n");
    sy_text_puts(&page->markdown, "![");
    sy_add_markdown(&page->markdown, alternative);
    sy_text_printf(&page->markdown, "](plots/%s.svg)\n\n", name);
    sy_add_markdown(&page->markdown, caption);
    sy_text_puts(&page->markdown, "\n\n");
}

enum sy_status sy_page_picture(struct sy_page *page, const char *directory, const char *name,
                               const char *alternative, const char *caption, struct sy_error *error)
{
    char *path = sy_format("%s/plots/%s.svg", directory, name);
    enum sy_status status = SY_OK;
    if (access(path, F_OK) == 0) {
        char *svg = NULL;
        size_t length = 0;
        status = sy_read_file(path, &svg, &length, error);
        if (status == SY_OK) {
            add_picture(page, name, alternative, caption, svg, length);
        }
        free(svg);
    }
    free(path);
    return status;
}
