// The reference bots against one another, in process.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engines/walls/walls.h"
#include "sample_bots/cpp/walls/players.h"
#include "tests/engines/conformance/driver.h"

namespace bots::walls {

namespace {

using MakePlayer = std::unique_ptr<bots::Player> (*)(const bots::GameStart&);

constexpr std::int64_t budget_us = 10000;

// The scores of the two in a few games, in which no move is a fault.
std::vector<nlohmann::json> scores(MakePlayer a, MakePlayer b, int games) {
    const auto game = engines::walls::make_game({});
    std::vector<nlohmann::json> all;
    for (int i = 0; i < games; ++i) {
        const auto state = tests::start(*game, i % 2 == 0 ? "{}" : R"({"first": 1})");
        const std::string game_id = "game " + std::to_string(i);
        bots::GameStart start;
        start.game_id = game_id;
        start.game = "walls";
        std::array<std::unique_ptr<bots::Player>, 2> players;
        for (const std::size_t seat : {0U, 1U}) {
            start.seat = seat;
            players[seat] = (seat == 0 ? a : b)(start);
        }
        while (!state->over()) {
            protocol::json::Document document;
            EXPECT_TRUE(document.parse(tests::state_text(*state)));
            const std::size_t seat = state->to_move()[0] ? 0 : 1;
            const auto move = players[seat]->move({1, budget_us, document.root()});
            const auto notes = tests::play(*state, {move, move});
            for (const auto& note : notes) EXPECT_FALSE(note.is_fault) << note.message;
        }
        all.push_back(tests::outcome_json(*state).at("scores"));
    }
    return all;
}

TEST(Players, MakeNoFaultsAndThoseWithoutAClockPlayTheSameGameAgain) {
    scores(make_minimax, make_greedy, 1);
    EXPECT_EQ(scores(make_random, make_greedy, 10), scores(make_random, make_greedy, 10));
    EXPECT_EQ(scores(make_random, make_random, 10), scores(make_random, make_random, 10));
}

TEST(Players, SurviveAStateThatTheyDoNotKnow) {
    for (const auto make : {make_random, make_greedy, make_minimax}) {
        const auto player = make({});
        for (const auto* text : {"{}", "null", R"({"size": 3, "to_move": 0, "board": ["..."]})",
                                 R"({"size": 5, "to_move": null})"}) {
            protocol::json::Document document;
            ASSERT_TRUE(document.parse(text));
            EXPECT_EQ(player->move({1, budget_us, document.root()}).size(), 3U) << text;
        }
    }
}

namespace rules = engines::walls;
using rules::Facing;
using rules::Move;

struct Case {
    const char* name;
    std::string squares;
    rules::Square at;
    Facing facing;
    Move expected;
};

// Of player A, on a board of size 3; B stands on [1, 2].
const Case cases[] = {
    {"LaysABrickWhereItCan", ".........", {1, 0}, Facing::north, Move::forward},
    {"TurnsFromTheEdge", ".........", {1, 0}, Facing::west, Move::left},
    {"TurnsRightWhereLeftIsLonger", ".......B.", {2, 0}, Facing::west, Move::right},
    {"WalksOverItsOwnBricks", "A..A..ABB", {2, 0}, Facing::north, Move::forward},
    {"LooksForTheNearestUnmarkedSquare", "AA.AB.BBB", {0, 0}, Facing::south, Move::left},
    {"TurnsLeftWhereAllIsLost", "AB.BB.BBB", {0, 0}, Facing::south, Move::left},
};

TEST(Greedy, TakesTheShortestWayToTheNextBrick) {
    for (const auto& [name, squares, at, facing, expected] : cases) {
        rules::Pawn a;
        a.at = at;
        a.facing = facing;
        rules::Pawn b;
        b.at = {1, 2};
        const rules::Position position(rules::size_min, squares, {a, b}, 0);
        EXPECT_EQ(greedy_move(position), expected) << name;
    }
}

// Minimax against a complete solution of the board of size 3.

using rules::Position;

// time: none, as nothing here ends by the clock
constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();

// Exact on a board of size 3: 15 bits of squares, 11 bits for each player and who is to move.
std::uint64_t key_of(const Position& position) {
    std::uint64_t key = 0;
    for (const char square : position.board()) {
        key = key * 3 + (rules::brick_letters.find(square) + 1);  // unmarked: npos + 1 == 0
    }
    for (int i = 0; i < rules::players; ++i) {
        const auto& pawn = position.pawn(i);
        key = (key << 4U) | position.index(pawn.at);
        key = (key << 2U) | static_cast<std::uint64_t>(pawn.facing);
        key = (key << 4U) | static_cast<std::uint64_t>(pawn.idle);
    }
    return (key << 1U) | static_cast<std::uint64_t>(position.to_move());
}

int result_for_a(const Position& position) {
    const int lead = position.pawn(0).bricks - position.pawn(1).bricks;
    return (lead > 0) - (lead < 0);
}

// The value of every position that can be reached, for player A: 1, 0 or -1. No cut-offs, no
// estimates, no depth: each brick or idle move brings the end nearer, so the search ends.
class Solution {
 public:
    int value(Position& position) {
        if (position.over()) return result_for_a(position);
        const auto key = key_of(position);
        if (const auto known = values_.find(key); known != values_.end()) return known->second;
        const int sign = position.to_move() == 0 ? 1 : -1;
        int best = -1;
        for (const auto move : rules::all_moves) {
            const auto played = position.play(move);
            best = std::max(best, sign * value(position));
            position.undo(played);
            if (best == 1) break;  // nothing is better than a win
        }
        values_.emplace(key, static_cast<signed char>(sign * best));
        return sign * best;
    }

