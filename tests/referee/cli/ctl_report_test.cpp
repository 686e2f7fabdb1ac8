#include "referee/cli/ctl_report.h"
#include "tests/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>

namespace referee::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

// The report of an answer. What its tournaments lack is as usual.
std::string report_of(const std::string& command, const std::string& text, CtlView view = {}) {
    auto answer = Json::parse(text);
    for (auto& one : answer["tournaments"]) {
        auto whole = Json::parse(R"({"id": "friday", "game": "walls", "format": "swiss",
            "state": "running", "bots": 4, "round": 2, "matches": 3, "games": 6, "running": 1})");
        whole.update(one);
        one = whole;
    }
    return ctl_report(command, answer, view);
}

TEST(CtlReport, IsAsTold) {
    for (const auto& [command, answer, report] : std::vector<std::array<std::string, 3>>{
             {"pause", R"({"message": "friday is paused"})", "friday is paused\n"},
             {"pause", R"({"dry_run": true, "message": "friday is paused"})",
              "nothing is changed; without --dry-run: friday is paused\n"},
             {"pair", R"({"dry_run": true, "message": "they meet"})",
              "nothing is changed; without --dry-run: they meet\n"},
             {"token", R"({"dry_run": true, "message": "it is new"})",
              "nothing is changed; without --dry-run: it is new\n"},
             {"rerun", R"({"dry_run": true, "message": "it would be"})", "it would be\n"},
             {"pair", R"({"message": "round 2 of friday", "boards": [["ann", "bob"]],
                          "byes": ["cleo"], "absent": ["dan"]})",
              "round 2 of friday\n    ann - bob\n    bye: cleo\n    absent: dan\n"},
             {"registrations", R"({"registrations": [], "waiting": 0, "approval": true})",
              "0 names wait for approval\n"},
             {"bots", R"({"bots": [
                {"name": "ann", "connected": true, "games_played": 12, "faults": 1,
                 "last_seen_s": 3, "games": ["friday/12.1"], "tournaments": ["practice", "friday"],
                 "ranks": {"practice": 3}},
                {"name": "bob", "connected": false, "last_seen_s": 7300, "games": [],
                 "tournaments": []}]})",
              "bot  rank                  games  faults  last seen      playing\n"
              "ann  practice 3, friday -     12       1  here           friday/12.1\n"
              "bob  -                         0       0  2 h 1 min ago\n"}})
        EXPECT_EQ(report_of(command, answer), report) << answer;
}

struct Case {
    std::string command;
    std::string answer;
    std::vector<std::string> told;
    std::string not_told = "\f";
    CtlView view{};
};

void expect_told(const std::vector<Case>& cases) {
    for (const auto& [command, answer, told, not_told, view] : cases) {
        const auto text = report_of(command, answer, view);
        for (const auto& part : told) EXPECT_THAT(text, HasSubstr(part)) << answer;
        EXPECT_THAT(text, Not(HasSubstr(not_told))) << answer;
    }
}

TEST(CtlReport, TellsOfTournaments) {
    const std::string withdrawn = R"("withdrawn": [
        {"bot": "ann", "reason": "it did not show up",
         "remedy": "`referee ctl admit friday ann` lets it in again"},
        {"bot": "bob", "reason": "ill"}])";
    expect_told(
        {{"tournaments",
          "{\"tournaments\": [{" + withdrawn + R"(, "waiting": [
              {"for": "calm", "text": "game friday/1.1~5 of friday is set aside",
               "remedy": "`referee ctl resume friday`"}], "stuck": "game friday/1.1~4 is set aside"}]})",
          {"\nann is withdrawn from friday (it did not show up)\n"
           "    `referee ctl admit friday ann` lets it in again\n"
           "bob is withdrawn from friday (ill)\n",
           "\ngame friday/1.1~5 of friday is set aside\n    `referee ctl resume friday`\n"},
          "friday/1.1~4"},
         {"tournaments",
          "{\"tournaments\": [{\"state\": \"finished\", " + withdrawn + "}]}",
          {"friday"},
          "withdrawn"},
         {"tournaments",
          R"({"tournaments": [{"state": "finished", "reason": "all is played"},
              {"id": "monday", "state": "finished",
               "reason": "it ended early: round 3 can't be paired"}]})",
          {"monday is finished (it ended early: round 3 can't be paired)\n"},
          "friday is finished"},
         {"tournaments",
          R"({"tournaments": [{"waiting": [
              {"for": "bot", "text": "a game waits for a", "remedy": "`withdraw a`"},
              {"for": "bot", "text": "a game waits for b", "remedy": "`withdraw b`"},
              {"for": "bot", "text": "a game waits for c"}, {"for": "bot", "text": "one for d"},
              {"for": "bot", "text": "one for e"}, {"for": "calm", "text": "one is set aside"}]}]})",
          {"\na game waits for a\n    `withdraw a`\na game waits for b\na game waits for c\n"
           "one is set aside\nand 2 more like these (--json has all)\n"}},
         {"tournaments",
          R"({"tournaments": [{"waiting": [
              {"for": "bot", "bots": ["ann"], "text": "ann is not launched again",
               "remedy": "`withdraw ann`"},
              {"for": "bot", "bots": ["bob"], "text": "bob is not launched again"},
              {"for": "bot", "bots": ["eve"], "text": "eve is not launched again"},
              {"for": "bot", "bots": ["tim"], "text": "tim is away"}]}]})",
          {"\nann is not launched again\n    the same for bob and eve\n    `withdraw ann`\n"
           "tim is away\n"}}});
    const auto text = report_of("tournaments", R"({"tournaments": [{}]})");
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << "where all is well: " << text;
}

