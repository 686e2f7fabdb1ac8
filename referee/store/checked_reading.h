#pragma once

#include <functional>
#include <optional>
#include <string>

#include "protocol/base/result.h"
#include "referee/store/chain.h"
#include "referee/store/store_error.h"

namespace referee::store {

using OnRecord = std::function<void(const StoredRecord& record)>;
// Holds nothing where no such play has ended.
using FoundReplay = base::Result<std::optional<std::string>, StoreError>;

// All records in their order, each of which fits the chain; a failure also where a row belongs to
// none of them. `path` is for messages.
base::Result<void, StoreError> read_records(Database& database, const std::string& path,
                                            RecordReader::Replays replays,
                                            const OnRecord& on_record);
FoundReplay find_replay(Database& database, const std::string& path, const GameKey& key);

}  // namespace referee::store
