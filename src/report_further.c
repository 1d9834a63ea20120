/* The section for whatever other pictures are in DIR/plots: those that other commands or the reader put
 * there. */
#define _XOPEN_SOURCE 700 /* scandir */

#include "report_internal.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* Those that other sections show. */
static bool is_shown(const char *name)
{
    static const char *const shown[] = {"values",      "white",     "outcomes", "lengths", "survival",
                                        "calibration", "residuals", "ladder",   "path"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (strcmp(name, shown[i]) == 0) {
            return true;
        }
    }
    return strncmp(name, SY_MAP_PREFIX, strlen(SY_MAP_PREFIX)) == 0;
}

/* A plain name that ends in .svg; no other goes into a link. */
static int is_picture(const struct dirent *entry)
{
    const char *name = entry->d_name;
    const size_t plain = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return plain > 0 && strcmp(name + plain, ".svg") == 0;
}

static int compare(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static enum sy_status add(struct sy_report *report, const char *name, bool first, struct sy_error *error)
{
    char *words = sy_strdup(name);
    for (char *c = words; *c; c++) {
        *c = *c == '-' || *c == '_' ? ' ' : *c;
    }
    char *alternative = sy_format("Picture of the run, without numbers here: %s", words);
    if (first) {
        sy_page_section(&report->page, "further", "Further pictures");
    }
    const enum sy_status status =
        sy_page_picture(&report->page, report->run.directory, name, alternative, words, error);
    free(alternative);
    free(words);
    return status;
}

enum sy_status sy_report_further(struct sy_report *report, struct sy_error *error)
{
    struct dirent **entries = NULL;
    char *folder = sy_format("%s/plots", report->run.directory);
    const int count = scandir(folder, &entries, is_picture, compare);
    enum sy_status status = SY_OK;
    bool first = true;
    free(folder);
    for (int i = 0; i < count; i++) {
        char *name = entries[i]->d_name;
        name[strlen(name) - strlen(".svg")] = '\0';
        if (status == SY_OK && !is_shown(name)) {
            status = add(report, name, first, error);
            first = false;
        }
        free(entries[i]);
    }
    free(entries);
    return status;
}
