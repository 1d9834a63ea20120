/* variant_load: finds what the command line and experiments call a variant: a shipped file or a path, one of
 * its readings, and a patch on top. The document is put together first and compiled once. */
#include "steelyard/shipped.h"
#include "steelyard/variant.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum sy_status open_shipped(const char *name, struct sy_json_doc **doc, struct sy_error *error)
{
    for (const struct sy_shipped_file *file = sy_shipped_variants; file->name; file++) {
        if (strcmp(file->name, name) == 0) {
            char *label = sy_format("%s.json", name);
            const enum sy_status status =
                sy_json_read(label, (const char *)file->bytes, file->length, doc, error);
            free(label);
            return status;
        }
    }
    struct sy_text known = SY_TEXT_INIT;
    for (const struct sy_shipped_file *file = sy_shipped_variants; file->name; file++) {
        sy_text_printf(&known, "%s%s", known.length ? ", " : "", file->name);
    }
    const enum sy_status status =
        sy_fail(error, SY_BAD_INPUT, "no variant '%s': it is neither a file nor one of the shipped ones (%s)",
                name, known.bytes ? known.bytes : "none");
    sy_text_clear(&known);
    return status;
}

/* The variant's short name: the file's name without directories and ".json". */
static char *short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = sy_strdup(slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && strcmp(dot, ".json") == 0) {
        *dot = '\0';
    }
    return name;
}

static enum sy_status apply_reading(const char *reading, struct sy_json_doc **doc, struct sy_error *error)
{
    const struct sy_json *readings, *entry = NULL, *patch;
    enum sy_status status = sy_json_get_object_or(*doc, sy_json_root(*doc), "readings", &readings, error);
    if (status) {
        return status;
    }
    entry = readings ? sy_json_member(readings, reading) : NULL;
    if (!entry) {
        struct sy_text known = SY_TEXT_INIT;
        for (const struct sy_json *item = readings ? sy_json_first(readings) : NULL; item;
             item = sy_json_next(item)) {
            sy_text_printf(&known, "%s%s", known.length ? ", " : "", sy_json_key(item));
        }
        status = sy_fail(error, SY_BAD_INPUT, "%s: no reading '%s'; the file has: %s", sy_json_name(*doc),
                         reading, known.bytes ? known.bytes : "none");
        sy_text_clear(&known);
        return status;
    }
    status = sy_json_check_keys(*doc, entry, "about|patch", error);
    status = status ? status : sy_json_get_object(*doc, entry, "patch", &patch, error);
    if (status) {
        return status;
    }
    char *name = sy_format("%s:%s", sy_json_name(*doc), reading);
    struct sy_json_doc *merged = sy_json_merge(name, sy_json_root(*doc), patch);
    free(name);
    sy_json_free(*doc);
    *doc = merged;
    return SY_OK;
}

enum sy_status sy_variant_load(const char *variant, const struct sy_json *patch, struct sy_variant **out,
                               struct sy_error *error)
{
    char *path = sy_strdup(variant), *reading = NULL;
    struct sy_json_doc *doc = NULL;
    if (access(path, F_OK) != 0 && (reading = strrchr(path, ':')) != NULL) {
        *reading++ = '\0';
    }
    const size_t length = strlen(path);
    const bool is_path = strchr(path, '/') || (length > 5 && strcmp(path + length - 5, ".json") == 0);
    enum sy_status status = is_path ? sy_json_read_file(path, &doc, error) : open_shipped(path, &doc, error);
    if (!status && reading) {
        status = apply_reading(reading, &doc, error);
    }
    if (!status && patch) {
        char *name = sy_format("%s (patched)", sy_json_name(doc));
        struct sy_json_doc *merged = sy_json_merge(name, sy_json_root(doc), patch);
        free(name);
        sy_json_free(doc);
        doc = merged;
    }
    if (!status) {
        char *name = short_name(path);
        status = sy_variant_compile(name, doc, out, error);
        free(name);
    } else {
        sy_json_free(doc);
    }
    free(path);
    return status;
}
