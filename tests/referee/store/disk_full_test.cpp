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
