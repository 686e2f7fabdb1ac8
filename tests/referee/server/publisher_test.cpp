#include "referee/server/publisher.h"
#include "referee/report/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/folder_of_test.h"
#include "tests/sim/world.h"

namespace referee::server {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

// Work beside the loop that is done when the test says so.
class HeldBackground final : public loop::Background {
 public:
    void run(Work work, Work done) override {
        pieces_.emplace_back(std::move(work), std::move(done));
    }
    std::size_t waiting() const { return pieces_.size(); }
    void work_one() {
        const auto piece = std::move(pieces_.front());
        pieces_.pop_front();
        piece.first();
        piece.second();
    }

 private:
    std::deque<std::pair<Work, Work>> pieces_;
};

class PublisherTest : public ::testing::Test {
 protected:
    PublisherTest() {
        const report::OutputFolder output(folder_, false);
        EXPECT_TRUE(output.prepare({{"a"}, {"b"}}));
        publisher_ = std::make_unique<Publisher>(
            output, world_.referee(), Publisher::Beside{standings_, games_},
            [this](const std::string& tournament) {
                taken_.push_back(tournament);
                return snapshot(tournament);
            },
            [](const std::string& /*tournament*/) { return true; },
            [this](const std::string& message) { troubles_.push_back(message); });
    }

    contests::ContestSnapshot snapshot(const std::string& tournament) const {
        config::TournamentConfig config;
        config.id = tournament;
        config.game = "walls";
        contests::ContestSnapshot made;
        made.config = std::make_shared<const config::TournamentConfig>(config);
        made.entries = std::make_shared<const std::vector<formats::Entry>>(
            std::vector<formats::Entry>{{.name = leader_}, {.name = "bob"}});
        made.withdrawn = made.left_early = std::make_shared<const contests::Withdrawn>();
        return made;
    }
    std::string text_of(const std::string& file) const { return made_.read(file); }
    static GameKey key(std::uint64_t match) { return {"a", match, 1, 1}; }

