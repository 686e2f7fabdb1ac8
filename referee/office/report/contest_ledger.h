#pragma once

#include "referee/arena/scheduler/contest.h"
#include "referee/office/report/ledger.h"

namespace referee::report {

// What is recorded of a contest so far.
Ledger ledger_of(const scheduler::Contest& contest);

}  // namespace referee::report
