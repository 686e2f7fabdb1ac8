// Replays that were changed, or that are none. Any bytes are for tests/fuzz/checks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"
#include "tests/json.h"

namespace referee::trace {

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string walls_header =
    R"({"replay":1,"game_id":"friday/1.1","game":"walls","seed":3,"params":{"size":3},"bots":["a","b"]})"
    "\n";
const std::string idle_turn = "{\"moves\":[\"L\",\"L\"],\"used_us\":[5,5]}\n";
constexpr int idle_turns = 18;

std::string turns(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += idle_turn;
    return text;
}

std::string result(const std::string& status, const std::string& outcome, int played,
                   const std::string& faults = "", int faults_total = 0) {
    return R"({"result":{"status":")" + status + R"(","outcome":)" + outcome + R"(,"turns":)" +
           std::to_string(played) + R"(,"faults":[)" + faults + R"(],"faults_total":)" +
           std::to_string(faults_total) + "}}\n";
}

const std::string draw = R"({"scores":[1,1],"placing":[1,1],"detail":{"bricks":[0,0],"moves":18}})";
const std::string a_won =
    R"({"scores":[2,0],"placing":[1,2],"detail":{"bricks":[0,0],"moves":18}})";

base::Result<ReplayVerdict, Refusal> check(const std::string& replay) {
    const engines::Registry registry;
    std::istringstream stream(replay);
    return check_replay(stream, "replay.ndjson", registry);
}

std::vector<std::string> differences(const std::string& replay) {
    const auto checked = check(replay);
    if (!checked) return {"refused: " + checked.error().message};
    return checked->differences;
}

TEST(ReplayCheckTest, WhatWasChangedIsFound) {
    struct Case {
        const char* what;
        std::string replay;
        const char* difference;
    };
    const std::string forfeit_a = "{\"forfeit\":0}\n";
    const std::string b_won =
        R"({"scores":[0,2],"placing":[2,1],"detail":{"bricks":[0,0],"moves":2}})";
    const std::vector<Case> cases{
        {"outcome", walls_header + turns(idle_turns) + result("played", a_won, idle_turns),
         "outcome: recorded"},
        {"count of turns", walls_header + turns(idle_turns) + result("played", draw, 17),
         "turns: recorded 17, played again 18"},
        {"a turn left out", walls_header + turns(17) + result("played", draw, 17),
         "outcome: the game is not over"},
        {"a turn too many", walls_header + turns(19) + result("played", draw, 19),
         "line 20: a turn after the end"},
        {"no outcome", walls_header + turns(idle_turns) + result("played", "null", idle_turns),
         "outcome: recorded null"},
        {"an annulled game with one", walls_header + turns(2) + result("annulled", draw, 2),
         "outcome: a game that does not count"},
        {"a fault that wasn't",
         walls_header + turns(idle_turns) +
             result("played", draw, idle_turns, R"({"code":"illegal"})", 1),
         "faults: recorded 1 bad moves, played again 0"},
        {"a forfeit left out", walls_header + turns(2) + result("forfeited", b_won, 2),
         "outcome: the game is not over"},
        {"a turn after the forfeit",
         walls_header + forfeit_a + turns(1) + result("forfeited", b_won, 1),
         "line 3: a turn after the end"},
    };
    for (const auto& [what, replay, difference] : cases) {
        EXPECT_THAT(differences(replay), ElementsAre(StartsWith(difference))) << what;
    }
    EXPECT_THAT(differences(walls_header + turns(2) + forfeit_a + result("forfeited", b_won, 2)),
                IsEmpty());
    EXPECT_THAT(differences(walls_header + turns(2) + result("interrupted", "null", 2)), IsEmpty());
}

TEST(ReplayCheckTest, RefusesWhatIsNoReplay) {
    const auto end = result("played", draw, idle_turns);
    const auto begins_with = [&end](const std::string& line) { return line + "\n" + end; };
    struct Case {
        std::string replay;
        const char* begins;
    };
    const std::vector<Case> cases{
        {"", "replay.ndjson:1: "},
        {"hello\n", "replay.ndjson:1: that is no replay: expected a first line such as"},
        {begins_with(R"({"replay":2,"game":"walls"})"),
         "replay.ndjson:1: replay: expected a replay of version 1, found one of version 2: a later "
         "referee wrote it, and can read it"},
        {begins_with(R"(["replay"])"), "replay.ndjson:1: replay: expected a replay of version 1"},
        {begins_with(R"({"replay":1,"game":"chess"})"), "replay.ndjson:1: game: "},
        {begins_with(R"({"replay":1,"game":"walls","params":{"size":2}})"),
         "replay.ndjson:1: params.size: "},
        {walls_header,
         "replay.ndjson: expected a last line with the result; the replay is cut short"},
        {walls_header + turns(3) + "{\"mov", "replay.ndjson:5: "},
        {walls_header + turns(1) + "{\"moves\":[\"L\"]}\n" + end, "replay.ndjson:3: moves: "},
        {walls_header + "{\"forfeit\":2}\n" + end,
         "replay.ndjson:2: forfeit: expected a seat below 2"},
        {walls_header + "{}\n" + end, "replay.ndjson:2: moves: expected an array of 2 entries"},
    };
    for (const auto& [replay, begins] : cases) {
        const auto checked = check(replay);
        ASSERT_FALSE(checked) << replay;
        EXPECT_THAT(checked.error().message, StartsWith(begins)) << replay;
    }
}

nlohmann::json whole_header() {
    return nlohmann::json::parse(R"({
        "replay": 1, "game_id": "friday/1.1", "tournament": "friday", "match": 1, "number": 1,
        "attempt": 1, "game": "walls", "seed": 3, "params": {"size": 3}, "bots": ["a", "b"],
        "clock": {"kind": "turn", "measure": "wall", "budget_us": 1000000,
                  "hard_limit_us": 1000000, "increment_us": 0, "hung_after_us": 1},
        "forked_from": {}})");
}

