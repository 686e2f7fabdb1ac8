#pragma once

#include <functional>
#include <vector>

#include "referee/store/database.h"
#include "referee/store/records/journal.h"

namespace referee::store {

// A record as it is in the store: with its place in the one order of all records, and the wall
// clock's time at which it was handed over.
struct StoredRecord {
    std::uint64_t seq = 0;
    std::int64_t time_ms = 0;  // milliseconds since 1970
    records::Record record;
};

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

}  // namespace referee::store
