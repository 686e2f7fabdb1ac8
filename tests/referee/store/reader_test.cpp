#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "referee/store/archive.h"
#include "referee/store/committer.h"
#include "referee/store/schema.h"
#include "tests/referee/store/store_room.h"

// What is saved of a damaged store, and what is told to be left out.

namespace referee::store {
namespace {

using records::OpeningRecord;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSubsetOf;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class ProvenTest : public StoreRoom {
 protected:
    void make_store() {
        remove_store();
        now_ms_ = 1'700'000'000'000;
        filled();
    }
    // What is told to be left out. The archive is kept, and so are the lines of a store of it.
    std::vector<std::string> save() {
        std::ostringstream out;
        const auto proven = export_proven(path(), out);
        if (!proven) return {proven.error().message};
        archive_ = out.str();
        std::filesystem::remove(path("mended"));
        std::istringstream in(archive_);
        const auto imported = import_archive(in, "archive", path("mended"));
        EXPECT_TRUE(imported) << imported.error().message;
        saved_ = read_lines(path("mended"));
        EXPECT_EQ(proven->records, saved_.size());
        return proven->left_out;
    }

    std::string archive_;
    std::vector<std::string> saved_;
};

TEST_F(ProvenTest, OfAWholeStoreTheArchiveIsTheSame) {
    make_store();
    const auto whole = exported(path());
    EXPECT_THAT(save(), IsEmpty());
    EXPECT_EQ(archive_, whole);
    EXPECT_THAT(made_.names(), SizeIs(2)) << "nothing lies beside it";
    const auto store = opened();
    EXPECT_THAT(save(), IsEmpty()) << "while it is written, too";
    EXPECT_EQ(archive_, whole);
}

TEST_F(ProvenTest, ADamageOfAnyTableIsToldAndTheRestIsSaved) {
    const auto lines = lines_of(sample_records());
    for (const auto& described : described_tables()) {
        make_store();
        const std::string table(described.name);
        const bool is_replay = table == "replays";
        std::uint64_t seq = 0;
        {
            Database database(path(), Database::Access::read, {});
            seq = static_cast<std::uint64_t>(database.integer("SELECT max(seq) FROM " + table));
        }
        const std::string value(is_replay ? "zlib" : described.columns.back().name);
        change("UPDATE " + table + " SET " + value + " = x'00' WHERE seq = " + std::to_string(seq));
        const auto left_out = save();
        const auto what = "record " + std::to_string(seq) + " (" + std::string(described.kind) +
                          (is_replay ? "): only its replay" : "): it can't be read");
        EXPECT_THAT(left_out, Contains(StartsWith(what))) << table;
        if (is_replay) {
            EXPECT_THAT(left_out, SizeIs(1));
            EXPECT_THAT(saved_, SizeIs(lines.size()));
        } else {
            EXPECT_THAT(saved_, IsSubsetOf(lines)) << table;
            EXPECT_THAT(saved_, SizeIs(lines.size() - left_out.size())) << table;
        }
    }
}

TEST_F(ProvenTest, TheReplayOfAnotherGameIsNotBelieved) {
    make_store();
    change(
        "UPDATE replays SET (bytes, zlib, sha256) = (SELECT bytes, zlib, sha256 FROM replays "
        "WHERE seq <> 12 LIMIT 1) WHERE seq = 12");
    EXPECT_THAT(save(), ElementsAre("record 12 (game): only its replay; its result is there"));
}

TEST_F(ProvenTest, ALinkThatIsDamagedCostsNothing) {
    make_store();
    const auto whole = exported(path());
    for (const std::string change_of_link :
         {"record = zeroblob(32)", "link = zeroblob(32)", "link = x'00'", "kind = 'token'",
          "replay = zeroblob(32)", "seq = 99"}) {
        make_store();
        change("UPDATE chain SET " + change_of_link + " WHERE seq = 12");
        const auto left_out = save();
        if (change_of_link == "seq = 99") {
            EXPECT_THAT(left_out, ElementsAre(HasSubstr("record 32 and those up to 98"),
                                              HasSubstr("record 99 (game): it can't be read")));
        } else {
            EXPECT_THAT(left_out, IsEmpty()) << change_of_link;
            EXPECT_EQ(archive_, whole) << change_of_link;
        }
    }
}

TEST_F(ProvenTest, ATournamentEndsWhereARecordOfItMayBeLost) {
    make_store();
    change("DELETE FROM starts WHERE seq = 11");
    const auto left_out = save();
    EXPECT_THAT(left_out, Contains("record 11 (start): it can't be read"));
    EXPECT_THAT(left_out, Contains("record 12 (game): it is of friday, of which a record before it "
                                   "may be lost"));
    EXPECT_EQ(saved_.size() + left_out.size(), sample_records().size());
    EXPECT_THAT(saved_, Contains(HasSubstr("\"hash\":\"\""))) << "which is of no tournament";
    EXPECT_THAT(saved_, Not(Contains(HasSubstr("\"restoration\""))));
}

TEST_F(ProvenTest, ALostTokenEndsNoTournament) {
    make_store();
    change("UPDATE tokens SET hash = 'another' WHERE seq = 1");
    EXPECT_THAT(save(), ElementsAre("record 1 (token): it is another one than was written"));
    EXPECT_THAT(saved_, SizeIs(sample_records().size() - 1));
}

TEST_F(ProvenTest, ATimeThatIsNotProvenIsThatOfTheRecordBefore) {
    make_store();
    change("UPDATE states SET time_ms = time_ms + 1000 WHERE seq = 6");
    EXPECT_THAT(save(), ElementsAre(HasSubstr("record 6 (state): only its time")));
    EXPECT_EQ(saved_, lines_of(sample_records()));
    EXPECT_THAT(archive_, Not(HasSubstr("1700000001001")));
    make_store();
    change("UPDATE chain_origin SET origin = 'old'");
    EXPECT_THAT(save(), ElementsAre(HasSubstr("record 1 (token): only its time")));
}

TEST_F(ProvenTest, WhatWasToldAndIsGoneIsTold) {
    make_store();
    HeadFile::make(path(), {tip().seq + 3, tip().link});
    EXPECT_THAT(save(), ElementsAre("record 32 and those up to 34: nothing is there"));
    EXPECT_EQ(saved_, lines_of(sample_records()));
    std::ofstream(path() + ".head") << "rubbish";
    EXPECT_THAT(save(), ElementsAre(AllOf(StartsWith("behind the last record"),
                                          HasSubstr(".head is damaged"))));
}

TEST_F(ProvenTest, OfAFileThatWasCutIsSavedWhatIsThere) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t records = 2000;
    constexpr std::size_t cuts = 12;
    {
        const auto store = opened();
        append(*store, {OpeningRecord{"friday", {}, {}}});
        for (std::size_t i = 1; i <= records; ++i) append(*store, {numbered(static_cast<int>(i))});
    }
    std::vector<std::string> lines{line_of(OpeningRecord{"friday", {}, {}})};
    for (std::size_t i = 1; i <= records; ++i)
        lines.push_back(line_of(numbered(static_cast<int>(i))));
    const auto pages = std::filesystem::file_size(path()) / page;
    std::size_t most = 0;
    for (auto left = pages - 1; left > 0; left -= std::min<std::size_t>(left, pages / cuts)) {
        std::filesystem::resize_file(path(), left * page - left % 2);
        auto refused = StoreReader::open(path());
        const auto error = refused ? refused->history([](const StoredRecord& /*record*/) {}).error()
                                   : refused.error();
        EXPECT_EQ(error.trouble, StoreTrouble::corrupt);
        EXPECT_THAT(error.message, HasSubstr("--skip-damaged"));
        saved_.clear();
        EXPECT_THAT(save(), Not(IsEmpty()));
        ASSERT_LE(saved_.size(), records);
        lines.resize(std::min(lines.size(), saved_.size()));
        EXPECT_EQ(saved_, lines) << "the beginning of the tournament";
        most = std::max(most, saved_.size());
    }
    EXPECT_GT(most, records / 2);
}

TEST_F(ProvenTest, TablesThatAreDamagedThemselvesCostOnlyTheirRecords) {
    make_store();
    change("DROP TABLE tokens; DROP VIEW plays");
    EXPECT_THAT(save(), ElementsAre("record 1 (token): it can't be read",
                                    "record 24 (token): it can't be read"));
    make_store();
    change("PRAGMA user_version = 3");
    EXPECT_THAT(save(), IsEmpty()) << "its tables tell what it is";
    change("DROP TABLE tokens");
    EXPECT_THAT(save(), ElementsAre(HasSubstr("is a store of version 3")));
}

TEST_F(ProvenTest, WhatIsNoStoreIsRefused) {
    EXPECT_THAT(save(), ElementsAre(HasSubstr("there is no such store")));
    std::ofstream(path()) << std::string(5000, 'x');
    EXPECT_THAT(save(), ElementsAre(HasSubstr("is no store of the referee's")));
    std::filesystem::remove(path());
    Database(path(), Database::Access::write, {}).execute("CREATE TABLE somebodys (thing)");
    EXPECT_THAT(save(), ElementsAre(HasSubstr("somebody else's database")));
}

}  // namespace
}  // namespace referee::store
