#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "referee/store/database.h"

// Whether a file has the tables of a store, and how it gets them. They follow from the records'
// descriptions.

namespace referee::store {

// Says "this is a store of the referee's" in the file's header; `file` and sqlite3 show it.
inline constexpr std::int64_t application_id = 0x52656665;  // "Refe"

// Goes up whenever a table, an index or a view changes. A store of another version is refused.
inline constexpr int schema_version = 13;

enum class SchemaState : std::uint8_t {
    empty,          // no tables at all
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

// All tables, indexes and views of a store, as SQL. TABLES.md tells what each column means.
std::string all_tables();
// Makes the tables, and a chain that has no link yet, all or nothing. Requires: the file is empty.
void make_tables(Database& database);
// The file of a store whose tables were just made, with a write-ahead log.
std::string bytes_of_new();

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

}  // namespace referee::store