    const tests::FolderOfTest made_;
    const std::string& folder_ = made_.path;
    tests::sim::World world_{1};
    HeldBackground standings_;
    HeldBackground games_;
    std::string leader_ = "ann";
    std::vector<std::string> taken_;
    std::vector<std::string> troubles_;
    std::unique_ptr<Publisher> publisher_;
};

TEST_F(PublisherTest, TheLoopWritesNothing) {
    publisher_->changed("a");
    publisher_->replay(key(1), "the replay");
    world_.pass(1s);
    EXPECT_EQ(standings_.waiting(), 1U);
    EXPECT_EQ(games_.waiting(), 2U) << "the replay, and its page";
    EXPECT_EQ(text_of("a/standings.txt") + text_of("a/games/a_1.1.ndjson"), "");
    standings_.work_one();
    games_.work_one();
    EXPECT_THAT(text_of("a/standings.txt"), HasSubstr("ann"));
    EXPECT_EQ(text_of("a/games/a_1.1.ndjson"), "the replay");
}

TEST_F(PublisherTest, TheNewestIsWrittenAndOneAtATime) {
    publisher_->standings("a");
    for (int i = 0; i < 3; ++i) {
        publisher_->changed("a");
        publisher_->standings("b");
        publisher_->standings("a");
    }
    world_.pass(10s);
    EXPECT_EQ(standings_.waiting(), 1U) << "a drawing that is due now waits for one at most";
    leader_ = "eve";
    standings_.work_one();
    EXPECT_THAT(text_of("a/standings.txt"), HasSubstr("ann")) << "as it stood when its turn came";
    standings_.work_one();
    EXPECT_THAT(text_of("a/standings.txt"), HasSubstr("eve"));
    standings_.work_one();
    EXPECT_EQ(standings_.waiting(), 0U);
    EXPECT_THAT(taken_, ElementsAre("a", "a", "b"));
}

// What changes during the writing is written after the gap, not at once and not never, however long
// the writing took.
TEST_F(PublisherTest, ChangesMeanwhileAreWrittenLater) {
    publisher_->changed("a");
    world_.pass(1ms);
    publisher_->changed("a");
    world_.pass(1min);
    EXPECT_EQ(standings_.waiting(), 1U);
    standings_.work_one();
    world_.pass(1s);
    EXPECT_EQ(standings_.waiting(), 0U);
    world_.pass(20s);
    EXPECT_EQ(standings_.waiting(), 1U);
}

TEST_F(PublisherTest, TheEndWaitsForTheLast) {
    bool written = false;
    publisher_->standings("a");
    publisher_->replay(key(1), "one");
    publisher_->replay(key(2), "two");
    publisher_->standings("b");
    publisher_->when_written([&] { written = true; });
    for (int i = 0; i < 2; ++i) {
        EXPECT_FALSE(written);
        standings_.work_one();
    }
    for (int i = 0; i < 4; ++i) {  // each game's replay, and its page
        EXPECT_FALSE(written);
        games_.work_one();
    }
    EXPECT_TRUE(written);
    EXPECT_THAT(text_of("b/standings.txt"), HasSubstr("ann"));
    EXPECT_EQ(text_of("a/games/a_2.1.ndjson"), "two");
    bool again = false;
    publisher_->when_written([&] { again = true; });
    EXPECT_TRUE(again) << "nothing is due";
}

TEST_F(PublisherTest, MoreThanMayWaitIsWrittenAtOnce) {
    const std::string large(file_bytes_waiting_max / 2, 'x');
    publisher_->replay(key(1), large);
    publisher_->replay(key(2), large);
    publisher_->replay(key(3), "small");
    EXPECT_EQ(games_.waiting(), 3U) << "two replays and a page";
    EXPECT_EQ(text_of("a/games/a_3.1.ndjson"), "small");
    games_.work_one();
    publisher_->replay(key(4), "small");
    EXPECT_EQ(games_.waiting(), 3U) << "there is room again";
}

TEST_F(PublisherTest, WhatCannotBeWrittenIsToldOnce) {
    std::filesystem::remove_all(folder_);
    publisher_->standings("a");
    publisher_->replay(key(1), "one");
    standings_.work_one();
    ASSERT_EQ(troubles_.size(), 1U);
    EXPECT_THAT(troubles_[0], HasSubstr("standings.json: can't be written"));
    publisher_->standings("a");
    standings_.work_one();
    EXPECT_EQ(troubles_.size(), 1U);
    games_.work_one();
    EXPECT_EQ(troubles_.size(), 2U);
}

TEST_F(PublisherTest, FilesLackUntilTheyAreWritten) {
    std::filesystem::remove_all(folder_);
    publisher_->standings("a");
    standings_.work_one();
    EXPECT_TRUE(publisher_->lacks_files());
    EXPECT_TRUE(report::OutputFolder(folder_, false).prepare({{"a"}}));
    publisher_->standings("a");
    standings_.work_one();
    EXPECT_FALSE(publisher_->lacks_files());
    std::filesystem::remove_all(folder_);
    publisher_->replay(key(1), "one");
    games_.work_one();
    EXPECT_TRUE(publisher_->lacks_files()) << "nobody writes it again";
}

// A page is made by playing the game again: never on the loop, one at a time, and what can't be
// shown is told in its place.
TEST_F(PublisherTest, PagesOfGamesAreMadeOneAfterTheOther) {
    const std::string replay =
        R"({"replay":1,"game_id":"a/1.1","game":"walls","seed":1,"params":{"size":5},)"
        R"("bots":["ann","bob"]})"
        "\n"
        R"({"result":{"status":"interrupted","outcome":null,"turns":0,"faults":[],"faults_total":0}})"
        "\n";
    publisher_->replay(key(1), replay);
    publisher_->replay(key(2), "no replay");
    EXPECT_EQ(games_.waiting(), 3U);
    while (games_.waiting() > 0) games_.work_one();
    EXPECT_THAT(text_of("a/page/games/a_1.1.js"), testing::StartsWith("packed_showing(\""));
    EXPECT_THAT(text_of("a/page/games/a_2.1.js"), testing::StartsWith("no_showing(\""));
    EXPECT_THAT(text_of("a/index.html"), HasSubstr("page/viewer.js"));
    EXPECT_THAT(text_of("index.html"), HasSubstr("href=\"b/index.html\""));
    publisher_->standings("a");
    standings_.work_one();
    EXPECT_THAT(text_of("a/page/standings.js"),
                testing::StartsWith("standings({\"tournament\":\"a\""));
    EXPECT_THAT(text_of("a/page/pairings.js"), testing::StartsWith("pairings({"));
    EXPECT_THAT(text_of("a/page/crosstable.js"), testing::StartsWith("crosstable({"));
    EXPECT_TRUE(troubles_.empty());
}

// Bots of a ladder may write for ever.
TEST_F(PublisherTest, OfDebugTextsTheNewestAreKept) {
    const report::OutputFolder output(folder_, false);
    const std::string text(report::debug_file_bytes_max, 'x');
    const auto now = std::filesystem::file_time_type::clock::now();
    const auto kept = report::debug_kept_bytes_max / report::debug_file_bytes_max;
    for (std::size_t match = 1; match <= kept + 2; ++match) {
        ASSERT_TRUE(output.write_debug(key(match), "ann", text));
        std::filesystem::last_write_time(output.debug_file(key(match), "ann"), now + match * 1s);
        output.drop_old_debug("a", "ann");
    }
    ASSERT_TRUE(output.write_debug(key(1), "bob", text));
    const auto others = [](const std::filesystem::path& path) {
        return status(path).permissions() & std::filesystem::perms::others_all;
    };
    const std::filesystem::path file = output.debug_file(key(1), "bob");
    EXPECT_EQ(others(file), std::filesystem::perms::none) << "not for every user of the machine";
    EXPECT_EQ(others(file.parent_path().parent_path()), std::filesystem::perms::none);
    for (std::size_t match = 1; match <= kept + 2; ++match)
        EXPECT_EQ(std::filesystem::exists(output.debug_file(key(match), "ann")), match > 2)
            << match;
    EXPECT_TRUE(std::filesystem::exists(output.debug_file(key(1), "bob")));
}

// Replays that a store finds only after the loop has ended are not lost either.
TEST_F(PublisherTest, WritesAtOnceWhenClosed) {
    publisher_->changed("a");
    publisher_->close();
    publisher_->replay(key(1), "late");
    EXPECT_EQ(text_of("a/games/a_1.1.ndjson"), "late");
    world_.pass(1min);
    EXPECT_EQ(standings_.waiting(), 0U);
}

}  // namespace
}  // namespace referee::server
