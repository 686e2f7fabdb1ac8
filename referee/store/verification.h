#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/audit.h"
#include "referee/store/store.h"

namespace referee::store {

// What is looked at of a store beside all of its records, tables and pages.
struct VerifyTask {
    std::string store;
    std::string games;        // the folder of the files of games; empty: they are not looked at
    bool plays_again = true;  // each game, to see whether its result follows from its replay
};

// What was looked at, and what was found.
struct Verified {
    std::string origin;  // of the chain
    std::uint64_t records = 0;
    std::uint64_t replays = 0;
    std::uint64_t replays_dropped = 0;
    std::uint64_t played_again = 0;
    std::uint64_t files = 0;
    std::uint64_t files_missing = 0;
    std::vector<Damage> damages;  // as far as they are kept
    std::uint64_t damages_total = 0;
    std::vector<std::string> notes;  // what is no damage, and worth a line
    std::string remedy;

    bool whole() const { return damages_total == 0; }
};

// Writes nothing, and the store may be in use. `on_progress` is told now and then how far it is. A
// failure where the store can't be looked at.
base::Result<Verified, StoreError> verify_store(
    const VerifyTask& task, const std::function<void(const std::string&)>& on_progress);

}  // namespace referee::store
