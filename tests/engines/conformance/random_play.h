#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "tests/engines/conformance/games.h"
#include "tests/engines/conformance/hostile_json.h"
#include "tests/sample.h"

// Random play of every game, from each of its setups, for tests that look at each turn of it.

namespace tests {

using Json = nlohmann::json;
using engines::Seat;
using engines::State;

inline constexpr std::uint32_t seeds = 6;  // of each setup
inline constexpr std::uint32_t seeds_sampled_of = 3;
inline constexpr std::size_t turns_max = 20000;  // no random game here is longer

inline std::string notes_text(const std::vector<engines::Note>& notes) {
    std::string text;
    for (const auto& note : notes) {
        text += std::to_string(note.seat) + (note.is_fault ? "!" : " ") + std::string(note.code) +
                ": " + note.message + "\n";
    }
    return text;
}

struct TurnMoves {
    std::vector<std::string> moves;
    std::vector<std::int64_t> used_us;
};

// Random play of one game from one setup.
class RandomGame {
 public:
    RandomGame(const GameCase& game, const std::string& params, std::uint32_t seed)
        : case_(game), random_(seed), params_(Json::parse(full_params(engine(), params))) {
        constexpr std::int64_t us_max[] = {0, 1000, 120000};
        us_max_ = us_max[random_.below(std::size(us_max))];
        state = start(engine(), params, seed);
    }

    const engines::Game& engine() const { return *registry().find(case_.id); }
    Random& random() { return random_; }
    std::string params_text() const { return params_.dump(); }

    // Moves for all seats, also those that aren't to move.
    TurnMoves next(bool free_of_charge = false) {
        const auto shown = state_json(*state);
        TurnMoves turn;
        for (Seat seat = 0; seat < state->seats(); ++seat) {
            const bool junk = !state->to_move()[seat] || random_.chance(case_.junk_percent);
            turn.moves.push_back(junk ? random_json(random_)
                                      : some_move(case_, random_, params_, shown, *state, seat));
            const auto charge = random_.below(static_cast<std::size_t>(us_max_) + 1);
            turn.used_us.push_back(free_of_charge ? 0 : static_cast<std::int64_t>(charge));
        }
        return turn;
    }

    std::vector<engines::Note> step(const TurnMoves& turn) {
        return play(*state, turn.moves, turn.used_us);
    }

    std::unique_ptr<State> state;

 private:
    const GameCase& case_;
    Random random_;
    Json params_;
    std::int64_t us_max_ = 0;
};

class RandomPlay : public testing::TestWithParam<GameCase> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().id); }

    void each_game(const std::function<void(RandomGame&)>& visit) {
        ASSERT_FALSE(GetParam().setups.empty());
        for (const auto& params : GetParam().setups) {
            for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
                if (!in_sample(seed, seeds_sampled_of)) continue;
                SCOPED_TRACE(params.substr(0, 200) + " seed " + std::to_string(seed));
                RandomGame game(GetParam(), params, seed);
                ASSERT_TRUE(game.state);
                visit(game);
                if (HasFatalFailure()) return;
            }
        }
    }

    // Stops at the end of the game, or by itself where it never comes.
    void each_turn(const std::function<void(RandomGame&)>& visit) {
        each_game([&](RandomGame& game) {
            std::size_t turns = 0;
            while (!game.state->over() && turns++ < turns_max) {
                visit(game);
                if (HasFatalFailure()) return;
            }
            ASSERT_TRUE(game.state->over()) << "still not over after so many turns: " << turns_max;
        });
    }
};

}  // namespace tests
