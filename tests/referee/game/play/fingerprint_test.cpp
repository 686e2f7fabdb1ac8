// Which games are the same one played again.

#include <gtest/gtest.h>

#include <array>

#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

constexpr std::array<const char*, 5> five_moves{"\"R\"", "\"R\"", "\"F\"", "\"L\"", "\"F\""};

// Plays to the end; `other_at` is a turn in which another move is made.
GameResult played(PlaySetup setup, std::size_t other_at = SIZE_MAX) {
    PlayDriver driver(std::move(setup));
    driver.begin();
    for (std::size_t i = 0; !driver.play.finished(); ++i) {
        const auto* move = i == other_at ? "\"X\"" : five_moves[i % five_moves.size()];
        driver.moves(driver.play.awaits(0) ? 0 : 1, move);
    }
    return driver.play.result();
}

TEST(Fingerprint, IsThatOfWhatHappened) {
    const auto first = played(walls_setup()).fingerprint;
    EXPECT_EQ(first.size(), 16U);
    auto again = walls_setup();
    again.key = {"saturday", 3, 2, 4};
    again.seed = 99;  // nothing in this game depends on it
    EXPECT_EQ(played(again).fingerprint, first) << "another match, the same game";
    EXPECT_NE(played(walls_setup(), 2).fingerprint, first) << "another move";
    auto exchanged = walls_setup();
    std::swap(exchanged.bots[0], exchanged.bots[1]);
    EXPECT_NE(played(exchanged).fingerprint, first) << "other seats";
    auto larger = walls_setup();
    larger.params = R"({"size": 5})";
    EXPECT_NE(played(larger).fingerprint, first) << "another setup";
}

TEST(Fingerprint, TimeIsNotPartOfIt) {
    const auto with = [](Duration thought) {
        PlayDriver driver(walls_setup());
        driver.begin();
        driver.sent(0, thought);
        driver.answer(0, "\"R\"", thought + thought);
        driver.misbehaved(1, FaultCode::crashed);
        return driver.play.result();
    };
    EXPECT_NE(with(1ms).used_us, with(9ms).used_us);
    EXPECT_EQ(with(1ms).fingerprint, with(9ms).fingerprint);
}

TEST(Fingerprint, WhoWasTakenOutAndWhenIsPartOfIt) {
    const auto with = [](Seat seat, bool moved) {
        PlayDriver driver(walls_setup());
        driver.begin();
        if (moved) driver.moves(0, "\"R\"");
        driver.misbehaved(seat, FaultCode::crashed);
        return driver.play.result().fingerprint;
    };
    EXPECT_EQ(with(1, true), with(1, true));
    EXPECT_NE(with(1, true), with(1, false));
    EXPECT_NE(with(1, true), with(0, true));
}

TEST(Fingerprint, AStartThatTheSeedMakesIsPartOfIt) {
    const auto with = [](std::uint32_t seed) {
        PlaySetup setup;
        setup.key = {"friday", 12, 1, 1};
        setup.game = games().find("superball");
        setup.params = "{}";
        setup.seed = seed;
        setup.bots = {"alice"};
        setup.clock = clock::completed({.budget = turn_budget});
        PlayDriver driver(std::move(setup));
        driver.start({0});
        return driver.play.result();
    };
    ASSERT_TRUE(counts(with(1).status));
    EXPECT_EQ(with(1).fingerprint, with(1).fingerprint);
    EXPECT_NE(with(1).fingerprint, with(2).fingerprint);
}

TEST(Fingerprint, AGameThatDoesNotCountHasNone) {
    PlayDriver driver(walls_setup());
    driver.begin();
    driver.stop(GameStatus::interrupted, "a stop");
    EXPECT_EQ(driver.play.result().fingerprint, "");
}

}  // namespace
}  // namespace referee::play
