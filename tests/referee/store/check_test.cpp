#include <gmock/gmock.h>

#include <fstream>

#include "referee/store/committer.h"
#include "tests/referee/store/store_room.h"

// What becomes of a store whose damage shows at its opening, and of one whose damage shows while it
// is in use.

namespace referee::store {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CheckTest : public StoreRoom {
 protected:
    void make_store() { filled(); }
    // All that the check tells until its end.
    StoreCheck checked(Store& store) {
        std::optional<StoreCheck> last;
        store.check_all([&last](const StoreCheck& check) { last = check; });
        run_while([&] { return !last || !(last->is_over || last->damages_total > 0); });
        return *last;
    }
    std::string refusal() {
        const auto result = try_open();
        if (result) return "was opened";
        EXPECT_EQ(result.error().trouble, StoreTrouble::corrupt);
        return result.error().message;
    }
    static StoreOptions quick() { return {.check_pause = std::chrono::milliseconds(1)}; }
};

TEST_F(CheckTest, AWholeStoreIsToldToBeWhole) {
    make_store();
    const auto store = opened(quick());
    append(*store, {numbered(1)});
    run_until_told(2);
    const auto check = checked(*store);
    EXPECT_TRUE(check.is_over);
    EXPECT_EQ(check.records, sample_records().size()) << "what this run wrote is not read again";
    EXPECT_EQ(check.records_in_all, check.records);
    EXPECT_EQ(check.damages_total, 0U);
    append(*store, {numbered(2)});
    run_until_told(3);
    EXPECT_EQ(told_.back(), "");
}

TEST_F(CheckTest, ADamagedReplayIsToldAndAllGoesOn) {
    make_store();
    const auto store = opened(quick());
    change("UPDATE replays SET bytes = bytes + 1 WHERE seq = 12");
    const auto check = checked(*store);
    ASSERT_EQ(check.damages.size(), 1U);
    EXPECT_EQ(check.damages[0].seq, 12U);
    EXPECT_FALSE(check.damages[0].counts);
    append(*store, {numbered(1)});
    run_until_told(2);
    EXPECT_EQ(told_.back(), "") << "no result depends on it";
}

TEST_F(CheckTest, ADamagedRecordEndsTheWriting) {
    make_store();
    const auto store = opened(quick());
    std::string trouble;
    store->watch([&trouble](const records::JournalTrouble& now) { trouble = now.trouble; });
    change("UPDATE entries SET rating = 7 WHERE seq = 4");
    const auto check = checked(*store);
    ASSERT_EQ(check.damages.size(), 1U);
    EXPECT_TRUE(check.damages[0].counts);
    append(*store, {numbered(1)});
    run_until_told(2);
    const auto words = AllOf(HasSubstr("record 4 (entry) is another one than was written"),
                             HasSubstr("export " + path() + " --skip-damaged"));
    EXPECT_THAT(told_.back(), words);
    EXPECT_THAT(trouble, words);
}

TEST_F(CheckTest, AStoreWhoseLastRecordsAreDamagedIsNotOpened) {
    make_store();
    change("UPDATE states SET reason = 'another' WHERE seq = 31");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("record 31 (state) is another one"),
                                 HasSubstr("referee store verify " + path())));
    EXPECT_FALSE(std::filesystem::exists(path() + ".head")) << "nothing was begun";
}

TEST_F(CheckTest, ARecordThatIsMissingOrAddedOrMovedIsTold) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"DELETE FROM states WHERE seq = 31", "record 31 (state) is missing"},
        {"DELETE FROM chain WHERE seq = 20", "record 20 is in the table pairings but no pairing"},
        {"INSERT INTO states VALUES (32, 1, 'friday', 'running', '')",
         "record 32 is in the table states but no state"},
        {"UPDATE states SET time_ms = time_ms + 1 WHERE seq = 31", "or has another time"},
        {"INSERT INTO game_seats (seq, seat, bot) VALUES (99, 0, 'eve')",
         "record 99 is in the table game_seats but no game"},
        {"INSERT INTO drop_bots VALUES (31, 0, 'eve')",
         "record 31 is in the table drop_bots but no drop"},
        {"UPDATE game_seats SET seat = seat + 2 WHERE seq = 12", "of a kind that no store writes"},
        {"UPDATE pairings SET bye = 'dan' WHERE seq = 9", "in its column bye"},
        {"UPDATE chain_origin SET origin = 'old'", "record 1 (token) does not fit"},
        {"DROP INDEX bye_of_bot", "tables, indexes or views"},
        {"PRAGMA user_version = 3", "its header says another version"},
        {"PRAGMA application_id = 3", "its header says another version, or another program"},
    };
    for (const auto& [sql, words] : cases) {
        remove_store();
        make_store();
        change(sql);
        const auto count = [](const StoredRecord& /*record*/) {};
        auto reader = StoreReader::open(path());
        const auto error =
            reader ? reader->history(count, StoreReader::Replays::read).error() : reader.error();
        EXPECT_EQ(error.trouble, StoreTrouble::corrupt) << sql;
        EXPECT_THAT(error.message, HasSubstr(words)) << sql;
        const auto store = try_open();
        EXPECT_FALSE(store && (*store)->history(count)) << sql << " where it is opened to go on";
    }
}

