#include "referee/office/report/contest_ledger.h"

#include "referee/office/report/standings_report.h"

namespace referee::report {

Ledger ledger_of(const scheduler::Contest& contest) {
    Ledger ledger;
    ledger.config = contest.config();
    ledger.entries = contest.entries();
    for (const auto& [ordinal, match] : contest.results()) ledger.results.push_back(match);
    ledger.open = contest.open_matches();
    ledger.byes = contest.byes();
    ledger.places = contest.places();
    ledger.set_aside = contest.set_aside();
    ledger.withdrawn = contest.gone();
    std::erase_if(ledger.withdrawn,
                  [&](const auto& gone) { return !contest.left_early(gone.first); });
    ledger.finished = contest.over();
    ledger.ended_early = contest.ended_early();
    return ledger;
}

StandingsText standings_of(const scheduler::Contest& contest) {
    return standings_of(ledger_of(contest));
}

}  // namespace referee::report
