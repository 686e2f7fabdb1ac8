#include "referee/store/database/record_tables.h"

#include "referee/store/database/record_columns.h"
#include "referee/store/records/record_fields.h"

namespace referee::store {
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
