#pragma once

#include "referee/report/ledger.h"
#include "referee/tournament/scheduler/contest_view.h"

namespace referee::report {

// What is recorded of a contest so far. Copies every result, which takes time: call it beside the
// loop's thread, where games are judged.
Ledger ledger_of(const scheduler::ContestSnapshot& contest);

}  // namespace referee::report
