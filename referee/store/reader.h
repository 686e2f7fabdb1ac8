#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/store/chain.h"
#include "referee/store/database.h"
#include "referee/store/opening.h"
#include "referee/store/store_error.h"

namespace referee::store {

using OnRecord = std::function<void(const StoredRecord& record)>;
// Holds nothing where no such play has ended.
using FoundReplay = base::Result<std::optional<std::string>, StoreError>;

// All records in their order, each of which fits the chain. Throws, also where a row belongs to
// none of them.
void read_records(Database& database, RecordReader::Replays replays, const OnRecord& on_record);
// Nothing where no such play has ended. Throws.
std::optional<std::string> find_replay(Database& database, const GameKey& key);

// Reads a store, beside a daemon or without one; writes nothing, and makes nothing beside a store
// that is at rest. If a daemon begins to write such a store meanwhile, everything fails from then
// on.
class StoreReader {
 public:
    using Opened = base::Result<StoreReader, StoreError>;
    static Opened open(const std::string& path, const std::string& vfs = {});

    // All records as they stood at one moment, in their order.
    using Replays = RecordReader::Replays;
    base::Result<void, StoreError> history(const OnRecord& on_record,
                                           Replays replays = Replays::left_out);
    FoundReplay replay(const GameKey& key);
    // How its chain began.
    base::Result<std::string, StoreError> origin();

 private:
    StoreReader(OpenedToRead opened, std::string path)
        : opened_(std::move(opened)), path_(std::move(path)) {}
    template <typename Read>
    auto at_one_moment(const Read& read);

    OpenedToRead opened_;
    std::string path_;
};

// All records of that store, as StoreReader has them.
base::Result<void, StoreError> read_history(
    const std::string& path, const std::function<void(const records::Record&)>& take);

}  // namespace referee::store
