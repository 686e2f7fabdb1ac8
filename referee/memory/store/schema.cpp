#include "referee/memory/store/schema.h"

#include <algorithm>
#include <set>
#include <string>

#include "referee/memory/store/record_tables.h"

namespace referee::store {

int schema_version() {
    return migrations().back().version;
}

int version_of(Database& database) {
    return static_cast<int>(database.integer("PRAGMA user_version"));
}

namespace {

constexpr std::array schema_columns{0, 1, 2, 3};

// Each table, index and view in one text.
std::set<std::string> schema_of(Database& database) {
    std::set<std::string> parts;
    Statement rows(database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema");
    while (rows.step()) {
        std::string part;
        for (const int column : schema_columns) part += rows.text(column) + '\n';
        parts.insert(std::move(part));
    }
    return parts;
}

std::set<std::string> parts_made_by(std::span<const Migration> steps) {
    Database fresh(":memory:", Database::Access::write, {});
    migrate(fresh, steps);
    return schema_of(fresh);
}

const std::set<std::string>& made_parts() {
    static const auto made = parts_made_by(migrations());
    return made;
}

std::pair<std::string, std::string> kind_and_name(const std::string& part) {
    const auto kind = part.find('\n');
    return {part.substr(0, kind), part.substr(kind + 1, part.find('\n', kind + 1) - kind - 1)};
}

std::string listed(const std::vector<std::string_view>& names) {
    std::string list;
    for (const auto name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    return list;
}

// Empty: there is no such table.
std::set<std::string> columns_of(Database& database, const std::string& table) {
    std::set<std::string> columns;
    Statement rows(database, "SELECT name FROM pragma_table_info('" + table + "')");
    while (rows.step()) columns.insert(rows.text(0));
    return columns;
}

// A view of this connection stands before the table of its name.
void show_later_columns(Database& database, const Columns& columns,
                        const std::set<std::string>& found) {
    std::string values;
    for (const auto name : columns.names) {
        values += values.empty() ? "" : ", ";
        values += found.contains(std::string(name)) ? "" : "NULL AS ";
        values += name;
    }
    if (values == listed(columns.names)) return;
    const std::string table(columns.table);
    database.execute("CREATE TEMP VIEW " + table + " AS SELECT " + values + " FROM main." + table);
}

}  // namespace

bool has_present_schema(Database& database) {
    const auto found = schema_of(database);
    return std::includes(found.begin(), found.end(), made_parts().begin(), made_parts().end());
}

bool has_its_schema(Database& database) {
    const auto version = version_of(database);
    if (version < 1 || version >= schema_version()) return has_present_schema(database);
    const auto found = schema_of(database);
    const auto made = parts_made_by(migrations().first(static_cast<std::size_t>(version)));
    return std::includes(found.begin(), found.end(), made.begin(), made.end());
}

void show_later_parts(Database& database) {
    for (const auto& columns : described_tables()) {
        const std::string table(columns.table);
        const auto found = columns_of(database, table);
        if (!found.empty()) {
            show_later_columns(database, columns, found);
            continue;
        }
        database.execute("CREATE TEMP TABLE " + table + " (" + listed(columns.names) + ")");
    }
}

std::vector<std::string> foreign_parts(Database& database) {
    std::set<std::pair<std::string, std::string>> made;
    for (const auto& part : made_parts()) made.insert(kind_and_name(part));
    std::vector<std::string> foreign;
    for (const auto& part : schema_of(database)) {
        const auto found = kind_and_name(part);
        if (!made.contains(found) && !found.second.starts_with("sqlite_"))
            foreign.push_back(found.first + " " + found.second);
    }
    return foreign;
}

Standing standing_of(Database& database, int version_max) {
    const auto id = database.integer("PRAGMA application_id");
    const int version = version_of(database);
    if (id == application_id) return version > version_max ? Standing::newer : Standing::store;
    const bool empty =
        id == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    return empty ? Standing::empty : Standing::foreign;
}

void migrate(Database& database, std::span<const Migration> steps) {
    for (const auto& step : steps) {
        if (step.version <= version_of(database)) continue;
        Transaction transaction(database);
        database.execute(step.sql);
        database.execute("PRAGMA application_id = " + std::to_string(application_id));
        database.execute("PRAGMA user_version = " + std::to_string(step.version));
        transaction.commit();
    }
}

}  // namespace referee::store
