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

// Reads the records of a store that may be damaged, in their order: those that their digests prove.
// A record whose link is damaged is proven by the next one. A game whose replay alone is damaged
// comes without it, and a record whose time alone is not proven with that of the record before.
//
// A tournament is the sum of its records, and only a beginning of them is a state that it was in.
// So where a record is lost, the later ones of all tournaments that it could belong to are left out
// too.
//
// Returns what is left out: "record 12 (game): it is another one than was written".
//
// `told`: the number of the last record that somebody was told of; 0: nobody knows. Never throws:
// what can't be read counts as damaged.
std::vector<std::string> read_proven(Database& database, std::uint64_t told,
                                     const OnRecord& on_record);

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
    // For those who look at damaged stores, too. Requires: check_rest() afterwards.
    Database& database() { return database_; }
    // A failure where somebody has begun to write a store that was at rest: nothing that was read
    // is good then.
    base::Result<void, StoreError> check_rest() const {
        return at_rest_ ? at_rest_->check() : base::Result<void, StoreError>{};
    }

 private:
    StoreReader(OpenedToRead opened, std::string path, bool is_real)
        : database_(std::move(opened.database)),
          at_rest_(std::move(opened.at_rest)),
          path_(std::move(path)),
          is_real_(is_real) {}
    // What stands beside the store is told before anything of it is read.
    base::Result<void, StoreError> begin();

    Database database_;
    std::optional<StoreAtRest> at_rest_;
    std::string path_;
    bool is_real_;  // with files beside it, unlike one of a test's file system
};

// All records of that store, as StoreReader has them.
base::Result<void, StoreError> read_history(
    const std::string& path, const std::function<void(const records::Record&)>& take);

}  // namespace referee::store
