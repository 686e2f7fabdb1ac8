#include "referee/cli/ctl_report.h"
#include "tests/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace referee::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

Json tournament(const std::string& id) {
    return {{"id", id},   {"game", "walls"}, {"format", "swiss"}, {"state", "running"}, {"bots", 4},
            {"round", 2}, {"matches", 3},    {"games", 6},        {"running", 1}};
}

TEST(CtlReport, TellsWhoIsWithdrawnAndWhatIsSetAside) {
    auto friday = tournament("friday");
    friday["withdrawn"] =
        Json::array({{{"bot", "ann"},
                      {"reason", "it did not show up"},
                      {"remedy", "`referee ctl admit friday ann` lets it in again"}},
                     {{"bot", "bob"}, {"reason", "ill"}}});
    friday["stuck"] = "game friday/1.1~4 is set aside";
    friday["waiting"] = Json::array({{{"for", "calm"},
                                      {"text", "game friday/1.1~5 of friday is set aside"},
                                      {"remedy", "`referee ctl resume friday`"}}});
    auto over = friday;
    over["id"] = "monday";
    over["state"] = "finished";
    const Json answer{{"tournaments", Json::array({friday, over})}};
    const auto text = ctl_report("tournaments", answer);
    EXPECT_THAT(text, HasSubstr("\nann is withdrawn from friday (it did not show up)\n"
                                "    `referee ctl admit friday ann` lets it in again\n"
                                "bob is withdrawn from friday (ill)\n"));
    EXPECT_THAT(text, Not(HasSubstr("withdrawn from monday")));
    EXPECT_THAT(text, HasSubstr("\ngame friday/1.1~5 of friday is set aside\n"
                                "    `referee ctl resume friday`\n"));
    EXPECT_THAT(text, Not(HasSubstr("friday/1.1~4"))) << "the wait tells it";
}

TEST(CtlReport, SaysOfAPreviewThatNothingIsChanged) {
    const Json preview{{"dry_run", true}, {"message", "friday is paused"}};
    const auto said = "nothing is changed; without --dry-run: friday is paused\n";
    for (const auto* order : {"pause", "pair", "token"})
        EXPECT_EQ(ctl_report(order, preview), said);
    EXPECT_EQ(ctl_report("pause", {{"message", "friday is paused"}}), "friday is paused\n");
    EXPECT_EQ(ctl_report("rerun", preview), "friday is paused\n") << "it says what would be";
}

TEST(CtlReport, TellsWhyATournamentEndedEarly) {
    auto friday = tournament("friday");
    friday["state"] = "finished";
    friday["reason"] = "every match is played";
    auto monday = friday;
    monday["id"] = "monday";
    monday["reason"] = "it ended early: round 3 can't be paired";
    const auto text = ctl_report("tournaments", {{"tournaments", {friday, monday}}});
    EXPECT_THAT(text, HasSubstr("monday is finished (it ended early: round 3 can't be paired)\n"));
    EXPECT_THAT(text, Not(HasSubstr("friday is finished")));
}

TEST(CtlReport, TellsByesFromThoseWhoAreAbsent) {
    const Json outlook{{"message", "round 2 of friday"},
                       {"boards", Json::array({Json::array({"ann", "bob"})})},
                       {"byes", Json::array({"cleo"})},
                       {"absent", Json::array({"dan"})}};
    EXPECT_EQ(ctl_report("pair", outlook),
              "round 2 of friday\n    ann - bob\n    bye: cleo\n    absent: dan\n");
}

// Of two tournaments, friday with these members more.
Json two(const Json& friday, const Json& monday) {
    auto all = Json::array({tournament("friday"), tournament("monday")});
    all[0].update(friday);
    all[1].update(monday);
    return {{"tournaments", all}};
}

