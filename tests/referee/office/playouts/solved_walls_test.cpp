// Reviews of games whose truth is known: Walls on a board of size 3, solved by trying all moves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <unordered_map>

#include "engines/registry.h"
#include "protocol/base/split_mix.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/office/playouts/inner_playouts.h"
#include "referee/watching/review/estimate.h"
#include "referee/watching/review/review.h"

namespace referee::playouts {
namespace {

constexpr const char* params_text = R"({"size":3,"first":0})";
constexpr std::array moves = {"\"F\"", "\"L\"", "\"R\""};

std::unique_ptr<engines::State> opening(const engines::Game& game) {
    protocol::json::Document params;
    EXPECT_TRUE(params.parse(params_text));
    return *game.start(params.root(), 1);
}

std::string text_of(const engines::State& state) {
    std::string text;
    protocol::json::Writer writer(text);
    state.write_state(writer);
    return text;
}

void play(engines::State& state, const std::string& move) {
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(move));
    std::vector<engines::Answer> answers(2);
    for (auto& answer : answers) answer.move = document.root();
    std::vector<engines::Note> notes;
    state.apply(answers, notes);
}

// What a position is worth to the first seat.
struct Truth {
    double perfect = 0;  // both play as well as can be
    double random = 0;   // both draw each move
};

// All that can come of a board of size 3. Knows nothing of reviews.
class Solution {
 public:
    explicit Solution(const engines::Game& game) { solve(*opening(game)); }

    const Truth& of(const engines::State& state) { return solve(state); }
    std::size_t size() const { return known_.size(); }

    // Those of the moves after which the position is worth the same to perfect players.
    std::vector<std::string> best_moves(const engines::State& state) {
        std::vector<std::string> best;
        for (const auto* move : moves) {
            const auto next = state.clone();
            play(*next, move);
            if (solve(*next).perfect == solve(state).perfect) best.emplace_back(move);
        }
        return best;
    }

 private:
    const Truth& solve(const engines::State& state) {
        const auto key = std::hash<std::string>()(text_of(state));
        if (!state.over())
            if (const auto found = known_.find(key); found != known_.end()) return found->second;
        Truth truth;
        if (state.over()) {
            // Two boards at their end may look alike and differ in the score of a stalled player.
            truth.perfect = truth.random = worth(state.outcome().placing);
            return ends_[static_cast<std::size_t>(truth.perfect * 2)] = truth;
        }
        const bool first_moves = state.to_move().test(0);
        truth.perfect = first_moves ? 0 : 1;
        for (const auto* move : moves) {
            const auto next = state.clone();
            play(*next, move);
            const auto after = solve(*next);
            truth.perfect = first_moves ? std::max(truth.perfect, after.perfect)
                                        : std::min(truth.perfect, after.perfect);
            truth.random += after.random / moves.size();
        }
        return known_[key] = truth;
    }

    static double worth(const std::vector<int>& placing) {
        if (placing[0] == placing[1]) return 0.5;
        return placing[0] < placing[1] ? 1 : 0;
    }

    std::unordered_map<std::size_t, Truth> known_;
    std::array<Truth, 3> ends_;
};

class SolvedWalls : public testing::Test {
 protected:
    static void SetUpTestSuite() {
        registry_ = std::make_unique<engines::Registry>();
        solution_ = std::make_unique<Solution>(*registry_->find("walls"));
    }
    static void TearDownTestSuite() {
        solution_.reset();
        registry_.reset();
    }

    const engines::Game& walls() const { return *registry_->find("walls"); }

    // A whole game of random moves, as a replay.
    std::unique_ptr<showing::Film> random_game(std::uint64_t seed) const {
        std::string replay =
            R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":1,"params":)" +
            std::string(params_text) +
            R"(,"bots":["ann","bob"],"clock":{"kind":"turn","measure":"wall","budget_us":1000000,"hard_limit_us":1000000}})"
            "\n";
        base::SplitMix random(seed);
        const auto state = opening(walls());
        while (!state->over()) {
            const std::string move = moves[random.below(moves.size())];
            replay += state->to_move().test(0) ? "{\"moves\":[" + move + ",null]}\n"
                                               : "{\"moves\":[null," + move + "]}\n";
            play(*state, move);
        }
        replay += R"({"result":{"status":"played"}})"
                  "\n";
        auto film = showing::Film::of(replay, "game.ndjson", *registry_, {});
        EXPECT_TRUE(film) << film.error().message;
        return *std::move(film);
    }

