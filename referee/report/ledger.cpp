#include "referee/report/ledger.h"

#include <utility>

#include "referee/report/ratings.h"

namespace referee::report {

Ledger ledger_of(const contests::ContestSnapshot& contest) {
    Ledger ledger;
    ledger.config = *contest.config;
    ledger.entries = *contest.entries;
    ledger.late_entries = contest.late_entries;
    ledger.rounds_planned = contest.rounds_planned;
    ledger.config.format = formats::for_field(ledger.config.format, ledger.entries);
    auto results = contest.split_results();
    ledger.results = std::move(results.counted);
    ledger.dropped = std::move(results.dropped);
    ledger.open = contest.open;
    ledger.byes = contest.byes;
    ledger.places = contest.places();
    if (contest.schedule != nullptr) ledger.figures = contest.schedule->figures();
    ledger.set_aside = contest.set_aside;
    ledger.withdrawn = *contest.left_early;
    ledger.arbiter = contest.arbiter;
    ledger.annulled = contest.annulled;
    ledger.matches_played = contest.matches_played;
    ledger.finished = contest.over;
    ledger.ended_early = contest.ended_early;
    look_again(ledger);
    return ledger;
}

}  // namespace referee::report