TEST_F(CheckTest, AStoreThatEndsBeforeItsHeadIsRefusedAndLeftAsItIs) {
    make_store();
    const auto tip = this->tip();
    HeadFile::make(path(), tip);
    opened();
    EXPECT_FALSE(std::filesystem::exists(path() + ".head")) << "an orderly end needs none";
    HeadFile::make(path(), {tip.seq + 3, tip.link});
    EXPECT_THAT(refusal(), AllOf(HasSubstr("it ends with record 31, but record 34 had been"),
                                 HasSubstr("export " + path() + " --skip-damaged")));
    EXPECT_THAT(read_lines().back(), HasSubstr("it ends with record 31"));
    HeadFile::make(path(), {tip.seq, {}});
    EXPECT_THAT(refusal(), HasSubstr("record 31 is another one than was written and told"));
    EXPECT_TRUE(std::filesystem::exists(path() + ".head"));
}

TEST_F(CheckTest, AHeadThatWasBeingWrittenIsGoodAndADamagedOneIsTold) {
    make_store();
    const auto tip = this->tip();
    const auto head = path() + ".head";
    constexpr int place = 512;
    for (const int torn : {0, place}) {
        HeadFile::make(path(), tip);
        std::fstream(head, std::ios::in | std::ios::out).seekp(torn + 9) << "zz";
        const auto read = HeadFile::read(path());
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(**read, tip);
    }
    std::fstream(head, std::ios::in | std::ios::out).seekp(9) << "zz";
    EXPECT_THAT(refusal(), AllOf(HasSubstr(".head is damaged"), HasSubstr("referee store verify")));
    EXPECT_THAT(read_lines().back(), HasSubstr(".head is damaged"));
    std::filesystem::remove(head);
    EXPECT_NE(opened(), nullptr);
}

TEST_F(CheckTest, AHeadNamesTheLastRecordThatWasTold) {
    const auto store = opened();
    for (int i = 1; i <= 3; ++i) {
        append(*store, {numbered(i), numbered(i + 100)});
        run_until_told(static_cast<std::size_t>(i));
        const auto head = HeadFile::read(path());
        ASSERT_TRUE(head);
        ASSERT_TRUE(*head);
        EXPECT_EQ((*head)->seq, static_cast<std::uint64_t>(2 * i));
    }
}

TEST_F(CheckTest, AStoreWhoseLogIsGoneIsTheSameToReadersAndWriters) {
    change("PRAGMA journal_mode = WAL");
    std::filesystem::permissions(
        path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    HeadFile::make(path(), {107, {}});
    const auto words = HasSubstr("it holds nothing, but record 107 had been written and told");
    EXPECT_THAT(refusal(), words);
    const auto reader = StoreReader::open(path());
    ASSERT_FALSE(reader);
    EXPECT_EQ(reader.error().trouble, StoreTrouble::corrupt);
    EXPECT_THAT(reader.error().message, words);
}

TEST_F(CheckTest, WhatNoRefereeMadeIsTold) {
    make_store();
    change("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM chain; END");
    EXPECT_THAT(refusal(), HasSubstr("the schema has what no referee made: trigger t"));
    change("DROP TRIGGER t; ANALYZE");
    EXPECT_NE(opened(), nullptr) << "what SQLite keeps for itself is no damage";
}

TEST_F(CheckTest, FilesThatLoseTheirNamesWhileTheyAreInUseAreTold) {
    for (const auto* ending : {"", "-wal"}) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directory(folder_);
        make_store();
        auto options = quick();
        options.look_pause = std::chrono::milliseconds(1);
        const auto store = opened(options);
        StoreCheck last;
        store->check_all([&last](const StoreCheck& check) { last = check; });
        run_while([&] { return !last.is_over; });
        ASSERT_EQ(last.damages_total, 0U);
        std::filesystem::rename(path() + ending, path("elsewhere"));
        run_while([&] { return last.damages_total == 0; });
        const auto words =
            HasSubstr(path() + ending + " was removed or renamed while it is in use");
        EXPECT_THAT(last.damages[0].what, words);
        const auto before = told_.size();
        append(*store, {numbered(1)});
        run_until_told(before + 1);
        EXPECT_THAT(told_.back(),
                    AllOf(words, HasSubstr("name the new ones"), Not(HasSubstr("store verify"))))
            << "nothing is written where nobody finds it; the file itself is whole";
    }
}

}  // namespace
}  // namespace referee::store
