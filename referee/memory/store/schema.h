#pragma once

#include <span>
#include <string>
#include <vector>

#include "referee/memory/store/database.h"

// The tables of a store, and how older stores are brought up to date. README.md tells what each
// column means.

namespace referee::store {

// Says "this is a store of the referee's" in the file's header; `file` and sqlite3 show it.
inline constexpr std::int64_t application_id = 0x52656665;  // "Refe"

// A step from one version to the next: SQL that runs in one transaction with the change of the
// version, so a step is made wholly or not at all. Steps are only ever added.
struct Migration {
    int version;
    const char* sql;
};
std::span<const Migration> migrations();
int schema_version();  // of this program: that of the last migration

enum class Standing : std::uint8_t {
    empty,    // no tables at all: a new file, or one whose making was cut short
    store,    // of this version, or older
    newer,    // written by a newer program
    foreign,  // somebody else's database
};
Standing standing_of(Database& database, int version_max);
int version_of(Database& database);

// Whether all tables, indexes and views are there that the steps of this program make, as they make
// them; whatever the file says of its version.
bool has_present_schema(Database& database);
// The same by the steps up to the version that the file says.
bool has_its_schema(Database& database);

// The oldest version whose stores are read as they are: the first one with a chain. Those tables of
// records that came later are empty in such a store, and so are columns; the connection shows them
// so, and the file stays as it is.
inline constexpr int oldest_readable_version = 5;
void show_later_parts(Database& database);

// Tables, indexes, views and triggers that no step of this program makes: "trigger t". What SQLite
// keeps for itself is left out.
std::vector<std::string> foreign_parts(Database& database);

// Makes the missing steps. Requires: the file is empty, or a store that is not newer.
void migrate(Database& database, std::span<const Migration> steps);

}  // namespace referee::store
