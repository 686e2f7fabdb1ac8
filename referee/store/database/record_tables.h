#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "referee/store/database/database.h"

namespace referee::store {

// A table with its columns, in the order in which they are bound and read.
struct RecordColumns {
    std::string_view table;
    std::vector<std::string_view> names;
    std::string_view kind{};  // of the records that they are of, where that is told
};

// Those whose rows are records.
std::vector<RecordColumns> record_tables();
// The tables of all records and those beside them, as their descriptions define them.
std::vector<RecordColumns> described_tables();

// Where `is_keyed`, a row whose key is there already is not inserted.
Statement insert_into(Database& database, const RecordColumns& columns, bool is_keyed = false);
// "SELECT its columns FROM its table", followed by `behind`.
Statement select_from(Database& database, const RecordColumns& columns, std::string_view behind);
// "a = ? AND b = ?"
std::string all_equal(const std::vector<std::string_view>& names);

}  // namespace referee::store