TEST(CtlReport, TellsInALineOfItsOwnWhatIsNotAsUsual) {
    struct Case {
        Json answer;
        std::string line;
        std::string not_said{"\f"};
        bool verbose = false;
    };
    const auto priority = [](const char* name, int lost, const std::string& line) {
        return Case{{{"priority", name}, {"priority_lost", lost}}, line, "\f", true};
    };
    const auto here = [](int bots, int games, const std::string& line) {
        return Case{{{"bots", bots}, {"games_running", games}}, line};
    };
    const std::string busy = "; it was too busy for that class, and lost it for a while, ";
    const Json sandbox{{"sandbox", {{"tier", "A"}, {"text", "bots run in the sandbox, tier A"}}}};
    const std::vector<Case> cases{
        {two({{"reason", "started; left out behind the best 2: eve"}}, {{"reason", "started"}}),
         "friday started; left out behind the best 2: eve", "monday started"},
        {two({{"annulled", 2}, {"last_annulled", "game friday/1.1~2: a cable was loose"}},
             {{"annulled", 0}}),
         "2 games of friday were annulled so far, the last: game friday/1.1~2: a cable was loose",
         "of monday"},
        {two({{"state", "aborted"},
              {"reason", "enough"},
              {"remedy", "`referee ctl resume friday` undoes that"}},
             {{"reason", "as before"}}),
         "friday is aborted (enough)\n    `referee ctl resume friday` undoes that", "monday is"},
        {{{"machines",
           {{"jobs", 3}, {"begun", 1}, {"because", {{"Priority", 1}, {"Resources", 1}}}}}},
         "other machines have 3 jobs, of which 1 have begun; 1 wait: Priority; 1 wait: Resources"},
        {{{"turned_away", Json::array({"\"Ann\" was turned away: capitals"})}},
         "\"Ann\" was turned away: capitals"},
        {{{"launch_changes", Json::array({"ann: its \"launch\" has changed"})}},
         "ann: its \"launch\" has changed"},
        here(0, 0, "0 bots are here, no game is running now"),
        here(1, 1, "1 bot is here, 1 game is running now"),
        here(5, 2, "5 bots are here, 2 games are running now"),
        {sandbox, "", "sandbox"},
        {sandbox, "bots run in the sandbox, tier A", "\f", true},
        priority("real-time", 0, "the daemon runs in a real-time class"),
        priority("real-time", 12,
                 "the daemon runs in a real-time class" + busy + "12 times so far"),
        priority("lost", 1,
                 "the daemon has lost its real-time class until the next game begins" + busy +
                     "1 time so far"),
        priority("nice", 0, "the daemon has a nice value below 0"),
        priority("plain", 0, "the daemon has no priority over other programs"),
    };
    for (const auto& [answer, line, not_said, verbose] : cases) {
        auto whole = answer;
        if (!whole.contains("tournaments")) whole["tournaments"] = Json::array();
        const auto text = ctl_report("status", whole, {.verbose = verbose});
        EXPECT_THAT(text, HasSubstr(line.empty() ? "" : '\n' + line + '\n'));
        EXPECT_THAT(text, Not(HasSubstr(not_said))) << line;
    }
    EXPECT_THAT(ctl_report("status", two(Json::object(), Json::object())),
                Not(HasSubstr("sandbox")));
}

TEST(CtlReport, TellsWhoWaitsForApproval) {
    Json answer{{"registrations", Json::array()}, {"waiting", 0}, {"approval", true}};
    EXPECT_EQ(ctl_report("registrations", answer), "0 names wait for approval\n");
    answer["registrations"] = Json::array({{{"name", "ann"},
                                            {"standing", "waiting"},
                                            {"from", "10.0.0.7"},
                                            {"student_id", "1234"},
                                            {"email", "ann@example.edu"}}});
    answer["waiting"] = 1;
    const auto text = ctl_report("registrations", answer);
    for (const auto* part : {"ann", "waiting", "10.0.0.7", "1234", "ann@example.edu"})
        EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("\n1 name waits for approval\n"));
    answer["approval"] = false;
    EXPECT_THAT(ctl_report("registrations", answer), HasSubstr("nobody is kept waiting"));
}

TEST(CtlReport, TellsHowMuchOfABotsWayIsAllowed) {
    const Json far{{"name", "ann"},
                   {"connected", true},
                   {"round_trip_us", 45000},
                   {"allowance_us", 5400},
                   {"allowed_by", "peers"},
                   {"outlier", true},
                   {"jitter_us", 2300},
                   {"turns", 40},
                   {"turns_by_doubt", 3},
                   {"games", Json::array()},
                   {"tournaments", Json::array()}};
    const Json launched{{"name", "bob"},
                        {"connected", true},
                        {"games", Json::array()},
                        {"tournaments", Json::array()}};
    const auto text =
        ctl_report("bots", {{"bots", Json::array({far, launched})}}, {.network = true});
    EXPECT_THAT(text, HasSubstr("45.000 ms"));
    EXPECT_THAT(text, HasSubstr("  2.300 ms"));
    EXPECT_THAT(text, HasSubstr("at most 5.400 ms by its peers: an outlier"));
    EXPECT_THAT(text, HasSubstr("3 of 40"));
    const auto status =
        ctl_report("status",
                   {{"tournaments", Json::array()},
                    {"outliers",
                     {"bot ann: round trip 45.000 ms, its network's median 0.400 ms: "
                      "allowed 5.400 ms"}}},
                   {.verbose = true});
    EXPECT_THAT(status, HasSubstr("\nbot ann: round trip 45.000 ms"));
}

