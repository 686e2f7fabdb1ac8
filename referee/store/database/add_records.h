#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/database/opening.h"
#include "referee/store/database/record_reader.h"
#include "referee/store/database/store_error.h"

// Adds records to a store that no daemon writes: for commands that do one thing and end.

namespace referee::store {

// What is to be added, by all that is there.
using DecideRecords =
    std::function<std::vector<records::Record>(const std::vector<StoredRecord>& there)>;

// All or none of them, in one transaction: whoever is cut short does it again. Nobody else writes
// between the reading and the adding. `there` has no replays.
base::Result<void, StoreError> add_records(const std::string& path, Making making,
                                           std::int64_t now_ms, const DecideRecords& decide);

}  // namespace referee::store
