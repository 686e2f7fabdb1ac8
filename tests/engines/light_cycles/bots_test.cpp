#include <gtest/gtest.h>

#include "sample_bots/cpp/light_cycles/players.h"

namespace bots::light_cycles {
namespace {

using MakePlayer = std::unique_ptr<bots::Player> (*)(const bots::GameStart&);

void parse(protocol::json::Document& document, const std::string& text) {
    EXPECT_TRUE(document.parse(text)) << text;
}

// A player on a 5 x 5 grid, and the moves that it makes as the states come.
class Shown {
 public:
    Shown(MakePlayer make, const char* starts, std::size_t seat, const std::string& id = "g1") {
        parse(params_, std::string(R"({"width": 5, "height": 5, "teams": 2, "cycles_per_team": 1,
              "mean_budget_us": 50000, "grace_turns": 0, "starts": )") +
                           starts + "}");
        parse(state_,
              std::string(R"({"turn": 0, "cycles": )") + starts + R"(, "used_us": [0, 0]})");
        player_ = make({id, "light_cycles", seat, {}, params_.root(), state_.root()});
    }

    std::string move(const char* cycles) {
        parse(state_,
              std::string(R"({"turn": 0, "cycles": )") + cycles + R"(, "used_us": [0, 0]})");
        return player_->move({1, 0, state_.root()});
    }

 private:
    protocol::json::Document params_;
    protocol::json::Document state_;
    std::unique_ptr<bots::Player> player_;
};

TEST(Dumb, GoesStraightOnWhileThatIsLegal) {
    Shown shown(make_dumb, "[[0,2],[4,4]]", 0);
    shown.move("[[0,2],[4,4]]");
    EXPECT_EQ(shown.move("[[1,2],[3,4]]"), "[[2,2]]");
    EXPECT_EQ(shown.move("[[2,2],[2,4]]"), "[[3,2]]");
    EXPECT_EQ(shown.move("[[3,2],[1,4]]"), "[[4,2]]");
}

TEST(Dumb, TakesALegalTurnAtTheEdgeAndAtTrails) {
    Shown shown(make_dumb, "[[4,1],[0,0]]", 0);
    shown.move("[[4,1],[0,0]]");
    EXPECT_EQ(shown.move("[[4,0],[1,0]]"), "[[3,0]]") << "an edge ahead, an edge beside";
    EXPECT_EQ(shown.move("[[3,0],[2,0]]"), "[[3,1]]") << "a trail ahead, an edge beside";
}

TEST(Dumb, MayGoWhereATerminatedTrailWas) {
    Shown shown(make_dumb, "[[4,0],[2,0]]", 0);
    shown.move("[[4,0],[2,0]]");
    shown.move("[[3,0],[2,1]]");
    EXPECT_EQ(shown.move("[[3,0],[-1,-1]]"), "[[2,0]]");
}

TEST(Dumb, TurnsBothWays) {
    int up = 0;
    for (int i = 0; i < 40; ++i) {
        Shown shown(make_dumb, "[[3,2],[0,0]]", 0, "game " + std::to_string(i));
        const auto move = shown.move("[[4,2],[1,0]]");
        EXPECT_TRUE(move == "[[4,1]]" || move == "[[4,3]]") << move;
        up += move == "[[4,1]]";
    }
    EXPECT_GT(up, 8);
    EXPECT_LT(up, 32);
}

TEST(Smarter, TakesTheLargerSide) {
    // Its own trail leaves three columns on the left, one on the right; the other is above.
    Shown shown(make_smarter, "[[0,0],[3,4]]", 1);
    shown.move("[[0,0],[3,4]]");
    shown.move("[[1,0],[3,3]]");
    shown.move("[[2,0],[3,2]]");
    shown.move("[[3,0],[3,1]]");
    EXPECT_EQ(shown.move("[[3,0],[3,1]]"), "[[2,1]]");
}

TEST(Smarter, GoesBackBesideItsOwnTrail) {
    // Nobody else is left, and it has just turned at the upper edge.
    Shown shown(make_smarter, "[[0,0],[2,4]]", 1);
    shown.move("[[-1,-1],[2,3]]");
    shown.move("[[-1,-1],[2,2]]");
    shown.move("[[-1,-1],[2,1]]");
    shown.move("[[-1,-1],[2,0]]");
    EXPECT_EQ(shown.move("[[-1,-1],[1,0]]"), "[[1,1]]");
}

}  // namespace
}  // namespace bots::light_cycles
