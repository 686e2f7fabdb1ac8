#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "referee/store/database.h"
#include "referee/store/record_writer.h"
#include "referee/store/records/journal.h"

namespace referee::store {

// A table whose rows are records, and the tables beside it.
class RecordTable {
 public:
    virtual ~RecordTable() = default;

    // Of the present row; nothing after the last one.
    std::optional<std::int64_t> seq() const { return seq_; }
    // Moves to the next row.
    virtual void step() = 0;
    // Moves to the row of that record, where rows are selected by their numbers.
    virtual void find(std::uint64_t seq) = 0;
    // Returns the present row as a record.
    virtual StoredRecord take() = 0;

 protected:
    std::optional<std::int64_t> seq_;
};

// Reads all records in their order, one at a time: memory does not grow with the store. Throws
// DatabaseError; rows that no store would write are reported as corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    // Requires, until the last next(): a transaction is open, or nobody writes.
    RecordReader(Database& database, Replays replays);

    // Nothing after the last one.
    std::optional<StoredRecord> next();

 private:
    std::vector<std::unique_ptr<RecordTable>> tables_;  // of each type of record
};

// Reads single records. Throws as RecordReader.
class RecordLookup {
 public:
    RecordLookup(Database& database, RecordReader::Replays replays)
        : database_(database), replays_(replays) {}

    // Nothing where no record of that kind has the number.
    std::optional<StoredRecord> find(std::uint64_t seq, std::string_view kind);

 private:
    Database& database_;
    RecordReader::Replays replays_;
    std::map<std::string, std::unique_ptr<RecordTable>, std::less<>>
        tables_;  // that were asked for
};

// The number of the record of a play that has ended; nothing where there is no such play.
std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key);

}  // namespace referee::store
