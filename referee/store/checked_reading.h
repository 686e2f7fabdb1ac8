#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace referee::store
