#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"
#include "referee/game/fields/fields.h"
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
SchemaState schema_state_of(Database& database);
int version_of(Database& database);

// Whether all tables, indexes and views are there as this program makes them; whatever the file
// says of its version.
bool has_its_schema(Database& database);
inline constexpr const char* lacks_its_schema =
    "its tables, indexes or views are not those that a referee makes";

// Tables, indexes, views and triggers that this program does not make: "trigger t". What SQLite
// keeps for itself is left out.
std::vector<std::string> foreign_parts(Database& database);
inline constexpr const char* has_foreign_part = "the schema has what no referee made: ";

// All tables, indexes and views of a store, as SQL. TABLES.md tells what each column means.
std::string all_tables();
// Makes the tables, and a chain that has no link yet, all or nothing. Requires: the file is empty.
void make_tables(Database& database);
// The file of a store whose tables were just made, with a write-ahead log.
std::string bytes_of_new();

struct Column {
    std::string_view name;
    std::string_view type;
    bool may_be_null = false;
};

// A table whose rows are records, or stand beside one.
struct RecordTable {
    std::string_view name;
    // Behind `seq`, the number of the record, in the order in which they are bound and read.
    std::vector<Column> columns{};
    std::string_view place{};   // the column that counts the rows beside a record; empty: it is one
    std::string_view unique{};  // the columns that are its key, where no index is
    std::string_view kind{};    // of the records, where that is told
    bool is_keyed = false;      // a row whose key is there already is not inserted
};

// The tables of all records and those beside them, as their descriptions define them.
std::vector<RecordTable> described_tables();

// Inserts a row: `seq`, and all columns.
Statement insert_into(Database& database, const RecordTable& table);
// The same of all rows of a record, whose number is bound.
Statement select_from(Database& database, const RecordTable& table);

// The number of the record in the first column. Throws where none stands there.
std::uint64_t seq_in(const Statement& row);
// Throws unless a value of the record is kept as the kind that it was written as.
void expect_kind(bool is_that_kind, std::uint64_t seq);

// The tables of a description. For the few .cpp files that read and write tables.

using fields::Description;
using fields::StoredIn;

// Calls with each field that stands there, and the struct that has it: null where that is left out,
// or `row` is.
template <StoredIn where, typename Row, typename Each>
void for_each_stored(Row* row, const Each& each) {
    const auto& all = Description<std::remove_const_t<Row>>::fields;
    fields::for_each_flat(row, all, [&each](auto* part, const auto& field) {
        if constexpr (std::decay_t<decltype(field)>::stands == where) each(part, field);
    });
}

template <typename Value>
constexpr std::string_view type_of() {
    if constexpr (fields::is_optional<Value>) {
        return type_of<typename Value::value_type>();
    } else if constexpr (std::is_same_v<Value, engines::Score>) {
        return "REAL";
    } else {
        return std::is_integral_v<Value> ? "INTEGER" : "TEXT";
    }
}

template <typename Row, typename Value>
Column column_of(const fields::Field<Row, Value>& field, bool may_be_null) {
    return {field.name, type_of<Value>(),
            may_be_null || fields::is_optional<Value> || field.absent == fields::Absent::from_both};
}
template <typename Row>
Column column_of(const fields::JsonText<Row>& field, bool may_be_null) {
    return {field.name, type_of<std::string>(), may_be_null};
}
template <typename Row>
Column column_of(const fields::ColumnOnly<Row>& field, bool /*may_be_null*/) {
    return {field.name, type_of<std::string>(), true};
}

// Adds those of the row itself. Of an object that may be missing each may be null.
template <typename... Kinds>
void add_columns(RecordTable& table, const std::tuple<Kinds...>& fields, bool may_be_null = false) {
    fields::for_each(fields, [&]<typename Kind>(const Kind& field) {
        if constexpr (requires { field.only_if; }) {
            add_columns(table, field.fields, may_be_null || field.only_if.is_there != nullptr);
        } else if constexpr (requires { field.fields; }) {
            add_columns(table, field.fields, may_be_null);
        } else if constexpr (Kind::stands == StoredIn::in_row) {
            table.columns.push_back(column_of(field, may_be_null));
        }
    });
}

// Of the records themselves.
template <typename Row>
RecordTable own_table() {
    constexpr auto& told = Description<Row>::table;
    RecordTable table{.name = told.name,
                      .columns = {{"time_ms", type_of<int>()}},
                      .unique = told.unique,
                      .is_keyed = told.is_keyed};
    add_columns(table, Description<Row>::fields);
    return table;
}

inline RecordTable table_beside(std::string_view name, std::string_view place) {
    return {.name = name, .columns = {{place, type_of<int>()}}, .place = place};
}

// Of a record's lists. The first one tells how many rows there are; a shorter one ends in nulls.
template <typename Row>
RecordTable list_table() {
    auto table = table_beside(Description<Row>::table.lists, Description<Row>::table.place);
    const Row* none = nullptr;
    for_each_stored<StoredIn::in_lists>(none, [&table](const auto* part, const auto& field) {
        using List = std::decay_t<decltype(part->*field.member)>;
        const bool is_first = table.columns.size() == 1;
        table.columns.push_back({field.column, type_of<typename List::value_type>(), !is_first});
    });
    return table;
}

// Of a field that has a table to itself.
template <typename Row, typename Element>
RecordTable table_of(const fields::Rows<Row, Element>& /*field*/) {
    auto table = table_beside(Description<Element>::table.name, Description<Element>::table.place);
    add_columns(table, Description<Element>::fields);
    return table;
}
template <typename Row>
RecordTable table_of(const fields::PackedText<Row>& field) {
    return {.name = field.table,
            .columns = {{"bytes", "INTEGER"}, {"zlib", "BLOB"}, {"sha256", "BLOB"}}};
}

}  // namespace referee::store
