#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "referee/memory/store/database.h"

namespace referee::store {

// A table by its columns, in the order in which they are bound and read.
struct Columns {
    std::string_view table;
    std::vector<std::string_view> names;
};

// The tables of all records as their descriptions have them.
std::vector<Columns> described_tables();

// The rows that a key meets already are left alone where `is_keyed`.
Statement insert_into(Database& database, const Columns& columns, bool is_keyed = false);
// "SELECT its columns FROM its table", and what comes behind.
Statement select_from(Database& database, const Columns& columns, std::string_view behind);
// "a = ? AND b = ?"
std::string all_equal(const std::vector<std::string_view>& names);

}  // namespace referee::store