 private:
    std::unordered_map<std::uint64_t, signed char> values_;
};

Solution& whole_solution() {
    static Solution solution;
    return solution;
}

// Lets the bot play one side against every reply.
class EveryReply {
 public:
    EveryReply(Solution& solution, int bot) : solution_(solution), bot_(bot) {}

    void play(Position& position) {
        if (position.over() || !seen_.insert(key_of(position)).second) return;
        const int value = solution_.value(position);
        for (const auto move : rules::all_moves) {
            auto chosen = move;
            if (position.to_move() == bot_) {
                ++choices_;
                chosen = search_.choose(position, no_deadline);
                ASSERT_TRUE(search_.proven()) << key_of(position);
            }
            const auto played = position.play(chosen);
            if (played.player == bot_) {
                ASSERT_EQ(solution_.value(position), value);
            }
            play(position);
            position.undo(played);
            if (testing::Test::HasFatalFailure() || played.player == bot_) return;
        }
    }

    std::size_t choices() const { return choices_; }

 private:
    Solution& solution_;
    int bot_;
    std::size_t choices_ = 0;
    Minimax search_;
    std::unordered_set<std::uint64_t> seen_;
};

TEST(Minimax, WinsSizeThreeAgainstEveryReplyWhereItMovesFirst) {
    auto& solution = whole_solution();
    for (int first = 0; first < rules::players; ++first) {
        SCOPED_TRACE("first " + std::to_string(first));
        Position start(rules::size_min, first);
        EXPECT_EQ(solution.value(start), first == 0 ? 1 : -1) << "who moves first wins";
        EveryReply every_reply(solution, first);
        every_reply.play(start);
        if (HasFatalFailure()) return;
        EXPECT_GT(every_reply.choices(), 1000U);
    }
}

TEST(Minimax, StopsAtItsDeadline) {
    Minimax search;
    for (const int size : {3, 5, 99}) {
        // time: a deadline that is over already
        search.choose(Position(size, 0), std::chrono::steady_clock::now());
        EXPECT_LT(search.depth(), 9) << size;
    }
}

}  // namespace

}  // namespace bots::walls
