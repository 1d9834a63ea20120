/* uci_words: the words of a command, and what `go` asks for. */
#include "uci_internal.h"

#include <string.h>

static const int64_t most = 1000000000000; /* of a number in `go` */

const char *sy_uci_word(struct sy_uci_words *words)
{
    static const char blanks[] = " \t\r\n\v\f";
    char *line = words->rest;
    return strtok_r(line, blanks, &words->rest);
}

char *sy_uci_join(struct sy_uci_words *words, const char *end)
{
    struct sy_text text = SY_TEXT_INIT;
    sy_text_puts(&text, "");
    for (const char *word; (word = sy_uci_word(words)) != NULL;) {
        if (end != NULL && strcmp(word, end) == 0)
            break;
        sy_text_printf(&text, "%s%s", text.length > 0 ? " " : "", word);
    }
    return text.bytes;
}

/* ---- go ---- */

enum { NUMBERS = 9 };

struct number {
    const char *keyword;
    int64_t *value;
    int64_t least; /* what anything below it is taken for: a clock may be overdrawn */
};

/* The number behind a keyword; NULL when the keyword is none with a number. */
static const struct number *number_of(const struct number numbers[NUMBERS], const char *keyword)
{
    for (size_t i = 0; i < NUMBERS; i++)
        if (strcmp(keyword, numbers[i].keyword) == 0)
            return &numbers[i];
    return NULL;
}

static enum sy_status read_number(struct sy_uci_words *words, const struct number *number,
                                  struct sy_error *error)
{
    const char *text = sy_uci_word(words);
    if (text == NULL || !sy_parse_i64(text, -most, most, number->value))
        return sy_fail(error, SY_BAD_INPUT, "go: no whole number after '%s'", number->keyword);
    if (*number->value < number->least)
        *number->value = number->least;
    return SY_OK;
}

enum sy_status sy_uci_read_go(struct sy_uci_words *words, struct sy_uci_go *go, struct sy_error *error)
{
    enum sy_status status = SY_OK;
    int64_t nodes = 0, depth = 0;
    const struct number numbers[NUMBERS] = {{"wtime", &go->left[0], 0},
                                            {"btime", &go->left[1], 0},
                                            {"winc", &go->gain[0], 0},
                                            {"binc", &go->gain[1], 0},
                                            {"movetime", &go->move_time, 1},
                                            {"movestogo", &go->moves_to_go, 0},
                                            {"nodes", &nodes, 1},
                                            {"depth", &depth, 1},
                                            {"mate", &go->mate, 1}};
    memset(go, 0, sizeof *go);
    for (const char *word; (word = sy_uci_word(words)) != NULL;) {
        const struct number *number = number_of(numbers, word);
        enum sy_status read = SY_OK;
        if (number != NULL)
            read = read_number(words, number, error);
        else if (strcmp(word, "infinite") == 0)
            go->infinite = true;
        else if (strcmp(word, "ponder") == 0)
            go->ponder = true;
        else
            read = sy_fail(error, SY_BAD_INPUT, "go: '%s' is left out", word);
        go->clocked = go->clocked || strcmp(word, "wtime") == 0 || strcmp(word, "btime") == 0;
        status = read == SY_OK ? status : read;
    }
    go->nodes = (uint64_t)nodes;
    go->depth = depth < INT16_MAX ? (unsigned)depth : INT16_MAX;
    return status;
}
