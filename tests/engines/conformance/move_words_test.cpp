// Moves and notes in words: of every game of the registry, and what the five say.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "protocol/json/text.h"
#include "tests/engines/conformance/random_play.h"

namespace tests {
namespace {

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
                    EXPECT_TRUE(words.empty() || protocol::json::is_one_printable_line(words))
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
        EXPECT_TRUE(protocol::json::is_utf8(in_words(engine(), move))) << move;
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
             R"(No move came: an idle move. Expected "F" (try forward), "L" or "R" (turn).)"},
            {"e7_planets", e7, R"("R")", false, "the ship is caught: on the same cell as ghost 1"},
            {"e7_planets", e7, R"(".")", false, "no turns are left"},
            {"e7_planets", e7, "null", true, "no move came; the ship stays"},
            {"light_cycles", cycles, "[[0,-1]]", true,
             "Its cycle (cycle 0) is terminated: [0, -1] is outside of the grid of 7 x 3; it stood "
             "at [0, 0]; [1, 0] was free."},
            {"light_cycles", cycles, "null", true,
             "No move came. Expected a list of 1 cell such as [[168, 45]]: all its living cycles "
             "are terminated."},
            {"light_cycles", cycles, "[[1,0]]", false,
             "Its cycle (cycle 0) is terminated: cycle 1 (team 1) chose [1, 0], too, and team 1 "
             "had used less time so far, which decides (0.000 ms, team 0 0.005 ms)."},
            {"snake_labyrinth", snake, R"("O")", true,
             "letter 1, O from row 1, column 0: the edge of the board is there; the snake stays, "
             "and the step is charged"},
            {"superball", "{}", "null", true, "no move came; the game ends with score 0"},
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
