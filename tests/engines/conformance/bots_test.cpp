// What is promised of every reference bot, by the beginnings of games against itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "sample_bots/cpp/reference/reference_players.h"
#include "tests/engines/conformance/driver.h"
#include "tests/engines/conformance/games.h"

namespace bots {

void PrintTo(const ReferencePlayer& bot, std::ostream* out) {
    *out << bot.program;
}

}  // namespace bots

namespace tests {
namespace {

using engines::Seat;
using protocol::json::Document;

constexpr std::int64_t turns_looked_at = 40;
constexpr std::int64_t budget_us = 10'000;

class ReferenceBots : public testing::TestWithParam<bots::ReferencePlayer> {
 protected:
    const engines::Game& engine() const { return *registry().find(GetParam().game); }

    std::unique_ptr<bots::Player> made(const Document& params, const Document& state, Seat seat,
                                       const std::string& id) const {
        return GetParam().make({id, GetParam().game, seat, {}, params.root(), state.root()});
    }

    // All that it plays in all seats. Where a seat has a move that is no fault, it makes none.
    std::string played(const std::string& setup, const std::string& id) const {
        const auto game = start(engine(), setup);
        Document params, shown;
        EXPECT_TRUE(params.parse(full_params(engine(), setup)));
        EXPECT_TRUE(shown.parse(state_text(*game)));
        std::vector<std::unique_ptr<bots::Player>> players;
        for (Seat seat = 0; seat < game->seats(); ++seat)
            players.push_back(made(params, shown, seat, id));
        std::string all;
        for (std::int64_t turn = 1; turn <= turns_looked_at && !game->over(); ++turn) {
            EXPECT_TRUE(shown.parse(state_text(*game)));
            std::vector<std::string> moves(game->seats(), "null");
            for (Seat seat = 0; seat < game->seats(); ++seat) {
                if (!game->to_move()[seat]) continue;
                moves[seat] = players[seat]->move({turn, budget_us, shown.root()});
                all += moves[seat] + '\n';
                const auto legal = game->legal_moves(seat);
                const bool is_trapped = legal && !is_good(*game, seat, legal->moves.front());
                EXPECT_TRUE(is_trapped || is_good(*game, seat, moves[seat]))
                    << setup << ", turn " << turn << ": " << moves[seat];
            }
            play(*game, moves);
        }
        return all;
    }

    static bool is_good(const engines::State& state, Seat seat, const std::string& move) {
        const auto checked = check(state, seat, move);
        return checked || !checked.error().is_fault;
    }
};

TEST_P(ReferenceBots, MakeNoFaultThatCanBeHelpedAndPlayTheSameAgainWithoutAClock) {
    const auto cases = game_cases();
    const auto own = std::ranges::find(cases, GetParam().game, &GameCase::id);
    for (const auto& setup :
         std::span(own->setups).first(std::min<std::size_t>(2, own->setups.size()))) {
        const auto first = played(setup, "game");
        if (!GetParam().timed) {
            EXPECT_EQ(played(setup, "game"), first) << setup;
        }
    }
}

TEST_P(ReferenceBots, ThatPlayByChancePlayAnotherGameWhereTheIdIsAnother) {
    const std::set<std::string_view> by_chance{"walls-random", "e7-random", "snake-random",
                                               "cycles-dumb", "cycles-smarter"};
    if (!by_chance.contains(GetParam().program)) return;
    const auto cases = game_cases();
    const auto own = std::ranges::find(cases, GetParam().game, &GameCase::id);
    std::set<std::string> games;
    for (const auto* id : {"m.1", "m.2", "m.3"}) games.insert(played(own->setups.at(1), id));
    EXPECT_EQ(games.size(), 3U);
}

TEST_P(ReferenceBots, AnswerStatesThatTheyDoNotKnow) {
    Document none, shown;
    ASSERT_TRUE(none.parse("{}"));
    for (const auto* text :
         {"{}", "null", "[]", R"({"grid": [[0, 0], [0]]})", R"({"grid": [[]]})",
          R"({"size": 3, "to_move": 0, "board": ["..."]})", R"({"size": 5, "to_move": null})",
          R"({"board": []})", R"({"board": ["..", "x"]})", R"({"board": "........."})"}) {
        ASSERT_TRUE(shown.parse(text));
        const auto player = made(none, shown, 0, "game");
        EXPECT_TRUE(nlohmann::json::accept(player->move({1, budget_us, shown.root()}))) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(AllBots, ReferenceBots, testing::ValuesIn(bots::reference_players()),
                         [](const auto& test) {
                             std::string name(test.param.program);
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace tests
