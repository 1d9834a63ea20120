/* experiment: an experiment file, read, checked and resolved: what is played, between whom, how often, and
 * how it is to be fitted. The file's keys are described in experiments/README.md.
 *
 * An arm is one of the things compared: a variant with its engine settings. Every arm plays the same number
 * of games. Games are numbered from 0, arm by arm; inside an arm, games 2k and 2k + 1 are a pair. */
#ifndef STEELYARD_EXPERIMENT_H
#define STEELYARD_EXPERIMENT_H

#include "steelyard/params.h"
#include "steelyard/search.h"

enum sy_design {
    SY_DESIGN_IMBALANCE,  /* starts with pieces removed or exchanged; identical players */
    SY_DESIGN_PARAMETERS, /* each side draws engine parameters; a pair exchanges the two draws */
    SY_DESIGN_FIRST_MOVE, /* the variant's own start, identical players */
    SY_DESIGN_POSITIONS   /* games from elsewhere, in a file; nothing is played */
};

/* One parameter that every player draws for every pair of games. */
struct sy_draw {
    char name[48];
    double low, high; /* of the parameter itself */
    double base;      /* its value in the arm's engine, which a factor multiplies */
    bool log_uniform; /* a factor, uniform in its logarithm; else uniform from low to high */
};

struct sy_player_spec;
struct sy_start_choice; /* opaque */

struct sy_arm {
    char *label;                   /* unique in the experiment */
    struct sy_variant *variant;    /* patched */
    struct sy_params params;       /* both players', before any draw */
    struct sy_limits limits;       /* a move */
    struct sy_player_spec *player; /* another program that plays both sides; NULL: our own engine */
    size_t table_bytes;            /* hash table of each player */
    struct sy_draw *draws;         /* parameters design: in the order of materials, then sy_param_info */
    size_t draw_count;
    uint32_t kinds;                /* imbalance design: materials that may be removed or exchanged, as bits */
    unsigned unit_material;        /* what the fit counts values in */
    uint32_t phase_of;             /* materials whose number is the phase, as bits; 0: all pieces */
    uint32_t pairs;                /* materials two of which may be worth more than twice one, as bits */
    uint8_t colours[SY_MAX_TYPES]; /* materials that may be worth more when they stand on so many colours of
                                      the board; 0: nobody asks */
    struct sy_start_choice *choice; /* imbalance design with a criterion: which starts; else NULL */
    struct sy_json_doc *engine;     /* "engine" as given, the experiment's and the arm's together */
};

enum { SY_MAX_LOOKS = 8 };

struct sy_range {
    unsigned low, high;
};

#define SY_UNIT_ARMY "mean army" /* the mean piece of the armies at the start, as a unit */

struct sy_game_source; /* opaque: the games of a file */

struct sy_fit_options {
    char *unit;        /* material, or SY_UNIT_ARMY; NULL: each variant's own, see sy_arm.unit_material */
    double unit_value; /* what one unit counts as, 1 unless the file says otherwise */
    double confidence;
    unsigned bootstrap; /* replicates */
    unsigned samples;   /* quiet positions a game, parameters and positions designs */
    double ridge;
    double margin;  /* White's score this near to 1/2 counts as even; 0: nobody asks */
    unsigned phase; /* bins of how full the board is (arms' phase_of), from 2; 0: the same in all */
    bool trend;     /* values are linear in how full the board is */
};

struct sy_experiment {
    char *title, *about; /* "" when the file has none */
    enum sy_design design;
    size_t arm_count;
    struct sy_arm *arms;
    uint64_t seed;
    uint64_t games_per_arm;
    unsigned failures;       /* so many void games in a row end a run; only other programs fail */
    struct sy_range opening; /* random plies before the players take over */
    double opening_limit;    /* pawns that a search may find a side ahead after them; 0: any number */
    bool twins; /* first-move design: a pair starts from the position after the opening, the second
                   game with the armies exchanged, White to move in both */
    struct {
        struct sy_range remove, exchange; /* pieces a side */
        double limit;                     /* largest believed material difference, pawns */
        char criterion;                   /* 'D' or 'A': starts are chosen by it; 0: drawn evenly */
        double logits;                    /* what one believed pawn is worth, as the criterion takes it */
    } imbalance;
    struct {
        unsigned plies; /* longest game; a game that reaches it is unfinished */
        double score;   /* pawns; 0: no game is ended by its score */
        unsigned plies_in_row;
    } adjudicate;
    struct sy_fit_options fit;
    struct {
        double half_width; /* of every interval, in units (of White's score in first-move); 0: play all */
        size_t count;
        uint64_t looks[SY_MAX_LOOKS]; /* numbers of games, ascending, the last of them games_per_arm */
    } until;
    unsigned iterate; /* rounds, each played with what the one before has measured; 0: a single run */
    struct {
        char *file;                   /* as the experiment file names it; NULL in other designs */
        char *arm;                    /* of a run's log with several: the arm whose games are read, or NULL */
        char digest[65];              /* SHA-256 of its bytes */
        struct sy_json_doc *letters;  /* the file's letters for pieces, NULL when they are the variant's */
        struct sy_game_source *games; /* NULL when the experiment was read back from a run */
    } positions;
    struct sy_json_doc *randomise; /* the file's "randomise", NULL when it has none */
    char *canonical; /* the experiment with nothing left implicit, rules included; itself a file that reads
                        back to the same experiment; ends in a newline */
    char digest[65]; /* SHA-256 of what decides the games: the canonical text without title, about, fit */
};

/* Reads and checks an experiment file and loads its variants (paths are relative to the file). games: the
 * number of games an arm instead of the file's, 0 to take that. *out is set on success only. */
SY_MUST_USE enum sy_status sy_experiment_load(const char *path, uint64_t games, struct sy_experiment **out,
                                              struct sy_error *error);

/* The same from a document that was read; takes it over, also when it fails. */
SY_MUST_USE enum sy_status sy_experiment_create(struct sy_json_doc *doc, uint64_t games,
                                                struct sy_experiment **out, struct sy_error *error);
void sy_experiment_free(struct sy_experiment *experiment); /* NULL ok */

/* The pieces that are counted for the phase: those of the arm's phase_of, or all. */
sy_set sy_arm_phase_pieces(const struct sy_arm *arm, const struct sy_position *position);

/* The names of an arm's materials given as bits: a new array, for the caller to add or delete. */
struct sy_json *sy_arm_materials_json(const struct sy_arm *arm, uint32_t materials);

const char *sy_design_name(enum sy_design design); /* "imbalance", ...: as in files */

/* Whether another program plays in any arm. */
bool sy_experiment_has_program(const struct sy_experiment *experiment);

/* Games of all arms; the arm of a game; the pair of a game, numbered through all arms. */
uint64_t sy_experiment_games(const struct sy_experiment *experiment);
unsigned sy_experiment_arm(const struct sy_experiment *experiment, uint64_t number);
uint64_t sy_experiment_pair(const struct sy_experiment *experiment, uint64_t number);

#endif
