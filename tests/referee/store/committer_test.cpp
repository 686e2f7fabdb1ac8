#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "referee/store/archive.h"
#include "referee/store/check.h"
#include "referee/store/committer.h"
#include "tests/referee/store/store_room.h"

namespace referee::store {
namespace {

using namespace records;
using testing::ElementsAre;

class ReplayBoundTest : public StoreRoom {
 protected:
    // A tournament's game, then three of a ladder.
    void make_store() {
        const auto store = opened();
        append(*store, {OpeningRecord{"friday", R"({"format":{"kind":"swiss"}})", "0.1.0"},
                        OpeningRecord{"lab", R"({"format":{"kind":"ladder"}})", "0.1.0"},
                        sample_game(1), of_ladder(1), of_ladder(2), of_ladder(3)});
        run_until_told(1);
    }
    static GameRecord of_ladder(std::uint64_t match) {
        auto game = sample_game(match);
        game.result.key.tournament = "lab";
        return game;
    }
    std::uint64_t packed_bytes() const {
        Database database(path(), Database::Access::read, {});
        return static_cast<std::uint64_t>(
            database.integer("SELECT sum(length(zlib)) FROM replays"));
    }
    // Opens the store and writes a record, so that it is looked at.
    DroppedReplays kept_within(std::uint64_t bytes) {
        DroppedReplays all;
        auto store = opened({.replay_bytes_max = bytes, .on_dropped = [&all](const auto& dropped) {
                                 all.of_ladders += dropped.of_ladders;
                                 all.of_others += dropped.of_others;
                             }});
        append(*store, {numbered(1)});
        store.reset();
        loop_.restart();
        loop_.run();
        return all;
    }
    // Of each game: "there", or "dropped".
    std::vector<std::string> replays() {
        std::vector<std::string> found;
        auto reader = StoreReader::open(path());
        for (const auto& key : {sample_game(1).result.key, of_ladder(1).result.key,
                                of_ladder(2).result.key, of_ladder(3).result.key}) {
            const auto replay = reader->replay(key);
            const bool dropped = !replay && replay.error().trouble == StoreTrouble::dropped;
            found.emplace_back(dropped ? "dropped" : replay && *replay ? "there" : "missing");
        }
        return found;
    }
    std::uint64_t dropped_by_check() {
        Database database(path(), Database::Access::read, {});
        RecordCheck check(database, RecordCheck::Depth::whole_file);
        while (!check.is_over()) check.go_on(100);
        EXPECT_TRUE(check.seen().damages.empty()) << check.seen().damages.front().what;
        return check.seen().replays_dropped;
    }
};

TEST_F(ReplayBoundTest, TheOldestOfLaddersGoFirstAndOthersOnlyWhenNoneIsLeft) {
    make_store();
    EXPECT_FALSE(kept_within(packed_bytes()).any());
    EXPECT_EQ(kept_within(packed_bytes() - 1).of_ladders, 1U);
    EXPECT_THAT(replays(), ElementsAre("there", "dropped", "there", "there"));
    EXPECT_FALSE(kept_within(packed_bytes()).any()) << "what was dropped takes no room";
    EXPECT_EQ(kept_within(1).of_others, 1U);
    EXPECT_THAT(replays(), ElementsAre("dropped", "dropped", "dropped", "dropped"));
    EXPECT_EQ(packed_bytes(), 0U);
}

TEST_F(ReplayBoundTest, AStoreIsWholeWithoutTheReplaysThatWereDropped) {
    make_store();
    const auto before = read_lines();
    EXPECT_EQ(kept_within(packed_bytes() - 1).of_ladders, 1U);
    EXPECT_EQ(dropped_by_check(), 1U);
    const auto after = read_lines();
    EXPECT_EQ(after[2], before[2]);
    EXPECT_THAT(after[3], testing::HasSubstr("\"replay_sha256\":\""));
    // An archive has the digest in the replay's place: its links are the same, there and back.
    const auto archive = exported(path());
    std::istringstream in(archive);
    ASSERT_TRUE(import_archive(in, "archive", path("again.store")));
    EXPECT_EQ(exported(path("again.store")), archive);
    std::ostringstream proven;
    const auto saved = export_proven(path(), proven);
    EXPECT_TRUE(saved->left_out.empty());
    EXPECT_EQ(proven.str(), archive);
}

TEST_F(ReplayBoundTest, NewReplaysTakeTheRoomOfShortOnesThatWereDropped) {
    constexpr std::uint64_t games = 200;
    {
        const auto store = opened();
        append(*store, {OpeningRecord{"lab", R"({"format":{"kind":"ladder"}})", "0.1.0"}});
        std::minstd_rand random(1);
        for (std::uint64_t match = 1; match <= games; ++match) {
            auto game = of_ladder(match);
            std::generate_n(std::back_inserter(game.replay), 1000,
                            [&random] { return static_cast<char>('a' + random() % 26); });
            append(*store, {std::move(game)});
        }
        run_until_told(games + 1);
    }
    const auto packed = packed_bytes();
    ASSERT_GT(packed, games * 500);
    EXPECT_EQ(kept_within(1).of_ladders, games);
    Database database(path(), Database::Access::read, {});
    const auto free =
        database.integer("PRAGMA freelist_count") * database.integer("PRAGMA page_size");
    EXPECT_GT(static_cast<std::uint64_t>(free), packed / 2);
}

TEST_F(ReplayBoundTest, AReplayThatVanishesOtherwiseIsDamage) {
    make_store();
    {
        Database database(path(), Database::Access::write, {});
        database.execute("UPDATE replays SET zlib = x'', sha256 = zeroblob(32) WHERE seq = 4");
    }
    auto reader = StoreReader::open(path());
    EXPECT_EQ(reader->replay(of_ladder(1).result.key).error().trouble, StoreTrouble::corrupt);
}

}  // namespace
}  // namespace referee::store
