#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "referee/store/database.h"
#include "referee/store/records/records.h"

// Records as rows of the tables. What proves them is the chain's business (chain.h).

namespace referee::store {

// A record as it is in the store: with its place in the one order of all records, and the wall
// clock's time at which it was handed over.
struct StoredRecord {
    std::uint64_t seq = 0;
    std::int64_t time_ms = 0;  // milliseconds since 1970
    records::Record record;
};

// ---- record_writer.cpp ---------------------------------------------------------------------

// Puts records into the tables. Requires: a transaction; throws DatabaseError.
class RecordWriter {
 public:
    explicit RecordWriter(Database& database);

    // Returns whether it was written; false where a record with the same key is there already.
    bool insert(std::uint64_t seq, std::int64_t time_ms, const records::Record& record) {
        return tables_[record.index()](seq, time_ms, record);
    }

 private:
    using Insert =
        std::function<bool(std::uint64_t seq, std::int64_t time_ms, const records::Record& record)>;
    std::vector<Insert> tables_;  // by the record's index in the variant
};

// ---- record_reader.cpp ---------------------------------------------------------------------

// Reads single records. Throws DatabaseError; rows that no store would write are reported as
// corruption.
class RecordReader {
 public:
    enum class Replays : std::uint8_t { left_out, read };

    RecordReader(Database& database, Replays replays) : database_(database), replays_(replays) {}

    // Nothing where no record of that kind has the number.
    std::optional<StoredRecord> find(std::uint64_t seq, std::string_view kind);

 private:
    using Find = std::function<std::optional<StoredRecord>(std::uint64_t seq)>;
    Database& database_;
    Replays replays_;
    std::map<std::string, Find, std::less<>> tables_;  // that were asked for, by kind
};

}  // namespace referee::store