TEST(CtlReport, TellsHowBotsStandAndWhenTheyWereHere) {
    const auto bots = Json::parse(R"([
        {"name": "ann", "connected": true, "games_played": 12, "faults": 1, "last_seen_s": 3, "games": ["friday/12.1"],
         "tournaments": ["practice", "friday"], "ranks": {"practice": 3}},
        {"name": "bob", "connected": false, "last_seen_s": 7300, "games": [], "tournaments": []}])");
    EXPECT_EQ(ctl_report("bots", {{"bots", bots}}),
              "bot  rank                  games  faults  last seen      playing\n"
              "ann  practice 3, friday -     12       1  here           friday/12.1\n"
              "bob  -                         0       0  2 h 1 min ago\n");
}

TEST(CtlReport, ShowsAFewWaitsOfAKindWithOneRemedy) {
    auto friday = tournament("friday");
    friday["waiting"] = Json::array();
    for (int i = 1; i <= 8; ++i)
        friday["waiting"].push_back({{"for", "bot"},
                                     {"text", "a game waits for bot" + std::to_string(i)},
                                     {"remedy", "`withdraw bot" + std::to_string(i) + "`"}});
    friday["waiting"].push_back({{"for", "calm"}, {"text", "a game is set aside"}});
    const auto text = ctl_report("tournaments", {{"tournaments", Json::array({friday})}});
    EXPECT_THAT(text, HasSubstr("\na game waits for bot1\n    `withdraw bot1`\n"
                                "a game waits for bot2\na game waits for bot3\n"
                                "a game is set aside\nand 5 more like these (--json has all)\n"));
}

TEST(CtlReport, TellsTheSameWaitOfSeveralBotsOnce) {
    auto friday = tournament("friday");
    friday["waiting"] = Json::array();
    for (const auto* bot : {"ann", "bob", "eve", "tim"})
        friday["waiting"].push_back(
            {{"for", "bot"},
             {"bots", Json::array({bot})},
             {"text", std::string("a game waits for ") + bot + ", who is " +
                          (bot == std::string("tim") ? "away" : "not launched again")},
             {"remedy", std::string("`withdraw ") + bot + "`"}});
    const auto text = ctl_report("tournaments", {{"tournaments", Json::array({friday})}});
    EXPECT_THAT(text, HasSubstr("\na game waits for ann, who is not launched again\n"
                                "    the same for bob and eve\n    `withdraw ann`\n"
                                "a game waits for tim, who is away\n"));
}

TEST(CtlReport, FollowsTheTerminalsWidth) {
    const auto name = std::string(30, 'b');
    Json bots = Json::array();
    for (const bool here : {true, false})
        bots.push_back({{"name", name},
                        {"connected", here},
                        {"from", "2001:db8:85a3:8d3:1319:8a2e:370:7348"},
                        {"games", Json::array({"friday/12.1", "friday/13.1", "friday/14.1",
                                               "friday/15.1", "friday/16.1"})},
                        {"tournaments", Json::array({"f\u00e4iday", "monday", "practice"})}});
    const auto widest = [&bots](std::size_t width) {
        std::istringstream lines(ctl_report("bots", {{"bots", bots}}, {.width = width}));
        std::size_t most = 0;
        for (std::string line; std::getline(lines, line);) {
            EXPECT_NO_THROW(static_cast<void>(Json(line).dump())) << "cut inside a character";
            most = std::max(most, line.size());
        }
        return most;
    };
    const auto whole = widest(0);
    EXPECT_GT(whole, 150U);
    EXPECT_EQ(widest(whole + 10), whole);
    for (const std::size_t width : {150U, 140U, 130U, 125U}) EXPECT_LE(widest(width), width + 1);
    EXPECT_LT(widest(80), 130U) << "as narrow as it can be";
    EXPECT_THAT(ctl_report("bots", {{"bots", bots}}, {.width = 140}), HasSubstr(name));
    EXPECT_THAT(ctl_report("bots", {{"bots", bots}}, {.width = 125}), HasSubstr("..."));
}

TEST(CtlReport, IsATableWhereAllIsWell) {
    const Json answer{{"tournaments", Json::array({tournament("friday")})}};
    const auto text = ctl_report("tournaments", answer);
    EXPECT_THAT(text, HasSubstr("friday"));
    EXPECT_THAT(text, Not(HasSubstr("withdrawn")));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2) << text;
}

}  // namespace
}  // namespace referee::cli
