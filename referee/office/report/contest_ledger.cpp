#include "referee/office/report/contest_ledger.h"

namespace referee::report {

Ledger ledger_of(const scheduler::ContestSnapshot& contest) {
    Ledger ledger;
    ledger.config = *contest.config;
    ledger.entries = *contest.entries;
    ledger.results = contest.results.copied();
    ledger.open = contest.open;
    ledger.byes = contest.byes;
    ledger.places = contest.places();
    ledger.set_aside = contest.set_aside;
    ledger.withdrawn = *contest.left_early;
    ledger.arbiter = contest.arbiter;
    ledger.finished = contest.over;
    ledger.ended_early = contest.ended_early;
    return ledger;
}

}  // namespace referee::report
