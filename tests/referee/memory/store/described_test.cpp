#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "referee/memory/store/archive.h"
#include "referee/memory/store/record_reader.h"
#include "referee/memory/store/record_tables.h"
#include "referee/memory/store/schema.h"
#include "tests/places.h"
#include "tests/referee/memory/store/store_room.h"

// Compares the descriptions of the records with what else tells their form: the schema, and files
// that the program wrote before there were descriptions.

namespace referee::store {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

std::string file_text(const std::string& name) {
    std::ifstream file(tests::source_root() + "/tests/referee/memory/store/" + name,
                       std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    return text.str();
}

std::vector<std::string> texts(Database& database, const std::string& sql) {
    std::vector<std::string> found;
    Statement rows(database, sql);
    while (rows.step()) found.push_back(rows.text(0));
    return found;
}

class DescribedTest : public StoreRoom {
 protected:
    // A store of today's schema with the rows that the program wrote then.
    void make_store_of_version_2() const {
        Database database(path(), Database::Access::write, {});
        migrate(database, migrations().first(2));
        database.execute(file_text("version_2.sql"));
        migrate(database, migrations());
        seal(database, 2);
        database.end_tidily();
    }
    std::string exported(const std::string& from) {
        auto reader = StoreReader::open(from);
        std::ostringstream out;
        const auto archived = export_archive(*reader, out);
        EXPECT_TRUE(archived);
        return out.str();
    }
};

// The records as an archive of version 1 has them: without the checks.
std::string without_checks(std::string archive) {
    archive = archive.substr(archive.find('\n'));
    for (const std::string name : {",\"link\":\"", ",\"sha256\":\""}) {
        for (auto at = archive.find(name); at != std::string::npos; at = archive.find(name, at))
            archive.erase(at, archive.find('"', at + name.size()) + 1 - at);
    }
    return archive;
}

TEST_F(DescribedTest, ColumnsAreThoseOfTheSchema) {
    Database database(path(), Database::Access::write, {});
    migrate(database, migrations());
    // What no record goes into: it tells of the machine, and of all records.
    std::vector<std::string> described{"program_starts", "chain", "chain_origin"};
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

TEST_F(DescribedTest, AStoreOfVersion2ReadsAsItWasArchivedThen) {
    make_store_of_version_2();
    EXPECT_EQ(without_checks(exported(path())), without_checks(file_text("version_2.ndjson")));
}

TEST_F(DescribedTest, AStoreOfVersion5IsReadAsItIs) {
    {
        Database database(path(), Database::Access::write, {});
        migrate(database, migrations().first(2));
        database.execute(file_text("version_2.sql"));
        migrate(database, migrations().first(oldest_readable_version));
        show_later_parts(database);
        seal(database, 2);
        database.end_tidily();
    }
    EXPECT_EQ(without_checks(exported(path())), without_checks(file_text("version_2.ndjson")));
}

// All columns except the packed bytes, which depend on zlib: their text is compared above.
TEST_F(DescribedTest, AnArchiveOfVersion2GivesTheRowsThatWereWrittenThen) {
    make_store_of_version_2();
    std::istringstream archive(file_text("version_2.ndjson"));
    const auto imported = import_archive(archive, "version_2.ndjson", path("imported"));
    ASSERT_TRUE(imported) << imported.error().message;
    EXPECT_EQ(without_checks(exported(path("imported"))),
              without_checks(file_text("version_2.ndjson")));
    Database database(path(), Database::Access::write, {});
    database.execute("ATTACH '" + path("imported") + "' AS imported");
    for (const auto& columns : described_tables()) {
        const std::string table(columns.table);
        static const std::set<std::string> later{
            "fame",           "fame_removals",   "rulings",
            "ruling_seats",   "forbidden_pairs", "forbidden_bots",
            "requested_byes", "hand_pairings",   "hand_paired_bots",
            "restorations"};
        if (later.contains(table)) continue;  // version 2 had none
        std::string names;
        for (const auto name : columns.names) {
            if (name != "zlib") names += (names.empty() ? "" : ", ") + std::string(name);
        }
        const auto then = "SELECT " + names + " FROM main." + table;
        const auto now = "SELECT " + names + " FROM imported." + table;
        EXPECT_GT(database.integer("SELECT count(*) FROM main." + table), 0) << table;
        EXPECT_THAT(texts(database, then + " EXCEPT " + now), IsEmpty()) << table;
        EXPECT_THAT(texts(database, now + " EXCEPT " + then), IsEmpty()) << table;
    }
}

}  // namespace
}  // namespace referee::store
