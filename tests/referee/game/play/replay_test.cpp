#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "referee/game/trace/trace.h"
#include "tests/json.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using Json = nlohmann::json;
using testing::IsEmpty;

// What stays of a game, and the patches from state to state.

std::vector<Json> lines_of(const std::string& replay) {
    std::vector<Json> lines;
    std::istringstream stream(replay);
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
    return lines;
}

void expect_agrees(const Play& play) {
    std::istringstream replay(play.replay());
    const auto checked = trace::check_replay(replay, "replay", games());
    if (!checked) FAIL() << checked.error().message;
    const auto& verdict = *checked;
    EXPECT_THAT(verdict.differences, IsEmpty());
    EXPECT_EQ(verdict.turns, play.result().turns);
    EXPECT_EQ(verdict.game_id, play.id());
}

// A turn's move of seat 0 and of seat 1, by turns: bricks, bad moves, missing ones.
constexpr std::array<const char*, 8> walls_moves{"\"R\"", "\"R\"", "\"F\"", "\"X\"",
                                                 "\"R\"", "\"F\"", "null",  "\"L\""};

TEST(PlayReplayTest, AWholeGame) {
    BegunPlay driver(walls_setup());
    for (std::size_t i = 0; !driver.play.finished(); ++i) {
        driver.moves(driver.play.awaits(0) ? 0 : 1, walls_moves[i % walls_moves.size()]);
    }
    const auto text = driver.play.replay();
    const auto lines = lines_of(text);
    const auto& result = driver.play.result();
    ASSERT_EQ(lines.size(), static_cast<std::size_t>(result.turns) + 2);
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(
        lines.front(),
        Json::parse(R"({"replay": 1, "game_id": "friday/12.1", "tournament": "friday", "match": 12,
        "number": 1, "attempt": 1, "game": "walls", "seed": 7, "params": {"size": 3, "first": 0},
        "bots": ["alice", "bob"],
        "clock": {"kind": "turn", "measure": "wall", "budget_us": 100000, "hard_limit_us": 100000}})"));
    const auto& last = lines.back().at("result");
    EXPECT_EQ(last.at("status"), "played");
    EXPECT_EQ(last.at("turns"), result.turns);
    EXPECT_EQ(last.at("faults").size(), result.faults.size());
    EXPECT_GT(result.faults.size(), 0U);
    EXPECT_EQ(last.at("faults")[0].at("code"), "malformed");
    EXPECT_EQ(last.at("faults")[0].at("evidence").at("received"), "{\"move\":\"X\"}");
    EXPECT_EQ(last.at("outcome").at("placing"), Json(result.outcome.placing));
    expect_agrees(driver.play);
}

TEST(PlayDeltaTest, ASeatThatIsSentWholeStatesHasNoPatches) {
    BegunPlay driver(walls_setup());
    driver.play.keep_deltas(0, true);
    driver.moves(0, "\"R\"");
    driver.play.keep_deltas(0, false);
    driver.moves(1, "\"R\"");
    std::string text;
    driver.play.take_delta(0, text);
    EXPECT_EQ(text, "[]");
}

// A game that has no write_delta of its own, as bots see it that asked for changes.

// Walls, silent about what changed.
class SilentState final : public engines::State {
 public:
    explicit SilentState(std::unique_ptr<State> walls) : walls_(std::move(walls)) {}

    std::size_t seats() const override { return walls_->seats(); }
    engines::Seats to_move() const override { return walls_->to_move(); }
    void apply(std::span<const engines::Answer> answers,
               std::vector<engines::Note>& notes) override {
        walls_->apply(answers, notes);
    }
    void forfeit(Seat seat) override { walls_->forfeit(seat); }
    void write_state(json::Writer& writer) const override { walls_->write_state(writer); }
    engines::CheckResult check(Seat seat, json::View move) const override {
        return walls_->check(seat, move);
    }
    engines::Outcome outcome() const override { return walls_->outcome(); }
    std::string render() const override { return walls_->render(); }
    std::unique_ptr<State> clone() const override {
        return std::make_unique<SilentState>(walls_->clone());
    }

 private:
    std::unique_ptr<State> walls_;
};

class SilentWalls final : public engines::Game {
 public:
    const engines::GameInfo& info() const override { return walls().info(); }
    engines::StartResult start(json::View params, std::uint32_t seed) const override {
        auto started = walls().start(params, seed);
        return std::make_unique<SilentState>(std::move(started).value());
    }
    std::string full_params(json::View params) const override {
        return walls().full_params(params);
    }
    std::optional<std::string> params_for(std::size_t seats) const override {
        return walls().params_for(seats);
    }

 private:
    static const engines::Game& walls() { return *games().find("walls"); }
};

Json taken(PlayDriver& driver, Seat seat) {
    std::string text;
    driver.play.take_delta(seat, text);
    return Json::parse(text);
}

TEST(ComputedDelta, BringsABotThatCameLateToTheSameState) {
    const SilentWalls game;
    auto setup = walls_setup();
    setup.game = &game;
    BegunPlay driver(std::move(setup));
    driver.moves(0, "\"F\"");
    auto known = Json::parse(driver.play.state_text());
    driver.play.keep_deltas(1, true);
    driver.moves(1, "\"R\"");
    driver.moves(0, "\"L\"");
    const auto delta = taken(driver, 1);
    EXPECT_FALSE(delta.empty());
    known = known.patch(delta);
    EXPECT_EQ(known, Json::parse(driver.play.state_text()));

    // Away for a turn, and back.
    driver.play.keep_deltas(1, false);
    driver.moves(1, "\"F\"");
    known = Json::parse(driver.play.state_text());
    driver.play.keep_deltas(1, true);
    driver.misbehaved(0, FaultCode::flooding);
    EXPECT_EQ(known.patch(taken(driver, 1)), Json::parse(driver.play.state_text()));
}

// Which games are the same one played again.

constexpr std::array<const char*, 5> five_moves{"\"R\"", "\"R\"", "\"F\"", "\"L\"", "\"F\""};

// Plays to the end; `other_at` is a turn in which another move is made.
GameResult played(PlaySetup setup, std::size_t other_at = SIZE_MAX) {
    BegunPlay driver(std::move(setup));
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
        BegunPlay driver(walls_setup());
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
        BegunPlay driver(walls_setup());
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
    BegunPlay driver(walls_setup());
    driver.stop(GameStatus::interrupted, "a stop");
    EXPECT_EQ(driver.play.result().fingerprint, "");
}

}  // namespace
}  // namespace referee::play
