// The moves that a game lists, against what it says of moves.

#include <gtest/gtest.h>

#include <set>

#include "tests/engines/conformance/random_play.h"

namespace tests {
namespace {

constexpr std::size_t samples = 6;      // of each kind, in a turn
constexpr std::size_t looked_at = 120;  // turns of a game

class LegalMoves : public RandomPlay {
 protected:
    // A seat that is to move, where the game lists its moves.
    void each_list(
        const std::function<void(RandomGame&, Seat, const engines::LegalMoves&)>& visit) {
        std::size_t turns = 0;
        each_turn([&](RandomGame& game) {
            for (Seat seat = 0; seat < game.state->seats() && turns < looked_at; ++seat) {
                if (!game.state->to_move()[seat]) continue;
                const auto legal = game.state->legal_moves(seat);
                if (!legal) continue;
                visit(game, seat, *legal);
                if (HasFatalFailure()) return;
            }
            game.step(game.next());
            turns = game.state->over() ? 0 : turns + 1;
        });
    }
};

bool is_fault(const State& state, Seat seat, const std::string& move) {
    const auto checked = check(state, seat, move);
    return !checked && checked.error().is_fault;
}

// The state that the seat's move leads to, whatever the others do: they do always the same.
std::string led_to(const State& state, Seat seat, const std::string& move) {
    std::vector<std::string> moves;
    for (Seat other = 0; other < state.seats(); ++other) {
        const auto legal = state.to_move()[other] ? state.legal_moves(other) : std::nullopt;
        moves.push_back(other == seat ? move : legal ? legal->moves.front() : "null");
    }
    const auto copy = state.clone();
    play(*copy, moves);
    return state_text(*copy);
}

TEST_P(LegalMoves, AreJsonAndNoTwoTheSame) {
    each_list([&](RandomGame& game, Seat seat, const engines::LegalMoves& legal) {
        const auto before = state_text(*game.state);
        ASSERT_FALSE(legal.moves.empty()) << before;
        const std::set<std::string> different(legal.moves.begin(), legal.moves.end());
        ASSERT_EQ(different.size(), legal.moves.size()) << before;
        const auto& move = legal.moves[game.random().below(legal.moves.size())];
        ASSERT_TRUE(Json::accept(move)) << move;
        ASSERT_EQ(game.state->clone()->legal_moves(seat)->moves, legal.moves);
        ASSERT_EQ(state_text(*game.state), before) << "listing the moves changed the state";
    });
}

// Either no listed move is a fault, or the seat has none that isn't, and all are.
TEST_P(LegalMoves, AreAcceptedByCheck) {
    each_list([&](RandomGame& game, Seat seat, const engines::LegalMoves& legal) {
        const bool trapped = is_fault(*game.state, seat, legal.moves.front());
        const auto step = legal.moves.size() / (samples * samples) + 1;
        for (std::size_t i = 0; i < legal.moves.size(); i += step) {
            ASSERT_EQ(is_fault(*game.state, seat, legal.moves[i]), trapped)
                << legal.moves[i] << " of seat " << seat << " in " << state_text(*game.state);
        }
    });
}

// Moves of other turns, listed ones that were spoilt, and JSON of any kind.
TEST_P(LegalMoves, OthersAreRefusedOrAnotherWayToWriteOne) {
    std::vector<std::string> seen{std::string(engine().info().move_example)};
    each_list([&](RandomGame& game, Seat seat, const engines::LegalMoves& legal) {
        auto& random = game.random();
        std::vector<std::string> tried;
        for (std::size_t i = 0; i < samples; ++i) {
            tried.push_back(random_json(random));
            tried.push_back(mutated(random, legal.moves[random.below(legal.moves.size())]));
            tried.push_back(seen[random.below(seen.size())]);
        }
        seen.push_back(legal.moves[random.below(legal.moves.size())]);
        const bool trapped = is_fault(*game.state, seat, legal.moves.front());
        const std::set<std::string> listed(legal.moves.begin(), legal.moves.end());
        for (const auto& move : tried) {
            if (listed.contains(move) || is_fault(*game.state, seat, move)) continue;
            ASSERT_FALSE(trapped) << move << " is no fault, and the list has nothing but faults";
            if (!legal.all) continue;
            const auto state = led_to(*game.state, seat, move);
            ASSERT_TRUE(std::any_of(
                listed.begin(), listed.end(),
                [&](const auto& one) { return led_to(*game.state, seat, one) == state; }))
                << move << " is accepted in " << state_text(*game.state)
                << ", and legal_moves() has no such move";
        }
    });
}

// Play by nothing but listed moves comes to an end.
TEST_P(LegalMoves, LeadToTheEnd) {
    each_game([&](RandomGame& game) {
        for (std::size_t turn = 0; !game.state->over(); ++turn) {
            ASSERT_LT(turn, turns_max);
            std::vector<std::string> moves(game.state->seats(), "null");
            for (Seat seat = 0; seat < moves.size(); ++seat) {
                if (!game.state->to_move()[seat]) continue;
                const auto legal = game.state->legal_moves(seat);
                if (!legal) return;
                moves[seat] = legal->moves[game.random().below(legal->moves.size())];
            }
            play(*game.state, moves);
        }
    });
}

TEST_P(LegalMoves, AreListedUnlessTheTestsKnowTheGame) {
    RandomGame game(GetParam(), GetParam().setups.front(), 1);
    const auto movers = game.state->to_move();
    for (Seat seat = 0; seat < game.state->seats(); ++seat) {
        if (!movers[seat] || game.state->legal_moves(seat) || GetParam().make_move) continue;
        FAIL() << "Nobody knows a legal move of " << GetParam().id
               << ". Override State::legal_moves in engines/" << GetParam().id
               << ", or, where a game's moves can't be listed, add an entry to table() in "
                  "tests/engines/conformance/games.cpp.";
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, LegalMoves, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace tests
