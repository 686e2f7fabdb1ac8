// Computed changes, applied as the kits for bots do.

#include "engines/delta.h"

#include <gtest/gtest.h>

#include "tests/engines/conformance/random_play.h"

namespace tests {
namespace {

using protocol::json::Document;
using protocol::json::Writer;

std::string difference(const std::string& before, const std::string& after) {
    Document old_document;
    Document new_document;
    EXPECT_TRUE(old_document.parse(before));
    EXPECT_TRUE(new_document.parse(after));
    std::string text;
    Writer writer(text);
    engines::write_difference(writer, old_document.root(), new_document.root());
    return text;
}

// A bot's copy of a state, which it keeps by patches alone.
class Copy {
 public:
    explicit Copy(const std::string& state) : state_(Json::parse(state)) {}
    Json patched(const std::string& delta) {
        EXPECT_NO_THROW(state_ = state_.patch(Json::parse(delta))) << delta;
        return state_;
    }

 private:
    Json state_;
};

TEST(Difference, IsSmallWhereLittleChanged) {
    struct Case {
        std::string before, after, expected;
    };
    const std::string long_text(200, 'x');
    const std::string row = R"(,"filler":")" + long_text + "\"}";
    const Case cases[] = {
        {R"({"a":1)" + row, R"({"a":1)" + row, "[]"},
        {R"({"a":1)" + row, R"({"a":2)" + row, R"([{"op":"replace","path":"/a","value":2}])"},
        {R"({"a":1)" + row, R"({"b":1)" + row,
         R"([{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":1}])"},
        {R"({"a/b~c":[1])" + row, R"({"a/b~c":[2])" + row,
         R"([{"op":"replace","path":"/a~1b~0c/0","value":2}])"},
        {R"({"a":[1,2])" + row, R"({"a":[1,2,3])" + row,
         R"([{"op":"add","path":"/a/2","value":3}])"},
        {R"({"a":[1,2,3])" + row, R"({"a":[1,3])" + row, R"([{"op":"remove","path":"/a/1"}])"},
        {R"({"a":[1,2,3])" + row, R"({"a":[0,1,2])" + row,
         R"([{"op":"add","path":"/a/0","value":0},{"op":"remove","path":"/a/3"}])"},
        {R"({"a":[{"b":1,"c":2}])" + row, R"({"a":[{"b":1,"c":null}])" + row,
         R"([{"op":"replace","path":"/a/0/c","value":null}])"},
        {R"({"a":18446744073709551615)" + row, R"({"a":1.5)" + row,
         R"([{"op":"replace","path":"/a","value":1.5}])"},
    };
    for (const auto& one : cases) {
        EXPECT_EQ(difference(one.before, one.after), one.expected) << one.before;
        EXPECT_EQ(Copy(one.before).patched(one.expected), Json::parse(one.after));
    }
}

TEST(Difference, IsTheNewValueWhereAllChanged) {
    EXPECT_EQ(difference(R"({"a":[1,2,3,4]})", R"({"b":1})"),
              R"([{"op":"replace","path":"","value":{"b":1}}])");
}

TEST(Difference, OfAnyTwoValuesLeadsFromOneToTheOther) {
    constexpr std::size_t pairs = 4000;
    Random random(7);
    for (std::size_t i = 0; i < pairs; ++i) {
        const auto before = random_json(random);
        auto after = random.chance(20) ? random_json(random) : mutated(random, before);
        if (random.chance(50)) after = mutated(random, after);
        const auto delta = difference(before, after);
        ASSERT_EQ(Copy(before).patched(delta), Json::parse(after)) << before << '\n' << delta;
    }
}

TEST(Difference, OfLongArraysIsRightToo) {
    Json before = Json::array();
    for (int i = 0; i < 1000; ++i) before.push_back(i);
    auto after = before;
    std::reverse(after.begin(), after.end());
    after.push_back("more");
    const auto delta = difference(before.dump(), after.dump());
    EXPECT_EQ(Copy(before.dump()).patched(delta), after);
}

class Deltas : public RandomPlay {};

// The later ones of a game are no larger than the first.
void expect_no_growth(const std::vector<std::size_t>& sizes) {
    constexpr std::size_t quarters = 4;
    constexpr std::size_t slack_bytes = 400;
    const auto quarter = static_cast<std::ptrdiff_t>(sizes.size() / quarters);
    if (quarter == 0) return;
    const auto early = *std::max_element(sizes.begin(), sizes.begin() + quarter);
    const auto late = *std::max_element(sizes.end() - quarter, sizes.end());
    EXPECT_LE(late, 2 * early + slack_bytes) << "after turns: " << sizes.size();
}

// A bot that keeps the changes alone has the state after every turn: by what the referee sends, and
// by what it would send if the game had no words of its own.
TEST_P(Deltas, KeepABotsCopyRightAndDoNotGrowWithTheTurns) {
    each_game([&](RandomGame& game) {
        auto before = state_text(*game.state);
        Copy told(before);
        Copy computed(before);
        std::vector<std::size_t> sizes_told;
        std::vector<std::size_t> sizes_computed;
        engines::DeltaWriter changes;
        changes.begin(before);
        while (!game.state->over()) {
            game.step(game.next());
            std::string delta;
            Writer writer(delta);
            changes.write(*game.state, writer);
            auto after = state_text(*game.state);
            const auto expected = Json::parse(after);
            ASSERT_EQ(told.patched(delta), expected) << delta;
            const auto between = difference(before, after);
            ASSERT_EQ(computed.patched(between), expected) << between;
            sizes_told.push_back(delta.size());
            sizes_computed.push_back(between.size());
            before = std::move(after);
        }
        expect_no_growth(sizes_told);
        expect_no_growth(sizes_computed);
    });
}

INSTANTIATE_TEST_SUITE_P(AllGames, Deltas, testing::ValuesIn(game_cases()),
                         [](const auto& test) { return test.param.id; });

}  // namespace
}  // namespace tests
