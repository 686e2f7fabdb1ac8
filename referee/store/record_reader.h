#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "referee/store/database.h"
#include "referee/store/record_writer.h"
#include "referee/store/records/journal.h"

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
    friend class RecordLookup;
    class Table;
    template <typename Row>
    class TableOf;
    std::vector<std::unique_ptr<Table>> tables_;  // of each type of record
};

// Reads single records. Throws as RecordReader.
class RecordLookup {
 public:
    RecordLookup(Database& database, RecordReader::Replays replays);
    ~RecordLookup();
    RecordLookup(const RecordLookup&) = delete;
    RecordLookup& operator=(const RecordLookup&) = delete;
    RecordLookup(RecordLookup&&) = delete;
    RecordLookup& operator=(RecordLookup&&) = delete;

    // Nothing where no record of that kind has the number.
    std::optional<StoredRecord> find(std::uint64_t seq, std::string_view kind);

 private:
    struct TableOfKind {
        std::string_view kind;
        std::unique_ptr<RecordReader::Table> (*open)(Database&, RecordReader::Replays);
        std::unique_ptr<RecordReader::Table> table;  // once it was asked for
    };
    Database& database_;
    RecordReader::Replays replays_;
    std::vector<TableOfKind> tables_;
};

// The number of the record of a play that has ended; nothing where there is no such play.
std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key);

}  // namespace referee::store
