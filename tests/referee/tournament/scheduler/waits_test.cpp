#include "referee/tournament/scheduler/waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "referee/config/config.h"
#include "referee/tournament/scheduler/notices.h"

namespace referee::scheduler {
namespace {

using namespace std::chrono_literals;
using Kind = Wait::Kind;
using ::testing::HasSubstr;

constexpr Instant now{1h};

TEST(Waiting, ALadderHasNoRoundsFromWhichABotTakesPart) {
    config::TournamentConfig config;
    config.id = "week";
    EXPECT_EQ(takes_part("ann", config), "ann takes part in week from the next round on");
    config.format.options = formats::LadderOptions{};
    EXPECT_EQ(takes_part("ann", config), "ann takes part in week from now on");
}

TEST(Waiting, is_told_with_names_and_the_time_that_is_left) {
    struct Case {
        Wait waiting;
        std::string text;
        std::string remedy{};
    };
    const std::vector<Case> cases{
        {{.kind = Kind::for_start},
         "friday waits for the order to begin",
         "`referee ctl start friday`"},
        {{.kind = Kind::for_resume, .detail = "lunch"},
         "friday is paused (lunch)",
         "`referee ctl resume friday`"},
        {{.kind = Kind::for_arrivals, .bots = {"ann", "bob"}, .until = now + 581s},
         "friday waits for ann and bob to connect, 9:41 left",
         "`referee ctl withdraw friday ann` takes a bot out, `referee ctl start friday --now`"},
        {{.kind = Kind::for_bot,
          .bots = {"bob"},
          .count = 1,
          .until = now + 500ms,
          .detail = "is away"},
         "a game of friday waits for bob, who is away, 0:01 left; then it is forfeited",
         "`referee ctl withdraw friday bob`"},
        {{.kind = Kind::for_bot,
          .bots = {"bob"},
          .count = 3,
          .until = now + 60s,
          .detail = "is being launched"},
         "3 games of friday wait for bob, who is being launched, 1:00 left; then they are "
         "forfeited",
         "`referee ctl withdraw friday bob"},
        {{.kind = Kind::for_bot,
          .tournament = "practice",
          .bots = {"bob"},
          .until = now + 9s,
          .detail = "is being launched"},
         "practice waits for bob, who is being launched, 0:09 left",
         "`referee ctl withdraw practice bob`"},
        {{.kind = Kind::for_matches, .bots = {"ann", "bob", "cyd", "dan"}, .count = 2},
         "the next round of friday waits for 2 matches of this one: ann, bob, cyd and dan"},
        {{.kind = Kind::for_place, .count = 2},
         "2 games of friday wait until one of the games that are played is over"},
        {{.kind = Kind::for_busy, .bots = {"ann"}, .count = 1},
         "a game of friday waits for ann, who plays elsewhere"},
        {{.kind = Kind::for_busy, .tournament = "practice", .bots = {"ann", "bob"}},
         "practice waits for ann and bob, who play elsewhere"},
        {{.kind = Kind::for_draw}, "the next round of friday is being drawn"},
        {{.kind = Kind::for_leaver,
          .tournament = "practice",
          .bots = {"bob"},
          .count = 1,
          .until = now + 5s},
         "practice does not match bob, who left a match before the first turn, 0:05 left"},
        {{.kind = Kind::for_leaver,
          .tournament = "practice",
          .bots = {"bob"},
          .count = 3,
          .until = now + 20s},
         "practice does not match bob, who left 3 matches in a row before the first turn, 0:20 "
         "left"},
        {{.kind = Kind::for_calm,
          .game = "friday/1.1~5",
          .bots = {"ann", "bob"},
          .count = 4,
          .until = now + 10s,
          .detail = "it stood still"},
         "game friday/1.1~5 of friday (ann and bob) is set aside: it was annulled 4 times (it "
         "stood still); it is tried alone when the machine is calm, 0:10 left",
         "`referee ctl resume friday`"},
        {{.kind = Kind::for_calm, .game = "friday/1.1~8", .bots = {"ann"}, .count = 7},
         "game friday/1.1~8 of friday (ann) is set aside: it was annulled 7 times, 3 times of them "
         "alone; it is not tried any more in this run",
         "`referee ctl resume friday`"},
        {{.kind = Kind::for_end, .count = 2},
         "the referee waits for 2 games that are played, then ends"},
    };
    for (auto [waiting, text, remedy] : cases) {
        if (waiting.tournament.empty()) waiting.tournament = "friday";
        EXPECT_EQ(describe(waiting, now), text);
        if (remedy.empty()) {
            EXPECT_EQ(remedy_of(waiting), "") << text;
        } else {
            EXPECT_THAT(remedy_of(waiting), HasSubstr(remedy));
        }
    }
}

TEST(Waiting, names_some_of_many_bots_and_counts_the_others) {
    Wait waiting{.kind = Kind::for_arrivals, .tournament = "t"};
    for (int i = 1; i <= 11; ++i) waiting.bots.push_back("b" + std::to_string(i));
    EXPECT_EQ(subject_of(waiting),
              "t waits for b1, b2, b3, b4, b5, b6, b7, b8 and 3 more to connect");
}

TEST(Waiting, is_the_same_while_fewer_bots_are_waited_for) {
    const Wait for_two{.kind = Kind::for_arrivals, .tournament = "t", .bots = {"ann", "bob"}};
    const Wait for_one{.kind = Kind::for_arrivals, .tournament = "t", .bots = {"bob"}};
    const Wait elsewhere{.kind = Kind::for_arrivals, .tournament = "u", .bots = {"bob"}};
    EXPECT_TRUE(same_wait(for_two, for_one));
    EXPECT_FALSE(same_wait(for_one, elsewhere));
    const Wait game_of_ann{.kind = Kind::for_bot, .tournament = "t", .bots = {"ann"}};
    const Wait game_of_bob{.kind = Kind::for_bot, .tournament = "t", .bots = {"bob"}};
    EXPECT_FALSE(same_wait(game_of_ann, game_of_bob)) << "each bot's time is its own";
    const Wait leaver_ann{.kind = Kind::for_leaver, .tournament = "t", .bots = {"ann"}};
    const Wait leaver_bob{.kind = Kind::for_leaver, .tournament = "t", .bots = {"bob"}};
    EXPECT_FALSE(same_wait(leaver_ann, leaver_bob));
    const auto rest = without({for_two, elsewhere, game_of_ann}, {for_one, game_of_bob});
    ASSERT_EQ(rest.size(), 2U);
    EXPECT_EQ(rest[0].tournament, "u");
    EXPECT_EQ(rest[1].kind, Kind::for_bot);
}

TEST(Waiting, ForABotThatCrashesAgainAndAgainIsToldSeldomWithHowOftenItCame) {
    const Wait crashed{
        .kind = Kind::for_return, .tournament = "t", .game = "t/1.1", .bots = {"ann"}};
    auto elsewhere = crashed;
    elsewhere.bots = {"bob"};
    const Wait arrivals{.kind = Kind::for_arrivals, .tournament = "t", .bots = {"ann"}};
    ToldWaits told;
    std::vector<std::string> lines;
    for (int times = 1; times <= 100; ++times) {
        auto wait = crashed;
        wait.game = "t/1." + std::to_string(times);
        const auto line = told.begins(wait, now + times * 1s);
        EXPECT_EQ(told.ends(wait), !line.empty()) << times;
        if (!line.empty()) lines.push_back(line);
        EXPECT_NE(told.begins(arrivals, now), "") << "a group is no bot that crashes";
        EXPECT_TRUE(told.ends(arrivals));
    }
    const std::string again = " waits for ann to connect again, while its clock runs";
    EXPECT_THAT(lines, ::testing::ElementsAre("game t/1.1" + again,
                                              "game t/1.10" + again + " (10 such waits by now)",
                                              "game t/1.100" + again + " (100 such waits by now)"));
    EXPECT_NE(told.begins(elsewhere, now + 100s), "") << "each bot's is its own";
    EXPECT_EQ(told.begins(crashed, now + 101s), "");
    EXPECT_EQ(told.begins(crashed, now + 1h), describe(crashed, now)) << "much later it is news";
}

}  // namespace
}  // namespace referee::scheduler
