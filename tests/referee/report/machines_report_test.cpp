#include "referee/report/machines_report.h"

#include <gmock/gmock.h>

#include <map>
#include <memory>

#include "referee/cli/ctl_report.h"
#include "referee/contest/formats/match_fold.h"
#include "tests/json.h"

// Tournaments that machines of known paces played.

namespace referee::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Json = nlohmann::json;

constexpr std::uint64_t matches_of_a_day = 90;
constexpr std::int64_t turns_of_a_game = 100;
constexpr std::uint64_t bots_of_a_day = 5;
// As much as a record may tell, and so many that the sum is beyond 2^63.
constexpr std::int64_t most_used_us = std::int64_t{1} << 53;
constexpr std::uint64_t matches_that_overflow = 600;

MachineFacts facts(const std::string& name) {
    return {name, "a processor", "Linux 6.1", 2, "A", 1800};
}

// Bots of different paces; the same seat of the same match wobbles the same on all machines.
GameResult game_on(const MachineFacts& machine, std::uint64_t match, double slower) {
    GameResult result;
    result.key = {"friday", match, 1, 1};
    const auto one = match % bots_of_a_day;
    const auto other = (one + 1 + match / bots_of_a_day % (bots_of_a_day - 1)) % bots_of_a_day;
    for (const auto bot : {one, other}) {
        result.bots.push_back("bot" + std::to_string(bot));
        result.program.push_back("sha256:" + std::to_string(bot));
        const auto wobble = static_cast<double>((match * 7 + bot * 3) % 11) / 10 + 1;
        const auto pace = 100.0 * static_cast<double>(1 + bot * bot) * wobble * slower;
        result.used_us.push_back(static_cast<std::int64_t>(pace * turns_of_a_game));
        result.valid_moves.push_back(turns_of_a_game);
    }
    result.machine = machine;
    return result;
}

// As a contest tells of games that have ended.
struct Played : contests::MachinePlays {
    void note(const GameResult& game) {
        const auto kept = formats::kept_game({}, game, programs);
        contests::MachinePlay play{game.key.match,
                                   counts(game.status),
                                   std::make_shared<const MachineFacts>(game.machine),
                                   {}};
        for (std::size_t seat = 0; seat < game.bots.size(); ++seat) {
            const auto& its = kept.seats()[seat];
            numbers.try_emplace(game.bots[seat], numbers.size());
            play.seats.push_back({numbers.at(game.bots[seat]), its.used_us, its.turns, its.faulty});
        }
        plays.push_back(std::move(play));
        players = numbers.size();
    }
    formats::ProgramNames programs;
    std::map<std::string, std::size_t> numbers;
};

Played played_on(const std::vector<MachineFacts>& machines, const std::vector<double>& slower) {
    Played played;
    for (std::uint64_t match = 1; match <= matches_of_a_day; ++match) {
        // Not in step with the bots.
        const auto at = (match * match + match / 7) % machines.size();
        played.note(game_on(machines[at], match, slower[at]));
    }
    return played;
}

Json json_of(const std::vector<MachineRow>& rows) {
    std::string text;
    protocol::json::Writer writer(text);
    writer.begin_object();
    write_machines(writer, rows);
    writer.key("sentences").begin_array();
    for (const auto& sentence : machine_sentences(rows)) writer.string(sentence);
    writer.end_array().end_object();
    return Json::parse(text);
}

TEST(MachinesReport, TimesThatNobodyCanHaveTakenAddUpToNoLessThanTheyAre) {
    Played played;
    auto game = game_on(facts("node1"), 1, 1);
    game.used_us = {most_used_us, most_used_us};
    for (game.key.match = 1; game.key.match <= matches_that_overflow; ++game.key.match)
        played.note(game);
    EXPECT_GE(machines_report(played).front().used_us, most_used_us);
}

