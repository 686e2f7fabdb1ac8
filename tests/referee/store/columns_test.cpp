#include <gmock/gmock.h>

#include <iostream>

#include "referee/store/check.h"
#include "referee/store/schema.h"
#include "tests/referee/store/sample_records.h"
#include "tests/sample.h"

// Every value of every row of every table is changed, one at a time: a bit of it, its kind, or
// whether it is there at all. `verify`, `export` and who opens the store notice each change alike.

namespace referee::store {
namespace {

using testing::IsEmpty;

#ifdef REFEREE_SANITIZED
constexpr std::uint64_t cells_sampled_of = 16;
#else
constexpr std::uint64_t cells_sampled_of = 4;
#endif

void erase_all(std::string& text, std::string_view word) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at))
        text.erase(at, word.size());
}

// A store's tables as a damaged page may hold them: SQLite refuses no value.
std::string tables_without_constraints() {
    auto sql = all_tables();
    for (const auto* word : {" NOT NULL", " UNIQUE", "UNIQUE "}) erase_all(sql, word);
    for (auto at = sql.find(",\n    (tournament"); at != std::string::npos;
         at = sql.find(",\n    (tournament"))
        sql.erase(at, sql.find(')', at) + 1 - at);
    return sql;
}

std::vector<std::string> texts_of(Database& database, const std::string& sql) {
    std::vector<std::string> found;
    Statement rows(database, sql);
    while (rows.step()) found.push_back(rows.text(0));
    return found;
}

struct Cell {
    std::string table;
    std::string column;
    std::string row;  // "seq = 3 AND seat = 1"
};

class ColumnsTest : public testing::Test {
 protected:
    void SetUp() override {
        database_.execute(tables_without_constraints());
        set_origin(database_, origin_of_new);
        ChainWriter chain(database_);
        auto tip = root_of(origin_of_new);
        std::uint64_t seq = 0;
        for (const auto& record : sample_records()) {
            const auto next_tip = chain.append(tip, ++seq, 7, record);
            ASSERT_TRUE(next_tip);
            tip = *next_tip;
        }
        tip_ = tip;
    }

    std::vector<Cell> cells() {
        std::vector<Cell> found;
        for (const auto& table :
             texts_of(database_, "SELECT name FROM sqlite_schema WHERE type = 'table'")) {
            const auto columns =
                texts_of(database_, "SELECT name FROM pragma_table_info('" + table + "')");
            const auto key =
                texts_of(database_, "SELECT name FROM pragma_table_info('" + table + "') WHERE pk");
            std::string row = "'true'";
            for (const auto& part : key) row += " || ' AND " + part + " = ' || quote(" + part + ")";
            const auto rows = texts_of(database_, "SELECT " + row + " FROM " + table);
            EXPECT_FALSE(rows.empty()) << "no sample has a row of " << table;
            for (const auto& one : rows) {
                for (const auto& column : columns) found.push_back({table, column, one});
            }
        }
        return found;
    }

    std::string kind_of_value(const Cell& cell) {
        return texts_of(database_, "SELECT typeof(" + cell.column + ") FROM " + cell.table +
                                       " WHERE " + cell.row)
            .at(0);
    }

    // What it is changed to, as SQL.
    std::vector<std::string> changes(const Cell& cell) {
        const auto kind = kind_of_value(cell);
        const auto& name = cell.column;
        std::vector<std::string> changed{"NULL", "0",  "1",   "4294967295",
                                         "0.5",  "''", "'x'", "x'00'"};
        if (kind == "integer") {
            for (const int bit : {0, 1, 7, 8, 31, 32, 33, 48, 62, 63}) {
                const auto mask = "(1 << " + std::to_string(bit) + ")";
                changed.push_back("(" + name + " | " + mask + ") - (" + name + " & " + mask + ")");
            }
        } else if (kind == "real") {
            changed.push_back(name + " + 0.5");
            changed.push_back(name + " + 1e-9");
            changed.push_back("-" + name);
        } else if (kind == "text") {
            changed.push_back(name + " || ' '");
            changed.push_back("CAST(" + name + " AS BLOB)");
            changed.push_back("char(unicode(" + name + ") + 1) || substr(" + name + ", 2)");
            changed.push_back("substr(" + name + ", 1, length(" + name + ") - 1)");
        } else if (kind == "blob") {
            changed.push_back("CAST(" + name + " AS TEXT)");
        }
        return changed;
    }

    // Why not all records are read: as `export` reads them, or as a referee does where it opens a
    // store to go on.
    std::string read_all(RecordReader::Replays replays) {
        try {
            if (replays == RecordReader::Replays::left_out) check_end(database_);
            ChainReader reader(database_, replays);
            while (reader.next()) {
            }
            return reader.tip() == tip_ ? "" : "another end";
        } catch (const DatabaseError& error) {
            return error.what();
        }
    }

    // What `verify` finds: at least that the tables are without constraints.
    std::uint64_t damages() {
        RecordCheck check(database_, RecordCheck::Depth::records_and_keys);
        while (!check.is_over()) check.go_on(100);
        return check.seen().damages_total + (check.tip() == tip_ ? 0 : 1);
    }

    // False where the value is the same as it was.
    bool change(const Cell& cell, const std::string& to) {
        const auto value = "quote(" + cell.column + ") || typeof(" + cell.column + ")";
        const auto select = "SELECT " + value + " FROM " + cell.table + " WHERE " + cell.row;
        const auto before = texts_of(database_, select).at(0);
        database_.execute("UPDATE " + cell.table + " SET " + cell.column + " = " + to + " WHERE " +
                          cell.row);
        const auto after = texts_of(database_, select);
        return after.empty() || after[0] != before;
    }

    void expect_noticed(const Cell& cell, const std::string& to) {
        database_.execute("SAVEPOINT whole");
        bool is_changed = false;
        try {
            is_changed = change(cell, to);
        } catch (const DatabaseError&) {
            // Of a key: the number of another row, or none.
        }
        if (is_changed) {
            ++changed_;
            const auto what =
                cell.table + '.' + cell.column + " where " + cell.row + " is now " + to;
            EXPECT_NE(read_all(RecordReader::Replays::read), "") << what;
            EXPECT_NE(read_all(RecordReader::Replays::left_out), "") << what;
            EXPECT_GT(damages(), 1U) << what;
        }
        database_.execute("ROLLBACK TO whole; RELEASE whole");
    }

    Database database_{":memory:", Database::Access::write, {}};
    ChainTip tip_;
    std::size_t changed_ = 0;
};

TEST_F(ColumnsTest, AChangeOfAnyValueIsNoticed) {
    ASSERT_THAT(read_all(RecordReader::Replays::read), IsEmpty());
    ASSERT_THAT(read_all(RecordReader::Replays::left_out), IsEmpty());
    ASSERT_EQ(damages(), 1U);
    const auto all = cells();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!tests::in_sample(i, cells_sampled_of)) continue;
        for (const auto& to : changes(all[i])) expect_noticed(all[i], to);
    }
    std::cout << changed_ << " changes of a part of " << all.size() << " values\n";
}

}  // namespace
}  // namespace referee::store
