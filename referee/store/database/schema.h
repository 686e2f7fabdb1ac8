#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "referee/store/database/database.h"

// Whether a file has the tables of a store, and how it gets them. tables.h has the tables.

namespace referee::store {

// Says "this is a store of the referee's" in the file's header; `file` and sqlite3 show it.
inline constexpr std::int64_t application_id = 0x52656665;  // "Refe"

enum class SchemaState : std::uint8_t {
    empty,          // no tables at all: a new file, or one whose making was cut short
    store,          // of this program's version
    other_version,  // a store whose tables are others
    foreign,        // somebody else's database
};
SchemaState standing_of(Database& database);
int version_of(Database& database);

// Whether all tables, indexes and views are there as this program makes them; whatever the file
// says of its version.
bool has_its_schema(Database& database);

// Tables, indexes, views and triggers that this program does not make: "trigger t". What SQLite
// keeps for itself is left out.
std::vector<std::string> foreign_parts(Database& database);

// Makes the tables, and a chain that has no link yet, all or nothing. Requires: the file is empty.
void make_tables(Database& database);

}  // namespace referee::store
