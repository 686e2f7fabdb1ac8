// A game that has no write_delta of its own, as bots see it that asked for changes.

#include <gtest/gtest.h>

#include "tests/json.h"
#include "tests/referee/game/play/play_driver.h"

namespace referee::play {
namespace {

using Json = nlohmann::json;

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
    PlayDriver driver(std::move(setup));
    driver.begin();
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

}  // namespace
}  // namespace referee::play
