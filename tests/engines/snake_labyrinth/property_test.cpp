// What holds in every game, tried by random play on random boards of every level.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engines/snake_labyrinth/snake_labyrinth.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/snake_labyrinth/game.h"
#include "tests/json.h"

namespace {

using nlohmann::json;
constexpr std::string_view levels[] = {"challenge1", "challenge2", "challenge3", "final"};
constexpr std::uint32_t seeds = 40;

// The rules once more, as plainly as can be: a list of cells for the body, and nothing remembered.
class PlainSnake {
 public:
    explicit PlainSnake(const json& params)
        : board_(params.at("board").get<std::vector<std::string>>()) {
        with_body_ = params.at("level") == "challenge3" || params.at("level") == "final";
        for (int r = 0; r < static_cast<int>(board_.size()); ++r) {
            const auto c = board_[static_cast<std::size_t>(r)].find('o');
            if (c != std::string::npos) head_ = {r, static_cast<int>(c)};
        }
        cell(head_) = ' ';
    }

    void step(char letter) {
        ++steps_;
        auto next = head_;
        if (letter == 'N') --next.first;
        if (letter == 'S') ++next.first;
        if (letter == 'O') --next.second;
        if (letter == 'E') ++next.second;
        if (next == head_ || next.first < 0 || next.second < 0 ||
            next.first >= static_cast<int>(board_.size()) ||
            next.second >= static_cast<int>(board_[0].size())) {
            return;
        }
        const char object = cell(next);
        if (object == '#' && drill_ == 0) return;
        if (object == '#') --drill_;
        if (object == 'T') drill_ += 3;
        if (object == '$') ++coins_;
        body_.insert(body_.begin(), head_);
        if (object != '$' || !with_body_) body_.pop_back();
        head_ = next;
        if (object == '!') {
            coins_ /= 2;
            body_.resize(body_.size() / 2);
        }
        if (object != '_') cell(next) = ' ';
        const auto met = std::find(body_.begin(), body_.end(), head_);
        if (met != body_.end()) {
            body_.erase(met, body_.end());
            coins_ = static_cast<int>(body_.size());
        }
        finished_ = object == '_';
    }

    json state() const {
        return {{"board", board_},
                {"head", head_},
                {"body", body_},
                {"coins", coins_},
                {"drill", drill_},
                {"steps", steps_},
                {"score", 1000 + 10 * coins_ - steps_},
                {"finished", finished_}};
    }
    bool finished() const { return finished_; }
    int steps() const { return steps_; }

 private:
    using Cell = std::pair<int, int>;
    char& cell(Cell at) {
        return board_[static_cast<std::size_t>(at.first)][static_cast<std::size_t>(at.second)];
    }

    std::vector<std::string> board_;
    bool with_body_;
    Cell head_;
    std::vector<Cell> body_;
    int coins_ = 0, drill_ = 0, steps_ = 0;
    bool finished_ = false;
};

std::string random_params(tests::Random& random, std::uint32_t seed) {
    const auto level = levels[random.below(4)];
    engines::GenerateRequest request{std::string(level), seed, 5 + random.below(6),
                                     5 + random.below(9)};
    auto text = tests::snake_game->maps()->generate(request);
    const auto examined = tests::snake_game->maps()->examine(text.value());
    EXPECT_TRUE(examined);
    json board = json::array();
    std::string line;
    const auto picture = tests::snake_game->maps()->picture(text.value());
    std::istringstream rows(picture);
    while (std::getline(rows, line)) board.push_back(line);
    return json{{"board", board}, {"level", level}, {"max_steps", 20 + random.below(300)}}.dump();
}

// Mostly walks straight on, so that the snake gets somewhere; now and then nonsense.
std::string random_plan(tests::Random& random) {
    constexpr std::string_view letters = "NSOEW";
    constexpr std::size_t turns_max = 4;
    constexpr std::size_t straight_max = 4;
    std::string plan;
    for (auto turns = 1 + random.below(turns_max); turns > 0; --turns) {
        const auto letter = letters[random.chance(95) ? random.below(4) : 4];
        plan += std::string(1 + random.below(straight_max), letter);
    }
    return plan;
}

void expect_sane(const json& state, bool with_body) {
    ASSERT_EQ(state.at("score"),
              1000 + 10 * state.at("coins").get<int>() - state.at("steps").get<int>());
    ASSERT_GE(state.at("drill"), 0);
    if (!with_body) {
        ASSERT_TRUE(state.at("body").empty());
        return;
    }
    ASSERT_EQ(state.at("body").size(), state.at("coins"));
    std::set<json> squares{state.at("head")};
    json before = state.at("head");
    for (const auto& segment : state.at("body")) {
        ASSERT_TRUE(squares.insert(segment).second) << "two on one square";
        const auto apart = std::abs(segment[0].get<int>() - before[0].get<int>()) +
                           std::abs(segment[1].get<int>() - before[1].get<int>());
        ASSERT_EQ(apart, 1) << "a gap in the body";
        before = segment;
    }
}

TEST(Property, RandomGamesAgreeWithThePlainRulesAndTheirPatches) {
    std::size_t longest = 0, finished = 0;
    for (std::uint32_t seed = 1; seed <= seeds * 4; ++seed) {
        tests::Random random(seed);
        const auto params = random_params(random, seed);
        SCOPED_TRACE(params);
        auto state = tests::start(*tests::snake_game, params);
        const auto setup = json::parse(params);
        PlainSnake plain(setup);
        const bool with_body = setup.at("level") == "challenge3" || setup.at("level") == "final";
        auto before = tests::state_json(*state);
        ASSERT_EQ(before, plain.state());
        while (!state->over()) {
            const auto plan = random_plan(random);
            tests::play(*state, {json(plan).dump()});
            for (const char letter : plan) {
                if (!plain.finished() && plain.steps() < setup.at("max_steps")) plain.step(letter);
            }
            const auto after = tests::state_json(*state);
            ASSERT_EQ(after, plain.state()) << plan;
            ASSERT_EQ(before.patch(tests::delta_json(*state)), after) << tests::delta_json(*state);
            expect_sane(after, with_body);
            longest = std::max(longest, after.at("body").size());
            before = after;
        }
        finished += plain.finished() ? 1 : 0;
    }
    EXPECT_GE(longest, 4U) << "the games are too tame to test the body";
    EXPECT_GE(finished, seeds / 4);
}

// Coins that were there = coins held + lost + left on the board; objects never come back.
TEST(Property, ObjectsOnlyVanishWhereTheHeadIs) {
    for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
        tests::Random random(seed + 1000);
        auto state = tests::start(*tests::snake_game, random_params(random, seed));
        auto before = tests::state_json(*state);
        while (!state->over()) {
            tests::play(*state, {json(random_plan(random).substr(0, 1)).dump()});
            const auto after = tests::state_json(*state);
            const auto head = after.at("head").get<std::array<std::size_t, 2>>();
            auto expected = before.at("board").get<std::vector<std::string>>();
            auto& entered = expected[head[0]][head[1]];
            if (entered != '_') entered = ' ';
            ASSERT_EQ(after.at("board"), json(expected));
            before = after;
        }
    }
}

