#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "referee/store/database.h"
#include "referee/store/record_writer.h"
#include "referee/store/records/journal.h"

namespace referee::store {

// A table whose rows are records, and the tables beside it.
class RecordTable {
 public:
    virtual ~RecordTable() = default;
    virtual std::optional<StoredRecord> find(std::uint64_t seq) = 0;
};

// Reads single records. Throws DatabaseError; rows that no store would write are reported as
// corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    RecordReader(Database& database, Replays replays) : database_(database), replays_(replays) {}

    // Nothing where no record of that kind has the number.
    std::optional<StoredRecord> find(std::uint64_t seq, std::string_view kind);

 private:
    Database& database_;
    Replays replays_;
    std::map<std::string, std::unique_ptr<RecordTable>, std::less<>>
        tables_;  // that were asked for
};

// The number of the record of a play that has ended; nothing where there is no such play.
std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key);

}  // namespace referee::store
