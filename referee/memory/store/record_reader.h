#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/memory/journal/journal.h"
#include "referee/memory/store/database.h"
#include "referee/memory/store/record_writer.h"

namespace referee::store {

// Reads all records in their order, one at a time: memory does not grow with the store. Throws
// DatabaseError; rows that no store would write are reported as corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    // Requires, until the last next(): a transaction is open, or nobody writes.
    RecordReader(Database& database, Replays replays);
    ~RecordReader();
    RecordReader(const RecordReader&) = delete;
    RecordReader& operator=(const RecordReader&) = delete;
    RecordReader(RecordReader&&) = delete;
    RecordReader& operator=(RecordReader&&) = delete;

    // Nothing after the last one.
    std::optional<StoredRecord> next();

 private:
    class Table;
    template <typename Row>
    class TableOf;
    std::vector<std::unique_ptr<Table>> tables_;  // of each type of record
};

// The replay of a play that has ended; nothing where there is no such play.
std::optional<std::string> read_replay(Database& database, const GameKey& key);
// The number of the last record; 0 where there is none.
std::uint64_t last_seq(Database& database);

}  // namespace referee::store
