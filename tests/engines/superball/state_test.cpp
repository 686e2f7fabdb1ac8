#include "engines/superball/state.h"

#include <gtest/gtest.h>

#include "engines/superball/superball.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/superball/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;

// A legal swap of the first two pieces, as JSON text.
std::string any_swap(const engines::State& state) {
    const auto board = tests::state_json(state).at("board").get<std::vector<std::string>>();
    std::vector<std::string> cells;
    for (std::size_t r = 0; r < board.size(); ++r) {
        for (std::size_t c = 0; c < board[r].size(); ++c) {
            if (std::isalpha(board[r][c]))
                cells.push_back(std::to_string(r) + " " + std::to_string(c));
        }
    }
    return "\"SWAP " + cells.at(0) + " " + cells.at(1) + "\"";
}

TEST(superball_state, begins_with_five_pieces) {
    const auto state = tests::start(*tests::superball_game, "{}", 1);
    const auto text = tests::state_text(*state);
    EXPECT_TRUE(text.starts_with(R"({"board":[")")) << text;
    EXPECT_TRUE(text.ends_with(R"("],"empty":75,"score":0,"over":false})")) << text;
    EXPECT_FALSE(state->over());
    EXPECT_EQ(state->seats(), 1U);
    EXPECT_EQ(state->to_move(), engines::Seats(1));
}

struct FaultCase {
    const char* move;
    const char* ended_by;
    const char* code;
};

TEST(superball_state, faults_end_the_game_with_score_zero) {
    const FaultCase cases[] = {
        {"null", "missing", "missing_move"},
        {R"("")", "missing", "missing_move"},
        {R"("  \t\r\n")", "missing", "missing_move"},
        {R"("SWAP 0 0 0 0")", "illegal", "illegal_move"},
        {R"("SCORE 2 0")", "illegal", "illegal_move"},
        {R"("score 2 0")", "illegal", "malformed_move"},
        {R"("HELP")", "illegal", "malformed_move"},
        {"5", "illegal", "malformed_move"},
        {"5.5", "illegal", "malformed_move"},
        {"true", "illegal", "malformed_move"},
        {"[]", "illegal", "malformed_move"},
        {R"(["SWAP 0 1 7 2"])", "illegal", "malformed_move"},
        {R"({"SWAP":[0,1,7,2]})", "illegal", "malformed_move"},
    };
    for (const auto& c : cases) {
        const auto state = tests::start(*tests::superball_game, "{}", 3);
        tests::play(*state, {any_swap(*state)});
        const auto before = tests::state_json(*state);
        const auto checked = tests::check(*state, 0, c.move);
        ASSERT_FALSE(checked) << c.move;
        const auto notes = tests::play(*state, {c.move});
        ASSERT_EQ(notes.size(), 1U);
        EXPECT_EQ(notes[0].code, c.code);
        EXPECT_TRUE(notes[0].is_fault);
        EXPECT_EQ(notes[0].message, checked.error().message);
        EXPECT_NE(notes[0].message.find("score 0"), std::string::npos) << notes[0].message;
        auto expected = before;
        expected["over"] = true;
        EXPECT_EQ(tests::state_json(*state), expected) << c.move;
        EXPECT_TRUE(state->over());
        EXPECT_EQ(tests::outcome_json(*state),
                  json::parse(
                      R"({"scores":[0],"placing":[1],"detail":{"score":0,"moves":1,"ended_by":")" +
                      std::string(c.ended_by) + "\"}}"))
            << c.move;
    }
}

// Plays seed 1 on a small board with one colour until the score passes 1000, keeping within the
// pace; gives the state then.
std::unique_ptr<engines::State> rich_game(const std::string& pace_us) {
    auto state = tests::start(*tests::superball_game,
                              R"({"colors":"a","min_score_size":1,"pace_us":)" + pace_us + "}", 1);
    while (tests::state_json(*state).at("score") < 1000) {
        const auto board = tests::state_json(*state).at("board").get<std::vector<std::string>>();
        std::string move = any_swap(*state);
        for (std::size_t r = 0; r < board.size(); ++r) {
            const auto c = board[r].find('A');
            if (c != std::string::npos) {
                move = "\"SCORE " + std::to_string(r) + " " + std::to_string(c) + "\"";
            }
        }
        EXPECT_TRUE(tests::play(*state, {move}).empty());
    }
    return state;
}

