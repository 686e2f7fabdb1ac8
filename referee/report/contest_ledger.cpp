#include "referee/report/contest_ledger.h"

#include "referee/report/ratings.h"

namespace referee::report {
Ledger ledger_of(const scheduler::ContestSnapshot& contest) {
    Ledger ledger;
    ledger.config = *contest.config;
    ledger.entries = *contest.entries;
    ledger.config.format = formats::for_field(ledger.config.format, ledger.entries);
    ledger.results = contest.results.copied();
    ledger.open = contest.open;
    ledger.byes = contest.byes;
    ledger.places = contest.places();
    if (contest.schedule != nullptr) ledger.figures = contest.schedule->figures();
    ledger.set_aside = contest.set_aside;
    ledger.withdrawn = *contest.left_early;
    ledger.arbiter = contest.arbiter;
    ledger.annulled = contest.annulled;
    ledger.finished = contest.over;
    ledger.ended_early = contest.ended_early;
    look_again(ledger);
    return ledger;
}

}  // namespace referee::report