// A spiral of coins on the largest board: the body grows to thousands of segments, and what a
// turn tells stays small.
TEST(Property, DeltasOfALongSnakeStaySmall) {
    constexpr std::size_t side = 256;
    constexpr std::size_t step_bytes_max = 600;
    std::vector<std::string> rows(side, std::string(side, '$'));
    rows.front().front() = 'o';
    rows.back().back() = '_';
    auto state =
        tests::start(*tests::snake_game, json{{"board", rows}, {"max_steps", 1'000'000}}.dump());
    auto before = tests::state_json(*state);
    std::size_t turn = 0;
    for (std::size_t row = 0; row < 40; ++row) {
        const std::string plan = std::string(side - 1, row % 2 == 0 ? 'E' : 'O') + "S";
        for (const char letter : plan) {
            tests::play(*state, {json(std::string(1, letter)).dump()});
            const auto delta = tests::delta_json(*state);
            ASSERT_LE(delta.dump().size(), step_bytes_max);
            if (++turn % 500 != 1) continue;
            const auto after = tests::state_json(*state);
            ASSERT_EQ(after.at("body").size(), turn);
        }
    }
    // Straight back: all but one segment lost, told in few bytes.
    before = tests::state_json(*state);
    tests::play(*state, {R"("N")"});
    EXPECT_EQ(tests::state_json(*state).at("coins"), 1);
    EXPECT_LE(tests::delta_json(*state).dump().size(), step_bytes_max);
    EXPECT_EQ(before.patch(tests::delta_json(*state)), tests::state_json(*state));
}

TEST(Property, AWholePlanOverTheLargestBoard) {
    constexpr std::size_t side = 256;
    std::vector<std::string> rows(side, std::string(side, '$'));
    rows.front().front() = 'o';
    rows.back().front() = '_';  // an even number of rows: the last is walked to the west
    std::string plan;
    for (std::size_t row = 0; row < side; ++row) {
        plan += std::string(side - 1, row % 2 == 0 ? 'E' : 'O') + (row + 1 < side ? "S" : "");
    }
    auto state =
        tests::start(*tests::snake_game, json{{"board", rows}, {"max_steps", 100'000}}.dump());
    const auto before = tests::state_json(*state);
    tests::play(*state, {json(plan).dump()});
    ASSERT_TRUE(state->over());
    const auto outcome = tests::outcome_json(*state);
    EXPECT_EQ(outcome.at("detail").at("coins"), side * side - 2);
    EXPECT_EQ(outcome.at("scores").at(0), 1000 + 10 * (side * side - 2) - (side * side - 1));
    EXPECT_EQ(before.patch(tests::delta_json(*state)), tests::state_json(*state));
}

}  // namespace
