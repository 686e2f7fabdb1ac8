#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/database/audit.h"
#include "referee/store/database/store.h"

// What `referee verify` finds.

namespace referee::cli {

struct StoreCheckTask {
    std::string store;
    std::string games;        // the folder of the files of games; empty: they are not looked at
    bool plays_again = true;  // each game, to see whether its result follows from its replay
};

struct StoreCheckReport {
    std::string origin;  // of the chain
    std::uint64_t records = 0;
    std::uint64_t replays = 0;
    std::uint64_t played_again = 0;
    std::uint64_t files = 0;
    std::uint64_t files_missing = 0;
    std::vector<store::Damage> damages;  // as far as they are kept
    std::uint64_t damages_total = 0;
    std::vector<std::string> notes;  // what is no damage, and worth a line
    std::string remedy;

    bool whole() const { return damages_total == 0; }
};

// `on_progress` is told now and then how far it is. A failure where the store can't be looked at.
base::Result<StoreCheckReport, store::StoreError> check_store(
    const StoreCheckTask& task, const std::function<void(const std::string&)>& on_progress);

}  // namespace referee::cli