    InnerTerms terms(std::uint64_t seed) const {
        return {&walls().info(), params_text, {"ann", "bob"}, {nullptr, nullptr}, 0, seed};
    }

    static std::unique_ptr<engines::Registry> registry_;
    static std::unique_ptr<Solution> solution_;
};

std::unique_ptr<engines::Registry> SolvedWalls::registry_;
std::unique_ptr<Solution> SolvedWalls::solution_;

TEST_F(SolvedWalls, IsASolutionOfMoreThanAFewPositions) {
    EXPECT_GT(solution_->size(), 10'000U);
    RecordProperty("positions", static_cast<int>(solution_->size()));
}

TEST_F(SolvedWalls, IntervalsOfRandomPlayCoverTheExactValueAsOftenAsTheySay) {
    std::size_t looked_at = 0;
    std::size_t missed = 0;
    double width = 0;
    for (std::uint64_t game = 0; game < 40; ++game) {
        const auto film = random_game(game);
        for (std::size_t frame = 0; frame < film->frames(); ++frame) {
            const auto state = film->state(frame).clone();
            if (state->over()) continue;
            InnerPlayouts playouts(terms(1 + game * 1000 + frame));
            const auto played =
                playouts.play({static_cast<std::int64_t>(frame) + 1}, *state, 0, 40);
            ASSERT_TRUE(played);
            review::Sample sample;
            for (const auto& one : *played) sample.worths.push_back(one.worth);
            const auto estimate = review::estimate_of(sample, 0, review::Scale::share);
            ++looked_at;
            missed += estimate.interval.has(solution_->of(*state).random) ? 0 : 1;
            width += estimate.interval.high - estimate.interval.low;
        }
    }
    EXPECT_GT(looked_at, 500U);
    EXPECT_LE(static_cast<double>(missed), 0.05 * static_cast<double>(looked_at));
    // An interval of all that is possible would cover anything.
    EXPECT_LT(width / static_cast<double>(looked_at), 0.45);
}

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
                course += best[random.below(best.size())];
                playouts::play(*state, course.substr(course.size() - 3));
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
    for (std::uint64_t game = 0; game < 20; ++game) {
        const auto film = random_game(game);
        PerfectPlayouts playouts(*solution_);
        for (engines::Seat seat = 0; seat < 2; ++seat) {
            const auto found =
                review::review(*film, playouts, {seat, 4, 20, 1}, [](const auto&) {});
            ASSERT_TRUE(found) << found.error();
            const auto value_at = [&](std::int64_t turn) {
                const auto& state = film->state(static_cast<std::size_t>(turn - 1));
                const auto truth = solution_->of(state).perfect;
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
                EXPECT_THAT(
                    solution_->best_moves(film->state(static_cast<std::size_t>(lost.turn - 1))),
                    testing::Contains(lost.liked->move));
                EXPECT_EQ(lost.liked->gain.value, cost);
            }
        }
    }
    EXPECT_GT(costly, 20U);
}

TEST_F(SolvedWalls, TheSameSeedIsTheSameReview) {
    const auto film = random_game(7);
    std::vector<std::vector<double>> values;
    for (const std::uint64_t seed : {1, 1, 2}) {
        InnerPlayouts playouts(terms(seed));
        const auto found = review::review(*film, playouts, {0, 2, 20, seed}, [](const auto&) {});
        ASSERT_TRUE(found);
        auto& row = values.emplace_back();
        for (const auto& point : found->points)
            if ((point.turn - 1) % 2 == 0)
                row.push_back(review::estimate_of(point.sample, 0, found->scale).value);
    }
    EXPECT_EQ(values[0], values[1]);
    EXPECT_NE(values[0], values[2]);
}

}  // namespace
}  // namespace referee::playouts
