#pragma once

#include "referee/report/ledger.h"
#include "referee/scheduler/contest.h"

namespace referee::report {

// What is recorded of a contest so far.
Ledger ledger_of(const scheduler::Contest& contest);

}  // namespace referee::report