TEST(superball_state, pace_counts_the_turn_before_the_move_and_ends_above_not_at) {
    struct Case {
        const char* pace_us;
        std::vector<std::int64_t> used;
        bool ends;
    };
    const Case cases[] = {
        {"1000", {1000}, false},
        {"1000", {1001}, true},
        {"1000", {0, 999, 1}, false},
        {"1000", {0, 999, 2}, true},
        {"1", {0, 0, 0}, false},
        {"0",
         {9'000'000'000'000'000'000, 9'000'000'000'000'000'000, 9'000'000'000'000'000'000},
         false},
        {"18446744073709551615", {9'223'372'036'854'775'807, 9'223'372'036'854'775'807}, false},
        {"9223372036854775807", {9'223'372'036'854'775'807}, false},
        {"9223372036854775807", {9'223'372'036'854'775'807, 1}, true},
    };
    for (const auto& c : cases) {
        const auto state =
            tests::start(*tests::superball_game, "{\"pace_us\":" + std::string(c.pace_us) + "}", 1);
        for (std::size_t i = 0; i + 1 < c.used.size(); ++i) {
            ASSERT_TRUE(tests::play(*state, {any_swap(*state)}, {c.used[i]}).empty());
        }
        const auto before = tests::state_json(*state);
        const auto notes = tests::play(*state, {any_swap(*state)}, {c.used.back()});
        EXPECT_EQ(state->over(), c.ends) << c.pace_us;
        if (!c.ends) continue;
        ASSERT_EQ(notes.size(), 1U);
        EXPECT_EQ(notes[0].code, "pace");
        EXPECT_TRUE(notes[0].is_fault && notes[0].over_time);
        EXPECT_EQ(tests::state_json(*state).at("board"), before.at("board"))
            << "the move isn't carried out";
        EXPECT_EQ(tests::outcome_json(*state).at("detail").at("ended_by"), "pace");
        EXPECT_EQ(tests::outcome_json(*state).at("detail").at("moves"), c.used.size() - 1);
    }
}

TEST(superball_state, pace_grows_with_each_thousand_and_keeps_the_score) {
    for (const bool too_much : {false, true}) {
        const auto state = rich_game("1000");
        const auto score = tests::state_json(*state).at("score").get<std::int64_t>();
        ASSERT_GE(score, 1000);
        ASSERT_LT(score, 2000);
        const auto notes = tests::play(*state, {any_swap(*state)}, {too_much ? 2001 : 2000});
        EXPECT_EQ(state->over(), too_much);
        EXPECT_EQ(tests::state_json(*state).at("score"), score);
        if (too_much) {
            EXPECT_EQ(tests::outcome_json(*state).at("scores").at(0), score);
            EXPECT_EQ(tests::outcome_json(*state).at("detail").at("score"), score);
            const auto turn =
                tests::outcome_json(*state).at("detail").at("moves").get<std::int64_t>() + 1;
            EXPECT_EQ(notes.at(0).message,
                      "Turns 1 to " + std::to_string(turn) +
                          " used 2.001 ms. The pace allows 1.000 ms for each started 1000 points, "
                          "which is 2.000 ms with a score of " +
                          std::to_string(score) + ": the game ends, and the score stays.");
        }
    }
}

TEST(superball_state, pace_comes_before_an_illegal_or_missing_move) {
    for (const char* move : {"null", "\"nonsense\"", "\"\"", "7"}) {
        const auto state = rich_game("1000");
        const auto score = tests::state_json(*state).at("score");
        EXPECT_EQ(tests::codes(tests::play(*state, {move}, {5000})),
                  std::vector<std::string>{"pace"});
        EXPECT_EQ(tests::outcome_json(*state).at("detail").at("ended_by"), "pace");
        EXPECT_EQ(tests::outcome_json(*state).at("scores").at(0), score);
    }
}

