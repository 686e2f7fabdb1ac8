// Reviews of games whose truth is known: Walls on a board of size 3, solved by trying all moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engines/registry.h"
#include "engines/walls/walls.h"
#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "referee/watch/review/review.h"
#include "sample_bots/cpp/walls/players.h"
#include "tests/engines/conformance/driver.h"

namespace referee::playouts {
namespace {

namespace rules = engines::walls;

constexpr const char* params_text = R"({"size":3,"first":0})";
constexpr std::array moves = {"\"F\"", "\"L\"", "\"R\""};

// Exact on a board of size 3: 15 bits of squares, 11 bits for each player and who is to move.
std::uint64_t key_of(const rules::Position& position) {
    std::uint64_t key = 0;
    for (const char square : position.board())
        key = key * 3 + (rules::brick_letters.find(square) + 1);  // unmarked: npos + 1 == 0
    for (int player = 0; player < rules::players; ++player) {
        const auto& pawn = position.pawn(player);
        key = (key << 4U) | position.index(pawn.at);
        key = (key << 2U) | static_cast<std::uint64_t>(pawn.facing);
        key = (key << 4U) | static_cast<std::uint64_t>(pawn.idle);
    }
    return (key << 1U) | static_cast<std::uint64_t>(position.to_move());
}

double worth_at_end(const engines::State& state) {
    const auto placing = state.outcome().placing;
    return placing[0] == placing[1] ? 0.5 : placing[0] < placing[1] ? 1 : 0;
}

double worth_at_end(const rules::Position& position) {
    const int lead = position.pawn(0).bricks - position.pawn(1).bricks;
    return lead == 0 ? 0.5 : lead > 0 ? 1 : 0;
}

rules::Position position_of(const engines::State& state) {
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(tests::state_text(state)));
    return *bots::walls::read_position(document.root());
}

// What positions of a board of size 3 are worth to the first seat, by trying all moves. Knows
// nothing of reviews.
class Solution {
 public:
    // Where both play as well as can be.
    double perfect(const engines::State& state) {
        if (state.over()) return worth_at_end(state);
        auto position = position_of(state);
        return perfect_at(position);
    }
    // The moves of a perfect player.
    std::vector<std::string> best_moves(const engines::State& state) {
        std::vector<std::string> best;
        const auto value = perfect(state);
        for (const auto* move : moves) {
            const auto next = state.clone();
            tests::play(*next, {move, move});
            if (perfect(*next) == value) best.emplace_back(move);
        }
        return best;
    }

 private:
    double perfect_at(rules::Position& position) {
        if (position.over()) return worth_at_end(position);
        const auto key = key_of(position);
        if (const auto found = perfect_.find(key); found != perfect_.end()) return found->second;
        const bool first_moves = position.to_move() == 0;
        double best = first_moves ? 0 : 1;
        for (const auto move : rules::all_moves) {
            const auto played = position.play(move);
            const auto after = perfect_at(position);
            position.undo(played);
            best = first_moves ? std::max(best, after) : std::min(best, after);
            if (best == (first_moves ? 1 : 0)) break;  // nothing is better
        }
        return perfect_[key] = best;
    }

    std::unordered_map<std::uint64_t, double> perfect_;
};

class SolvedWalls : public testing::Test {
 protected:
    const engines::Game& walls() const { return *registry_.find("walls"); }

    // A whole game of random moves, as a replay.
    std::unique_ptr<showing::ReplayFrames> random_game(std::uint64_t seed) const {
        std::string replay =
            R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":1,"params":)" +
            std::string(params_text) +
            R"(,"bots":["ann","bob"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000}})"
            "\n";
        base::SplitMix random(seed);
        const auto state = tests::start(walls(), params_text);
        while (!state->over()) {
            const std::string move = moves[random.below(moves.size())];
            replay += state->to_move().test(0) ? "{\"moves\":[" + move + ",null]}\n"
                                               : "{\"moves\":[null," + move + "]}\n";
            tests::play(*state, {move, move});
        }
        replay += R"({"result":{"status":"played"}})"
                  "\n";
        auto replay_frames = showing::ReplayFrames::of(replay, "game.ndjson", registry_, {});
        EXPECT_TRUE(replay_frames) << replay_frames.error().message;
        return *std::move(replay_frames);
    }

    engines::Registry registry_;
    Solution solution_;
};

// Playouts by perfect players, who are shown the state itself.
class PerfectPlayouts final : public review::Playouts {
 public:
    explicit PerfectPlayouts(Solution& solution) : solution_(solution) {}

    base::Result<std::vector<review::PlayedOut>, std::string> play(const review::Branch& /*branch*/,
                                                                   const engines::State& from,
                                                                   std::uint64_t first,
                                                                   std::size_t count) override {
        std::vector<review::PlayedOut> played;
        for (std::uint64_t number = first; number < first + count; ++number) {
            base::SplitMix random(number);
            auto state = from.clone();
            std::string course;
            while (!state->over()) {
                const auto best = solution_.best_moves(*state);
                const auto& move = best[random.below(best.size())];
                course += move;
                tests::play(*state, {move, move});
            }
            played.push_back({review::worth_of(state->outcome()), course});
        }
        return played;
    }
    bool cost_much() const override { return false; }

 private:
    Solution& solution_;
};

TEST_F(SolvedWalls, PerfectPlayoutsTellTheSolvedValueAndTheCostOfEachTurn) {
    std::size_t costly = 0;
    for (std::uint64_t game = 0; game < 6; ++game) {
        const auto replay_frames = random_game(game);
        PerfectPlayouts playouts(solution_);
        for (engines::Seat seat = 0; seat < 2; ++seat) {
            const auto found =
                review::review(*replay_frames, playouts, {seat, 4, 40, 1}, [](const auto&) {});
            ASSERT_TRUE(found) << found.error();
            const auto value_at = [&](std::int64_t turn) {
                const auto& state = replay_frames->state(static_cast<std::size_t>(turn - 1));
                const auto truth = solution_.perfect(state);
                return seat == 0 ? truth : 1 - truth;
            };
            for (const auto& point : found->points) {
                const auto estimate = review::estimate_of(point.sample, seat, found->scale);
                EXPECT_EQ(estimate.value, value_at(point.turn)) << point.turn;
                EXPECT_TRUE(estimate.interval.has(value_at(point.turn))) << point.turn;
            }
            for (const auto& lost : found->lost) {
                ++costly;
                const auto cost = value_at(lost.turn) - value_at(lost.turn + 1);
                EXPECT_GT(cost, 0);  // whoever plays well loses nothing by the best move
                EXPECT_EQ(lost.cost.value, cost) << lost.turn;
                EXPECT_TRUE(lost.cost.interval.has(cost));
                EXPECT_TRUE(lost.cost.is_sure());
                ASSERT_TRUE(lost.liked) << lost.turn;
                EXPECT_THAT(solution_.best_moves(
                                replay_frames->state(static_cast<std::size_t>(lost.turn - 1))),
                            testing::Contains(lost.liked->move));
                EXPECT_EQ(lost.liked->gain.value, cost);
            }
        }
    }
    EXPECT_GT(costly, 5U);
}

}  // namespace
}  // namespace referee::playouts