TEST(MachinesReport, TellsWhichMachineDiffersAndByHowMuch) {
    const auto played = played_on({facts("node1"), facts("node2"), facts("node3")}, {1, 2, 1});
    EXPECT_EQ(played.players, bots_of_a_day);
    const auto rows = machines_report(played);
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[1].name, "node2");
    EXPECT_EQ(rows[0].games + rows[1].games + rows[2].games, matches_of_a_day);
    EXPECT_EQ(rows[1].turns, static_cast<std::int64_t>(rows[1].seats) * turns_of_a_game);
    EXPECT_EQ(rows[1].calibration_us, 1800);
    EXPECT_THAT(unlike_machines(rows), ElementsAre("node2"));
    const auto json = json_of(rows);
    EXPECT_EQ(json["hosts"][1]["differs"], true);
    EXPECT_NEAR(json["hosts"][1]["time"]["ratio"].get<double>(), 2, 0.3);
    EXPECT_LE(json["hosts"][1]["time"]["ratio95"][0].get<double>(), 2);
    EXPECT_GE(json["hosts"][1]["time"]["ratio95"][1].get<double>(), 2);
    EXPECT_EQ(json["hosts"][0]["differs"], false);
    EXPECT_EQ(json["hosts"][0]["faults"]["untold"], "nothing");
    const auto text = cli::machines_text(json, 0);
    EXPECT_THAT(text, HasSubstr("times as long a turn on node2 as the same bots elsewhere"));
    EXPECT_THAT(text, Not(HasSubstr("on node1 as")));
    EXPECT_THAT(text, HasSubstr("a processor"));
}

TEST(MachinesReport, OfMachinesThatAreAlikeSaysSo) {
    const auto rows = machines_report(played_on({facts("node1"), facts("node2"), {}}, {1, 1, 1}));
    EXPECT_THAT(unlike_machines(rows), IsEmpty());
    EXPECT_THAT(machine_sentences(rows),
                ElementsAre("No machine differs from the others beyond chance."));
    EXPECT_EQ(rows[0].name, "") << "the referee itself";
    EXPECT_THAT(cli::machines_text(json_of(rows), 0), HasSubstr("(the referee's own)"));
}

TEST(MachinesReport, OfTwoTellsThatNobodyKnowsWhichIsRight) {
    const auto rows = machines_report(played_on({facts("node1"), facts("node2")}, {1, 3}));
    EXPECT_THAT(unlike_machines(rows), ElementsAre("node1", "node2"));
    const auto sentences = machine_sentences(rows);
    ASSERT_EQ(sentences.size(), 2U);
    EXPECT_THAT(sentences[0], HasSubstr("on node1 as"));
    EXPECT_THAT(sentences[1], HasSubstr("which of the two"));
}

TEST(MachinesReport, SaysWhereNothingCanBeTold) {
    EXPECT_THAT(machine_sentences(machines_report({})),
                ElementsAre("Nothing has been played yet."));
    const auto alone = machines_report(played_on({facts("node1")}, {1}));
    EXPECT_THAT(machine_sentences(alone),
                ElementsAre(HasSubstr("All was played on node1: there is no other")));
    Played played;
    for (std::uint64_t match = 1; match <= 4; ++match)
        played.note(game_on(facts(match < 3 ? "node1" : "node2"), match, 1));
    EXPECT_THAT(machine_sentences(machines_report(played)),
                ElementsAre("Too few matches were played to judge node1, node2."));
}

TEST(MachinesReport, CountsWhatStandsAndGamesWithFaults) {
    Played played;
    auto late = game_on(facts("node1"), 1, 1);
    late.faults.resize(2);
    late.faults[0].code = late.faults[1].code = FaultCode::late;
    played.note(late);
    auto crashed = game_on(facts("node1"), 2, 1);
    crashed.status = GameStatus::forfeited;
    crashed.faults.resize(1);
    crashed.faults[0].code = FaultCode::crashed;
    crashed.faults[0].seat = 1;
    played.note(crashed);
    auto annulled = game_on(facts("node1"), 3, 1);
    annulled.status = GameStatus::annulled;
    played.note(annulled);
    const auto row = machines_report(played).front();
    EXPECT_EQ(row.games, 2U);
    EXPECT_EQ(row.annulled, 1U);
    EXPECT_EQ(row.faulty, 2U) << "bots' games, however often it was late in one";
}

}  // namespace
}  // namespace referee::report