TEST(superball_state, an_illegal_move_takes_the_score_away) {
    const auto state = rich_game("0");
    const auto board = tests::state_json(*state).at("board");
    tests::play(*state, {"\"SWAP 0 0 0 0\""});
    EXPECT_EQ(tests::state_json(*state).at("score"), 0);
    EXPECT_EQ(tests::state_json(*state).at("board"), board);
    EXPECT_EQ(tests::outcome_json(*state).at("scores").at(0), 0);
}

TEST(superball_state, forfeit_is_a_missing_move) {
    const auto state = rich_game("0");
    state->forfeit(0);
    EXPECT_TRUE(state->over());
    EXPECT_EQ(tests::state_json(*state).at("score"), 0);
    EXPECT_EQ(tests::outcome_json(*state).at("detail").at("ended_by"), "missing");
    EXPECT_EQ(tests::outcome_json(*state).at("scores").at(0), 0);
    const auto delta = tests::delta_json(*state);
    EXPECT_EQ(delta, json::parse(R"([{"op":"replace","path":"/score","value":0},
                                     {"op":"replace","path":"/over","value":true}])"));
}

TEST(superball_state, full_keeps_the_score_and_counts_the_last_move) {
    const auto state = tests::start(*tests::superball_game, R"({"rows":2,"cols":5})", 1);
    ASSERT_FALSE(state->over());
    EXPECT_TRUE(tests::play(*state, {any_swap(*state)}).empty());
    ASSERT_FALSE(state->over());
    EXPECT_EQ(tests::state_json(*state).at("empty"), 0);
    EXPECT_TRUE(tests::play(*state, {any_swap(*state)}).empty());
    ASSERT_TRUE(state->over());
    EXPECT_EQ(
        tests::outcome_json(*state),
        json::parse(
            R"({"scores":[0],"placing":[1],"detail":{"score":0,"moves":2,"ended_by":"full"}})"));
    const auto tiny = tests::start(*tests::superball_game, R"({"rows":1,"cols":1})", 1);
    EXPECT_TRUE(tiny->over());
    EXPECT_EQ(tests::outcome_json(*tiny).at("detail"),
              json::parse(R"({"score":0,"moves":0,"ended_by":"full"})"));
    EXPECT_EQ(tests::state_json(*tiny).at("over"), true);
}

TEST(superball_state, outcomes_compare_by_score) {
    const auto rich = rich_game("0");
    const auto poor = tests::start(*tests::superball_game, "{}", 1);
    rich->forfeit(0);
    poor->forfeit(0);
    EXPECT_EQ(tests::superball_game->compare(rich->outcome(), poor->outcome()),
              std::weak_ordering::equivalent);
    engines::Outcome better = poor->outcome();
    better.scores[0] = engines::Score::whole(1);
    EXPECT_EQ(tests::superball_game->compare(better, poor->outcome()), std::weak_ordering::greater);
}

TEST(superball_state, clones_go_their_own_way) {
    const auto state = tests::start(*tests::superball_game, "{}", 5);
    const auto copy = state->clone();
    const auto before = tests::state_text(*copy);
    const auto move = any_swap(*state);
    tests::play(*state, {move});
    EXPECT_EQ(tests::state_text(*copy), before);
    tests::play(*copy, {move});
    EXPECT_EQ(tests::state_text(*copy), tests::state_text(*state));
}

TEST(superball_state, golden_playthroughs) {
    for (const char* name : {"default_board", "full_of_one_colour", "single_column", "pace",
                             "illegal", "missing", "words"}) {
        SCOPED_TRACE(name);
        tests::expect_golden(*tests::superball_game, "superball", name);
    }
}

}  // namespace
