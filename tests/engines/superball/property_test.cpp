#include <gtest/gtest.h>

#include <cctype>
#include "engines/superball/superball.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/superball/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;

struct Count {
    std::int64_t pieces = 0;
    std::int64_t empty = 0;
};

Count count(const json& state) {
    Count count;
    for (const std::string row : state.at("board")) {
        for (const char c : row) (std::isalpha(c) ? count.pieces : count.empty) += 1;
    }
    return count;
}

// A random move that is usually legal: a cell of the board that is taken, a goal cell.
std::string some_move(tests::Random& random, const json& state) {
    std::vector<std::string> pieces;
    std::vector<std::string> goals;
    const auto board = state.at("board").get<std::vector<std::string>>();
    for (std::size_t r = 0; r < board.size(); ++r) {
        for (std::size_t c = 0; c < board[r].size(); ++c) {
            const auto text = " " + std::to_string(r) + " " + std::to_string(c);
            if (std::isalpha(board[r][c])) pieces.push_back(text);
            if (std::isupper(board[r][c])) goals.push_back(text);
        }
    }
    if (!goals.empty() && random.chance(50))
        return "\"SCORE" + goals[random.below(goals.size())] + "\"";
    const auto a = random.below(pieces.size());
    return "\"SWAP" + pieces[a] +
           pieces[(a + 1 + random.below(pieces.size() - 1)) % pieces.size()] + "\"";
}

const char* const setups[] = {
    "{}",
    R"({"rows":5,"cols":1,"min_score_size":1})",
    R"({"rows":9,"cols":3,"min_score_size":2,"colors":"ab"})",
    R"({"rows":1,"cols":7})",
    R"({"rows":12,"cols":12,"min_score_size":1,"colors":"a"})",
    R"({"rows":30,"cols":17,"min_score_size":3,"colors":"abcdefghijklmnopqrstuvwxyz"})",
};

// Placed pieces are on the board or were scored; the state's numbers agree with its board; the
// patch leads from state to state; a refused move, skipped here, is what check() says.
void play_at_random(const char* params, std::uint32_t seed, int turns) {
    SCOPED_TRACE(std::string(params) + " seed " + std::to_string(seed));
    tests::Random random(seed);
    const auto state = tests::start(*tests::superball_game, params, seed);
    auto shown = tests::state_json(*state);
    const auto values = json::parse(tests::full_params(*tests::superball_game, params))
                            .at("colors")
                            .get<std::string>();
    for (int turn = 0; turn < turns && !state->over(); ++turn) {
        const auto move = some_move(random, shown);
        if (!tests::check(*state, 0, move)) continue;
        const auto before = count(shown);
        ASSERT_TRUE(tests::play(*state, {move}).empty());
        const auto now = tests::state_json(*state);
        ASSERT_EQ(shown.patch(tests::delta_json(*state)), now);
        const auto after = count(now);
        ASSERT_EQ(after.empty, now.at("empty"));
        ASSERT_EQ(after.pieces + after.empty, before.pieces + before.empty);
        const auto gained =
            now.at("score").get<std::int64_t>() - shown.at("score").get<std::int64_t>();
        std::int64_t scored = 0;
        if (move.starts_with("\"SCORE")) {
            std::size_t row = 0;
            std::size_t col = 0;
            ASSERT_EQ(std::sscanf(move.c_str(), "\"SCORE %zu %zu", &row, &col), 2);
            const auto letter = shown.at("board").at(row).get<std::string>().at(col);
            const auto value =
                static_cast<std::int64_t>(values.find(static_cast<char>(std::tolower(letter)))) + 2;
            ASSERT_EQ(gained % value, 0);
            scored = gained / value;
        } else {
            ASSERT_EQ(gained, 0);
        }
        const auto dealt = move.starts_with("\"SCORE") ? 3 : 5;
        const auto room = before.empty + scored;
        ASSERT_EQ(after.pieces, before.pieces - scored + std::min<std::int64_t>(dealt, room));
        ASSERT_EQ(now.at("over"), room < dealt);
        shown = now;
    }
}

TEST(superball_property, pieces_are_conserved) {
    for (const char* params : setups) {
        for (std::uint32_t seed = 0; seed < 12; ++seed) play_at_random(params, seed, 400);
    }
}

