#include <gmock/gmock.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "tests/referee/store/store_room.h"

namespace referee::store {
namespace {

using namespace records;
using testing::Each;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::SizeIs;

TEST_F(StoreRoom, WhatIsToldStandsThereForOtherProcesses) {
    const auto store = filled();
    EXPECT_THAT(told_, SizeIs(0)) << "never from inside append()";
    run_until_told(1);
    EXPECT_THAT(told_, Each(""));
    EXPECT_THAT(read_lines(), ElementsAreArray(lines_of(sample_records())));
}

TEST_F(StoreRoom, TellsInTheOrderOfTheCalls) {
    constexpr int count = 500;
    const auto store = opened({.batch_records_max = 7});
    std::vector<int> order;
    std::vector<Record> all;
    for (int i = 0; i < count; ++i) {
        all.push_back(numbered(i));
        store->append({numbered(i)}, [&, i](const records::Committed& committed) {
            EXPECT_TRUE(committed);
            order.push_back(i);
            told_.emplace_back();
        });
    }
    run_until_told(count);
    for (int i = 0; i < count; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
    EXPECT_THAT(read_lines(), ElementsAreArray(lines_of(all)));
}

TEST_F(StoreRoom, HistoryIsInOrderWithNumbersTimesAndNoReplays) {
    for (int round = 0; round < 2; ++round) {
        const auto store = filled();
        run_until_told(static_cast<std::size_t>(round) + 1);
    }
    const auto store = opened();
    std::vector<std::string> lines;
    std::uint64_t last = 0;
    std::int64_t last_time = 0;
    const auto read = store->history([&](const StoredRecord& stored) {
        EXPECT_EQ(stored.seq, last + 1) << "one sequence without gaps";
        EXPECT_GE(stored.time_ms, last_time);
        last = stored.seq;
        last_time = stored.time_ms;
        lines.push_back(line_of(stored.record));
    });
    EXPECT_TRUE(read);
    auto expected = lines_without_replays(sample_records());
    for (const auto& record : sample_records()) {
        if (identity(record).empty()) expected.push_back(line_of(record));
    }
    EXPECT_THAT(lines, ElementsAreArray(expected)) << "the second time only what has no key";
    EXPECT_GT(last_time, 1'700'000'000'000);
}

TEST_F(StoreRoom, ReplaysAreFound) {
    const auto store = opened();
    const auto game = sample_game(3, 2);
    append(*store, {game});
    std::vector<std::string> found;
    const auto note = [&](const FoundReplay& replay) {
        ASSERT_TRUE(replay);
        found.push_back(replay->value_or("none"));
        told_.emplace_back();
    };
    run_until_told(1);
    store->replay(game.result.key, note);
    store->replay({"friday", 3, 1, 1}, note);
    EXPECT_THAT(found, SizeIs(0));
    run_until_told(3);
    EXPECT_THAT(found, testing::ElementsAre(game.replay, "none"));
    auto reader = StoreReader::open(path());
    EXPECT_EQ(reader->replay(game.result.key).value(), game.replay);
}

TEST_F(StoreRoom, ClosingCommitsAllAndLeavesOneFile) {
    {
        const auto store = opened();
        for (int i = 0; i < 10; ++i) append(*store, {numbered(i)});
        EXPECT_TRUE(std::filesystem::exists(path() + ".reserve"));
    }
    EXPECT_THAT(told_, SizeIs(0)) << "on the loop's thread only";
    loop_.run();
    EXPECT_THAT(told_, SizeIs(10));
    EXPECT_THAT(told_, Each(""));
    EXPECT_THAT(read_lines(), SizeIs(10));
    EXPECT_FALSE(std::filesystem::exists(path() + ".reserve"));
    EXPECT_FALSE(std::filesystem::exists(path() + "-wal") &&
                 std::filesystem::file_size(path() + "-wal") > 0);
}

TEST_F(StoreRoom, TheLogIsMovedIntoTheFileNowAndThen) {
    const auto store = opened();
    constexpr std::size_t rounds = 12;
    constexpr std::size_t text_bytes = 4'000'000;
    for (std::size_t i = 0; i < rounds; ++i) {
        append(*store,
               {StateRecord{"friday", TournamentState::paused, std::string(text_bytes, 'x')}});
        run_until_told(i + 1);
    }
    append(*store, {});
    run_until_told(rounds + 1);
    EXPECT_LT(std::filesystem::file_size(path() + "-wal"), 7 * text_bytes);
    EXPECT_GT(std::filesystem::file_size(path()), 5 * text_bytes);
}

TEST_F(StoreRoom, SomebodyElsesOpenTransactionIsWaitedFor) {
    const auto store = opened({.retry_after = std::chrono::milliseconds(5)});
    std::vector<std::string> troubles;
    store->watch([&](const JournalTrouble& told) { troubles.push_back(told.trouble); });
    append(*store, {numbered(1)});
    run_until_told(1);
    Database other(path(), Database::Access::write, {});
    other.execute("BEGIN IMMEDIATE");
    append(*store, {numbered(2)});
    run_while([&] { return troubles.empty(); });
    EXPECT_THAT(troubles.at(0), HasSubstr("written by another program"));
    EXPECT_THAT(told_, SizeIs(1));
    other.roll_back();
    run_until_told(2);
    run_while([&] { return troubles.size() < 2; });
    EXPECT_EQ(troubles.at(1), "");
    EXPECT_THAT(told_, Each(""));
    EXPECT_THAT(read_lines(), SizeIs(2));
}

constexpr std::uint64_t megabyte = 1024 * 1024;

// On a file system of a few megabytes, in memory.
class DiskFullTest : public StoreRoom {
 protected:
    void SetUp() override {
        if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=16m") != 0)
            GTEST_SKIP() << "can't mount a small tmpfs: not root?";
        mounted_ = true;
    }
    void TearDown() override {
        if (mounted_) umount2(folder_.c_str(), MNT_DETACH);
    }
    StoreOptions small() const {
        StoreOptions options;
        options.reserved_bytes = 2 * megabyte;
        options.retry_after = std::chrono::milliseconds(5);
        return options;
    }
    // Fills the disk except for so many bytes.
    void fill(std::uint64_t leave) const {
        make_room();
        const auto room = std::filesystem::space(folder_).available;
        std::ofstream file(folder_ / "filler", std::ios::binary);
        const std::string block(4096, 'x');
        for (std::uint64_t done = 0; done + block.size() + leave <= room; done += block.size())
            file << block;
    }
    void make_room() const { std::filesystem::remove(folder_ / "filler"); }
    void run_until(const std::function<bool()>& good) {
        run_while([&good] { return !good(); });
    }

    bool mounted_ = false;
};

TEST_F(DiskFullTest, NothingIsLostAndItGoesOnWhenThereIsRoom) {
    auto store = opened(small());
    ASSERT_TRUE(std::filesystem::exists(path() + ".reserve"));
    std::vector<std::string> troubles;
    store->watch([&](const JournalTrouble& told) { troubles.push_back(told.trouble); });
    fill(0);
    // Into the room of the reserve, and beyond.
    std::vector<Record> all;
    constexpr int count = 40;
    constexpr std::size_t bytes = 100'000;
    for (int i = 0; i < count; ++i) {
        all.emplace_back(StateRecord{"friday", TournamentState::paused,
                                     std::string(bytes, static_cast<char>('a' + i % 26))});
        append(*store, {all.back()});
        if (i == 0) run_until([&] { return !troubles.empty() && !told_.empty(); });
    }
    EXPECT_THAT(troubles.at(0), testing::AllOf(HasSubstr("disk full"), HasSubstr("4 MB needed")));
    EXPECT_FALSE(std::filesystem::exists(path() + ".reserve"));
    EXPECT_EQ(told_.at(0), "") << "the reserve's room is used";
    EXPECT_LT(told_.size(), static_cast<std::size_t>(count));
    make_room();
    run_until(
        [&] { return told_.size() == static_cast<std::size_t>(count) && troubles.back().empty(); });
    EXPECT_THAT(told_, Each(""));
    EXPECT_TRUE(std::filesystem::exists(path() + ".reserve")) << "for the next time";
    EXPECT_THAT(read_lines(), ElementsAreArray(lines_of(all)));
    append(*store, {numbered(1)});
    run_until_told(static_cast<std::size_t>(count) + 1);
    EXPECT_EQ(told_.back(), "");
}

TEST_F(DiskFullTest, AMakingWithoutRoomSaysSoAndLeavesNothing) {
    fill(0);
    const auto result = try_open(small());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().trouble, StoreTrouble::disk_full);
    EXPECT_THAT(result.error().message, HasSubstr("make room on its file system"));
    make_room();
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    EXPECT_NE(opened(small()), nullptr);
}

TEST_F(DiskFullTest, WhatWasNotWrittenWhenTheProcessEndsIsTold) {
    auto store = opened(small());
    fill(0);
    append(*store,
           {StateRecord{"friday", TournamentState::paused, std::string(6 * megabyte, 'x')}});
    append(*store, {numbered(1)});
    store.reset();
    loop_.run();
    ASSERT_THAT(told_, SizeIs(2));
    EXPECT_THAT(told_, Each(HasSubstr("disk full")));
    make_room();
    EXPECT_THAT(read_lines(), SizeIs(0));
}

TEST_F(DiskFullTest, OpeningTakesTheReservedRoomAndElseSaysSo) {
    {
        auto store = opened(small());
        append(*store, sample_records());
        run_until_told(1);
    }
    std::ofstream(path() + ".reserve") << std::string(2 * megabyte, 'b');
    fill(0);
    { EXPECT_NE(opened(small()), nullptr) << "a process that was killed has left its reserve"; }
    fill(0);
    const auto result = try_open(small());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().trouble, StoreTrouble::disk_full) << result.error().message;
    make_room();
    EXPECT_THAT(read_lines(), ElementsAreArray(lines_of(sample_records())));
}

}  // namespace

}  // namespace referee::store
