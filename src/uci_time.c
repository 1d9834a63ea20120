/* uci_time: how long a move may take.
 *
 * A machine that has other work may leave the engine or the match program waiting for a tenth of a second and
 * more, unforeseen and in the middle of anything. So a part of the clock is never planned with; it alone pays
 * for such waits, and the increments fill it up again. The rest is divided as if so many moves were still to
 * come, each with its increment and each losing the overhead. */
#include "steelyard/uci_time.h"

#include <math.h>

/* What of the clock may be planned with, in seconds: all but fifty times the overhead, while that is less
 * than half; with less on the clock the share itself shrinks with it, so that the last of it is hardly
 * touched. */
static double usable_of(double left, double lost)
{
    const double reserve = 50 * lost;
    return left > 2 * reserve ? left - reserve : left * left / (4 * reserve);
}

struct sy_uci_budget sy_uci_budget_of(const struct sy_uci_go *go, unsigned side, int64_t overhead)
{
    static const double moves_ahead = 30, stretch = 4, shortest = 0.001;
    struct sy_uci_budget budget = {0, 0};
    const double lost = 1e-3 * (double)overhead;
    if (go->move_time > 0) {
        const double whole = 1e-3 * (double)go->move_time;
        budget.most = whole - fmin(lost, whole / 2);
    } else if (go->clocked) {
        const double left = 1e-3 * (double)go->left[side], gain = 1e-3 * (double)go->gain[side];
        const double moves = go->moves_to_go > 0 ? fmin((double)go->moves_to_go, moves_ahead) : moves_ahead;
        const double usable = usable_of(left, lost);
        const double share = (usable + (moves - 1) * gain - moves * lost) / moves;
        const double risk = go->moves_to_go == 1 ? 1 : 0.5; /* of all that may be used, in one move */
        budget.most = fmax(fmin(stretch * share, risk * usable), shortest);
        budget.enough = fmax(fmin(share, budget.most), shortest);
    }
    return budget;
}