TEST(superball_property, the_largest_board_plays_to_its_end) {
    for (const char* params : {R"({"rows":100,"cols":100})",
                               R"({"rows":100,"cols":100,"colors":"a","min_score_size":10000})"}) {
        const auto state = tests::start(*tests::superball_game, params, 7);
        const auto patch = [&] { return tests::delta_json(*state).dump().size(); };
        EXPECT_EQ(tests::state_json(*state).at("empty"), 9995);
        std::size_t turns = 0;
        const auto first = tests::state_json(*state);
        std::string move;
        for (std::size_t r = 0; move.empty();
             ++r) {  // two pieces stay where they are: swap them for ever
            const auto row = first.at("board").at(r).get<std::string>();
            const auto c = row.find_first_not_of(".*");
            if (c == std::string::npos) continue;
            move = "\"SWAP " + std::to_string(r) + " " + std::to_string(c);
            for (std::size_t other = r + 1; other < 100; ++other) {
                const auto below =
                    first.at("board").at(other).get<std::string>().find_first_not_of(".*");
                if (below == std::string::npos) continue;
                move += " " + std::to_string(other) + " " + std::to_string(below) + "\"";
                break;
            }
        }
        while (!state->over()) {
            ASSERT_TRUE(tests::play(*state, {move}).empty());
            ++turns;
            if (turns % 100 == 0) {
                ASSERT_LT(patch(), 2000U);
            }
        }
        EXPECT_EQ(turns, 2000U);
        EXPECT_EQ(tests::outcome_json(*state).at("detail").at("ended_by"), "full");
    }
    play_at_random(R"({"rows":100,"cols":100,"colors":"ab","min_score_size":1})", 9, 60);
}

TEST(superball_property, random_bytes_as_moves_are_answered) {
    tests::Random random(11);
    const auto start = tests::start(*tests::superball_game, "{}", 11);
    const std::string alphabet = "SWAPSCORE 0123456789 +-,.\t\n\"x\\";
    for (int i = 0; i < 20000; ++i) {
        std::string line = random.chance(60) ? (random.chance(50) ? "SWAP " : "SCORE ") : "";
        const auto size = random.below(24);
        for (std::size_t k = 0; k < size; ++k) {
            line += random.chance(95) ? alphabet[random.below(alphabet.size())]
                                      : static_cast<char>(random.below(128));
        }
        const auto move = json(line).dump();
        const auto state = start->clone();
        const auto checked = tests::check(*state, 0, move);
        const auto notes = tests::play(*state, {move});
        ASSERT_EQ(!checked, !notes.empty()) << line;
        ASSERT_EQ(state->over(), !notes.empty()) << line;
        (void)tests::superball_game->move_from_text(line);
    }
}

TEST(superball_property, random_bytes_as_params_are_answered) {
    tests::Random random(12);
    const char* const names[] = {"rows", "cols", "min_score_size", "colors", "pace_us", "x", ""};
    const char* const values[] = {"0",         "1",
                                  "5",         "99",
                                  "101",       "-3",
                                  "1.0",       "1e9",
                                  "\"pb\"",    "\"\"",
                                  "null",      "[[],{}]",
                                  "{\"a\":1}", "18446744073709551615",
                                  "true",      "\"pbyrgabcdefhijk\""};
    for (int i = 0; i < 5000; ++i) {
        json params = json::object();
        const auto members = random.below(5);
        for (std::size_t k = 0; k < members; ++k) {
            params[names[random.below(std::size(names))]] =
                json::parse(values[random.below(std::size(values))]);
        }
        const auto text = params.dump();
        const auto accepted = tests::accepts(*tests::superball_game, text);
        if (!accepted) {
            ASSERT_TRUE(accepted.error().member.starts_with("params.")) << text;
            ASSERT_FALSE(accepted.error().message.empty());
        } else {
            ASSERT_NE(tests::start(*tests::superball_game, text), nullptr);
            const auto full = tests::full_params(*tests::superball_game, text);
            ASSERT_EQ(tests::full_params(*tests::superball_game, full), full);
        }
    }
}

}  // namespace
