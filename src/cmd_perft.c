/* cmd_perft: counts the leaves of the legal move tree. */
#include "steelyard/cmd.h"
#include "steelyard/movegen.h"
#include "steelyard/notation.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 30 };

struct entry {
    char move[SY_MOVE_TEXT];
    uint64_t leaves;
};

static int by_move(const void *a, const void *b)
{
    return strcmp(((const struct entry *)a)->move, ((const struct entry *)b)->move);
}

/* One line a root move, sorted by move; returns the total. */
static uint64_t divide(struct sy_position *position, unsigned depth)
{
    sy_move moves[SY_MAX_MOVES];
    struct entry entries[SY_MAX_MOVES];
    uint64_t total = 0;
    const unsigned count = sy_generate(position, moves);
    for (unsigned i = 0; i < count; i++) {
        struct sy_undo undo;
        sy_move_text(position->variant, moves[i], entries[i].move);
        sy_make(position, moves[i], &undo);
        entries[i].leaves = sy_perft(position, depth - 1);
        sy_unmake(position, moves[i], &undo);
        total += entries[i].leaves;
    }
    qsort(entries, count, sizeof *entries, by_move);
    for (unsigned i = 0; i < count; i++) {
        printf("%s %" PRIu64 "\n", entries[i].move, entries[i].leaves);
    }
    return total;
}

static enum sy_status run(int argc, char **argv, struct sy_error *error)
{
    static const struct option options[] = {
        {"fen", required_argument, NULL, 'f'}, {"divide", no_argument, NULL, 'd'}, {NULL, 0, NULL, 0}};
    const char *fen = NULL;
    bool divided = false;
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        switch (option) {
        case 'f':
            fen = optarg;
            break;
        case 'd':
            divided = true;
            break;
        default:
            return sy_cmd_bad_option(argv, option, error);
        }
    }
    int64_t depth = 0;
    enum sy_status status = sy_cmd_arguments(argc, argv, 2, 2, "VARIANT and DEPTH", error);
    if (!status && !sy_parse_i64(argv[optind + 1], 0, DEEPEST, &depth)) {
        status = sy_fail(error, SY_USAGE, "perft: depth '%s' must be a whole number from 0 to %d",
                         argv[optind + 1], DEEPEST);
    }
    struct sy_variant *variant = NULL;
    struct sy_position position;
    status = status ? status : sy_variant_load(argv[optind], NULL, &variant, error);
    status = status ? status : sy_fen_parse(variant, fen ? fen : variant->start, &position, error);
    if (!status) {
        const uint64_t total =
            divided && depth > 0 ? divide(&position, (unsigned)depth) : sy_perft(&position, (unsigned)depth);
        printf("total %" PRIu64 "\n", total);
        status = sy_cmd_finish_output(error);
    }
    sy_variant_free(variant);
    return status;
}

const struct sy_command sy_cmd_perft = {
    .name = "perft",
    .summary = "count the leaves of the legal move tree",
    .help = "usage: steelyard perft VARIANT DEPTH [--fen FEN] [--divide]\n"
            "\n"
            "Counts the positions DEPTH plies on. VARIANT is a shipped name or a variant file.\n"
            "  --fen FEN   from this position instead of the variant's start\n"
            "  --divide    a line 'MOVE COUNT' for each first move, sorted\n"
            "The last line is 'total N'.\n",
    .run = run,
};