TEST(CtlReport, TellsInALineOfItsOwnWhatIsNotAsUsual) {
    const auto of_two = [](const std::string& friday, const std::string& monday) {
        return "{\"tournaments\": [{" + friday + "}, {\"id\": \"monday\", " + monday + "}]}";
    };
    const auto priority = [](const std::string& kind, int lost, const std::string& line) {
        return Case{"status",
                    fmt::format(R"({{"priority": "{}", "priority_lost": {}}})", kind, lost),
                    {'\n' + line + '\n'},
                    "\f",
                    {.verbose = true}};
    };
    const std::string busy = "; it was too busy for that class, and lost it for a while, ";
    const std::string sandbox =
        R"({"sandbox": {"tier": "A", "text": "bots run in the sandbox, tier A"}})";
    expect_told(
        {{"status",
          of_two(R"("reason": "started; left out behind the best 2: eve")",
                 R"("reason": "started")"),
          {"\nfriday started; left out behind the best 2: eve\n"},
          "monday started"},
         {"status",
          of_two(R"("annulled": 2, "last_annulled": "game friday/1.1~2: a cable was loose")",
                 R"("annulled": 0)"),
          {"\n2 games of friday were annulled so far, the last: game friday/1.1~2: a cable was "
           "loose\n"},
          "of monday"},
         {"status",
          of_two(R"("state": "aborted", "reason": "enough",
                              "remedy": "`referee ctl resume friday` undoes that")",
                 R"("reason": "as before")"),
          {"\nfriday is aborted (enough)\n    `referee ctl resume friday` undoes that\n"},
          "monday is"},
         {"status",
          R"({"machines": {"jobs": 3, "begun": 1,
                                     "because": {"Priority": 1, "Resources": 1}}})",
          {"\nother machines have 3 jobs, of which 1 have begun; 1 wait: Priority; 1 wait: "
           "Resources\n"}},
         {"status",
          R"({"turned_away": ["Ann was turned away"], "launch_changes": ["ann: changed"]})",
          {"\nAnn was turned away\nann: changed\n"}},
         {"status", "{}", {"\n0 bots are here, no game is running now\n"}},
         {"status",
          R"({"bots": 1, "games_running": 1})",
          {"\n1 bot is here, 1 game is running now\n"}},
         {"status",
          R"({"bots": 5, "games_running": 2})",
          {"\n5 bots are here, 2 games are running now\n"}},
         {"status", sandbox, {}, "sandbox"},
         {"status", sandbox, {"\nbots run in the sandbox, tier A\n"}, "\f", {.verbose = true}},
         {"status",
          R"({"outliers": ["bot ann: round trip 45.000 ms"]})",
          {"\nbot ann: round trip 45.000 ms\n"},
          "\f",
          {.verbose = true}},
         priority("real-time", 0, "the daemon runs in a real-time class"),
         priority("real-time", 12,
                  "the daemon runs in a real-time class" + busy + "12 times so far"),
         priority("lost", 1,
                  "the daemon has lost its real-time class until the next game begins" + busy +
                      "1 time so far"),
         priority("nice", 0, "the daemon has a nice value below 0"),
         priority("plain", 0, "the daemon has no priority over other programs")});
}

TEST(CtlReport, TellsWhoWaitsForApprovalAndHowMuchOfABotsWayIsAllowed) {
    const std::string ann = R"({"registrations": [
        {"name": "ann", "standing": "waiting", "from": "10.0.0.7", "student_id": "1234",
         "email": "ann@example.edu"}], "waiting": 1, "approval": )";
    expect_told(
        {{"registrations",
          ann + "true}",
          {"ann", "waiting", "10.0.0.7", "1234", "ann@example.edu",
           "\n1 name waits for approval\n"}},
         {"registrations", ann + "false}", {"nobody is kept waiting"}},
         {"bots",
          R"({"bots": [
             {"name": "ann", "connected": true, "round_trip_us": 45000, "allowance_us": 5400,
              "allowed_by": "peers", "outlier": true, "jitter_us": 2300, "turns": 40,
              "turns_by_doubt": 3, "games": [], "tournaments": []},
             {"name": "bob", "connected": true, "games": [], "tournaments": []}]})",
          {"45.000 ms", "  2.300 ms", "at most 5.400 ms by its peers: an outlier", "3 of 40"},
          "\f",
          {.network = true}}});
}

TEST(CtlReport, FollowsTheTerminalsWidth) {
    const auto name = std::string(30, 'b');
    const auto bot = [&name](const std::string& here) {
        return "{\"name\": \"" + name + "\", \"connected\": " + here + R"(,
            "from": "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            "games": ["friday/12.1", "friday/13.1", "friday/14.1", "friday/15.1", "friday/16.1"],
            "tournaments": ["fäiday", "monday", "practice"]})";
    };
    const auto bots = "{\"bots\": [" + bot("true") + ", " + bot("false") + "]}";
    const auto widest = [&bots](std::size_t width) {
        std::istringstream lines(report_of("bots", bots, {.width = width}));
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
    EXPECT_THAT(report_of("bots", bots, {.width = 140}), HasSubstr(name));
    EXPECT_THAT(report_of("bots", bots, {.width = 125}), HasSubstr("..."));
}

}  // namespace
}  // namespace referee::cli
