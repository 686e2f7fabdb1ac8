// The moves that a game lists, against what it says of moves; and moves and notes in words, of
// every game of the registry and as the five say them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "protocol/base/utf8.h"
#include "protocol/base/visible_text.h"
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

std::string in_words(const engines::Game& game, const std::string& move) {
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(move)) << move;
    return game.move_in_words(document.root());
}

class MoveWords : public RandomPlay {};

// Empty words are none: then the move is told as it came.
TEST_P(MoveWords, ArePlainForWhatAGameLists) {
    each_game([&](RandomGame& game) {
        while (!game.state->over()) {
            for (Seat seat = 0; seat < game.state->seats(); ++seat) {
                if (!game.state->to_move()[seat]) continue;
                const auto legal = game.state->legal_moves(seat);
                if (!legal) return;
                for (const auto& move : legal->moves) {
                    const auto words = in_words(game.engine(), move);
                    EXPECT_TRUE(words.empty() || base::is_one_printable_line(words))
                        << move << ": " << words;
                }
            }
            game.step(game.next());
        }
    });
}

TEST_P(MoveWords, AreTextWhateverAMoveIs) {
    constexpr std::size_t texts = 5000;
    Random random(1);
    for (std::size_t i = 0; i < texts; ++i) {
        const auto move = random.chance(50)
                              ? random_json(random)
                              : mutated(random, std::string(engine().info().move_example));
        EXPECT_TRUE(base::is_utf8(in_words(engine(), move))) << move;
    }
}

TEST_P(MoveWords, SayThatNoMoveCameUntilAGameOfNoMovesEnds) {
    RandomGame game(GetParam(), GetParam().setups.front(), 1);
    const std::vector<std::string> none(game.state->seats(), "null");
    for (std::size_t turn = 0, faults = 0; !game.state->over(); ++turn) {
        ASSERT_LT(turn, turns_max) << "nobody moves, and it goes on for ever";
        for (const auto& note : play(*game.state, none)) {
            if (!note.is_fault) continue;
            ++faults;
            EXPECT_THAT(note.message, testing::HasSubstr(engines::no_move_came.substr(1)));
        }
        EXPECT_GT(faults, 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(AllGames, MoveWords, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

TEST(WordsOfMoves, OfEachGame) {
    const std::vector<std::tuple<std::string_view, std::string, std::string>> told{
        {"walls", R"("F")", "forward"},
        {"walls", R"("L")", "turn left"},
        {"walls", R"("R")", "turn right"},
        {"walls", R"("f")", ""},
        {"walls", "7", ""},
        {"e7_planets", R"("U")", "up"},
        {"e7_planets", R"("D")", "down"},
        {"e7_planets", R"("L")", "left"},
        {"e7_planets", R"("R")", "right"},
        {"e7_planets", R"(".")", "stay"},
        {"e7_planets", R"(["U"])", ""},
        {"superball", R"("SWAP 0 1 7 2")", "swap 0,1 and 7,2"},
        {"superball", R"("SCORE 5 0")", "score 5,0"},
        {"superball", R"("SCORE 5")", ""},
        {"superball", "null", ""},
        {"snake_labyrinth", R"("NNES")", "NNES"},
        {"snake_labyrinth", R"("NNNNNNNNNNEEEEEEEEEESSSSS")",
         "NNNNNNNNNNEEEEEEEEEESSSS\u2026 (25 letters in all)"},
        {"snake_labyrinth", R"("NNNNNNNNNNEEEEEEEEEESSS\u00e9")",
         "NNNNNNNNNNEEEEEEEEEESSS\u2026 (25 letters in all)"},
        {"snake_labyrinth", "{}", ""},
        {"light_cycles", "[[3,4],null,[-1,-1]]", "3,4  \u2013  \u2013"},
        {"light_cycles", R"([["x"],"up",[-5,2]])", R"("x"  "up"  -5,2)"},
        {"light_cycles", R"("up")", ""},
    };
    for (const auto& [game, move, words] : told)
        EXPECT_EQ(in_words(*registry().find(game), move), words) << game << ' ' << move;
}

// Those that no game in tests/golden has, and whether they are faults.
TEST(WordsOfNotes, OfEachGame) {
    const std::string e7 =
        R"({"map": {"grid": [[0, 0, 0, 0, 0, 0]], "scraps": [{"location": [1, 4], "value": 5}],
            "player": {"location": [[null, null], [1, 1]], "score": 0}, "remaining_turns": 1,
            "ghosts": [{"location": [[1, 4], [1, 3]], "type": "backandforth", "transparency": 0}]}})";
    const std::string cycles = R"({"width": 7, "height": 3, "teams": 2, "cycles_per_team": 1,
                                   "starts": [[0, 0], [2, 0]]})";
    const std::string snake = R"({"board": ["#####", "o $ _", "#####"]})";
    const std::vector<std::tuple<std::string_view, std::string, std::string, bool, std::string>>
        told{
            {"walls", "{}", "null", true,
             R"(No move was given: an idle move. Expected "F" (try forward), "L" or "R" (turn).)"},
            {"e7_planets", e7, R"("R")", false, "the ship is caught: on the same cell as ghost 1"},
            {"e7_planets", e7, R"(".")", false, "no turns are left"},
            {"e7_planets", e7, "null", true, "no move was given; the ship stays"},
            {"light_cycles", cycles, "[[0,-1]]", true,
             "Its cycle (cycle 0) is terminated: [0, -1] is outside of the grid of 7 x 3; it stood "
             "at [0, 0]; [1, 0] was free."},
            {"light_cycles", cycles, "null", true,
             "No move was given. Expected a list of 1 cell such as [[168, 45]]: all its living "
             "cycles "
             "are terminated."},
            {"light_cycles", cycles, "[[1,0]]", false,
             "Its cycle (cycle 0) is terminated: cycle 1 (team 1) chose [1, 0], too, and team 1 "
             "had used less time so far, which decides (0.000 ms, team 0 0.005 ms)."},
            {"snake_labyrinth", snake, R"("O")", true,
             "letter 1, O from row 1, column 0: the edge of the board is there; the snake stays, "
             "and the step is charged"},
            {"superball", "{}", "null", true, "no move was given; the game ends with score 0"},
            {"superball", "{}", R"(" ")", true,
             "the move is blank, which counts as none; the game ends with score 0"},
            {"superball", "{}", "5", true,
             R"(a move is a string, such as "SWAP 0 1 7 2" or "SCORE 5 0", not an integer)"
             "; the game ends with score 0"},
            {"superball", "{}", R"("SWAP 0 0 8 0")", true,
             "SWAP 0 0 8 0: row 0, column 0 is empty; a piece is needed there; the game ends with "
             "score 0"},
        };
    for (const auto& [game, params, move, is_fault, words] : told) {
        const auto state = start(*registry().find(game), params);
        std::vector<std::string> moves(state->seats(), "[[1,0]]");
        moves[0] = move;
        std::vector<std::int64_t> used_us(moves.size());
        used_us[0] = 5;
        const auto notes = play(*state, moves, used_us);
        const auto has = [&, &text = words, fault = is_fault](const auto& note) {
            return note.message == text && note.is_fault == fault;
        };
        EXPECT_TRUE(std::any_of(notes.begin(), notes.end(), has)) << words << notes_text(notes);
    }
}

}  // namespace
}  // namespace tests
