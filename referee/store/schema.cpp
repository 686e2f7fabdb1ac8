#include "referee/store/schema.h"

#include <algorithm>
#include <array>
#include <set>

#include "referee/store/chain.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/row_cursor.h"
#include "referee/store/sql_tables.h"

namespace referee::store {

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

const std::set<std::string>& made_parts() {
    static const auto made = [] {
        Database fresh(":memory:", Database::Access::write, {});
        make_tables(fresh);
        return schema_of(fresh);
    }();
    return made;
}

std::pair<std::string, std::string> kind_and_name(const std::string& part) {
    const auto kind = part.find('\n');
    return {part.substr(0, kind), part.substr(kind + 1, part.find('\n', kind + 1) - kind - 1)};
}

}  // namespace

int version_of(Database& database) {
    return static_cast<int>(database.integer("PRAGMA user_version"));
}

bool has_its_schema(Database& database) {
    const auto found = schema_of(database);
    return std::includes(found.begin(), found.end(), made_parts().begin(), made_parts().end());
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

SchemaState standing_of(Database& database) {
    const auto id = database.integer("PRAGMA application_id");
    const int version = version_of(database);
    if (id == application_id)
        return version == schema_version ? SchemaState::store : SchemaState::other_version;
    const bool empty =
        id == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    return empty ? SchemaState::empty : SchemaState::foreign;
}

void make_tables(Database& database) {
    Transaction transaction(database);
    database.execute(all_tables);
    set_origin(database, origin_of_new);
    database.execute("PRAGMA application_id = " + std::to_string(application_id));
    database.execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
}

namespace {

std::string joined(const std::vector<std::string_view>& texts, std::string_view between) {
    std::string all;
    for (const auto text : texts) {
        if (!all.empty()) all += between;
        all += text;
    }
    return all;
}

}  // namespace

std::vector<RecordColumns> record_tables() {
    std::vector<RecordColumns> tables;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        tables.push_back(record_columns<Row>());
    });
    return tables;
}

std::vector<RecordColumns> described_tables() {
    std::vector<RecordColumns> tables;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        const auto before = tables.size();
        tables.push_back(record_columns<Row>());
        if (!fields::Description<Row>::table.lists.empty()) tables.push_back(list_columns<Row>());
        const Row* none = nullptr;
        fields::for_each_flat(
            none, fields::Description<Row>::fields, [&](const auto* /*row*/, const auto& field) {
                if constexpr (std::decay_t<decltype(field)>::stands == StoredIn::in_table)
                    tables.push_back(table_columns(field));
            });
        for (auto i = before; i < tables.size(); ++i)
            tables[i].kind = fields::Description<Row>::kind;
    });
    return tables;
}

Statement insert_into(Database& database, const RecordColumns& columns, bool is_keyed) {
    const std::vector<std::string_view> values(columns.names.size(), "?");
    return {database, std::string(is_keyed ? "INSERT OR IGNORE" : "INSERT") + " INTO " +
                          std::string(columns.table) + " (" + joined(columns.names, ", ") +
                          ") VALUES (" + joined(values, ", ") + ")"};
}

Statement select_from(Database& database, const RecordColumns& columns, std::string_view behind) {
    return {database, "SELECT " + joined(columns.names, ", ") + " FROM " +
                          std::string(columns.table) + " " + std::string(behind)};
}

std::string all_equal(const std::vector<std::string_view>& names) {
    return joined(names, " = ? AND ") + " = ?";
}

}  // namespace referee::store