constexpr std::int64_t huge_integer = std::int64_t{1} << 62;

// Values of all kinds, and large ones, none of which is good in most places.
std::vector<nlohmann::json> odd_values() {
    using nlohmann::json;
    const auto list = json::array({json::array()});
    return {nullptr,
            "seven\x1b[2J\u202e",
            7.5,
            -1,
            true,
            list,
            json::parse(R"({"a": {}})"),
            std::string(100'000, 'x'),
            std::vector<int>(10'000, 1),
            huge_integer};
}

// Whether a member of the first line may be that.
bool is_taken(const std::string& member, const nlohmann::json& value, Header needed) {
    if (member == "game" || member == "game_id" || member == "tournament") return value.is_string();
    if (member == "params" || member == "forked_from") return value.is_object();
    if (member == "match" || member == "number" || member == "attempt")
        return value == huge_integer;
    return member == "clock" && value.is_object() && needed == Header::any;
}

// What is wrong with the first line; nothing where it is good.
std::string said_of(const nlohmann::json& header, Header needed) {
    const auto text = header.dump();
    protocol::json::Document document;
    EXPECT_TRUE(document.parse(text));
    const auto checked = check_header(document.root(), needed);
    return checked ? "" : checked.error();
}

constexpr Header needs[] = {Header::any, Header::whole};
constexpr std::size_t said_bytes_max = 300;

TEST(HeaderTest, AMemberOfAnotherTypeIsRefusedByName) {
    const auto good = whole_header();
    const auto expect_refused = [](const std::string& member, const std::string& said) {
        EXPECT_THAT(said, AllOf(StartsWith(member + ": expected"), Not(HasSubstr("\x1b")),
                                Not(HasSubstr("\u202e"))));
        EXPECT_LT(said.size(), said_bytes_max);
    };
    for (const auto needed : needs) {
        EXPECT_EQ(said_of(good, needed), "");
        for (const auto& value : odd_values()) {
            for (const auto& [member, old] : good.items()) {
                auto header = good;
                header[member] = value;
                const auto said = said_of(header, needed);
                if (is_taken(member, value, needed))
                    EXPECT_EQ(said, "") << member;
                else if (member == "clock" && value.is_object())
                    expect_refused("clock.kind", said);
                else
                    expect_refused(member, said);
            }
            for (const auto& [member, old] : good["clock"].items()) {
                auto header = good;
                header["clock"][member] = value;
                expect_refused("clock." + member, said_of(header, needed));
            }
        }
    }
}

TEST(HeaderTest, WhatIsMissingIsToldWhereItIsNeeded) {
    const std::set<std::string> optional{"tournament",  "match",        "number",       "attempt",
                                         "forked_from", "increment_us", "hung_after_us"};
    const auto good = whole_header();
    for (const auto& [member, old] : good.items()) {
        auto header = good;
        header.erase(member);
        EXPECT_EQ(said_of(header, Header::any).empty(), member != "replay") << member;
        EXPECT_EQ(said_of(header, Header::whole).empty(), optional.contains(member)) << member;
    }
    for (const auto& [member, old] : good["clock"].items()) {
        auto header = good;
        header["clock"].erase(member);
        EXPECT_EQ(said_of(header, Header::any), "") << member;
        EXPECT_EQ(said_of(header, Header::whole).empty(), optional.contains(member)) << member;
    }
}

TEST(HeaderTest, ASeedHas32Bits) {
    auto header = whole_header();
    header["seed"] = std::uint64_t{1} << 32;
    EXPECT_EQ(said_of(header, Header::any),
              "seed: expected an integer from 0 to 4294967295, found 4294967296");
    header["seed"] = 4294967295U;
    EXPECT_EQ(said_of(header, Header::whole), "");
}

}  // namespace

}  // namespace referee::trace
