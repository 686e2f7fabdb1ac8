#include <gmock/gmock.h>

#include "referee/store/schema.h"

// Compares the descriptions of the records with what else tells their form: the schema.

namespace referee::store {
namespace {

using testing::UnorderedElementsAreArray;

std::vector<std::string> texts(Database& database, const std::string& sql) {
    std::vector<std::string> found;
    Statement rows(database, sql);
    while (rows.step()) found.push_back(rows.text(0));
    return found;
}

TEST(DescribedTest, ColumnsAreThoseOfTheSchema) {
    Database database(":memory:", Database::Access::write, {});
    make_tables(database);
    // What no record goes into: it tells of all of them.
    std::vector<std::string> described{"chain", "chain_origin"};
    for (const auto& columns : described_tables()) {
        described.emplace_back(columns.table);
        const auto in_schema = texts(
            database, "SELECT name FROM pragma_table_info('" + std::string(columns.table) + "')");
        EXPECT_THAT(std::vector<std::string>(columns.names.begin(), columns.names.end()),
                    UnorderedElementsAreArray(in_schema))
            << columns.table;
    }
    EXPECT_THAT(described, UnorderedElementsAreArray(texts(
                               database, "SELECT name FROM sqlite_schema WHERE type = 'table'")));
}

}  // namespace
}  // namespace referee::store
