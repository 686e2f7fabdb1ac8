#include "referee/estimate/tournament_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/registry.h"
#include "protocol/base/text.h"
#include "referee/config/read_config.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::estimate {
namespace {

using testing::HasSubstr;

config::Config config_with(std::size_t bots, const std::string& tournament) {
    std::string text = R"({"bots": [)";
    for (std::size_t i = 0; i < bots; ++i)
        text += (i == 0 ? "" : ",") + std::string(R"({"name": "bot)") + std::to_string(i + 1) +
                R"(", "launch": ["x"]})";
    text += R"(], "tournaments": [)" + tournament + "]}";
    auto config = config::read_config(text, "class.json", "/srv/class");
    EXPECT_TRUE(config) << text << (config ? "" : config.error().front().message);
    return *std::move(config);
}

DurationEstimate estimate_for(std::size_t bots, const std::string& members,
                              const EstimateMachine& machine = {}, const PlayedTimes& played = {},
                              std::optional<Duration> game_time = {}) {
    const auto config = config_with(bots, R"({"id": "t", )" + members + "}");
    return estimate_of(config, config.tournaments.front(), played, machine, game_time);
}

CountRange sure(std::uint64_t number) {
    return {number, number};
}

double seconds(std::optional<Duration> time) {
    return time ? std::chrono::duration<double>(*time).count() : -1;
}

// A game of these two has ended, in which they thought for 3 s and 1 s.
records::GameRecord played_game(const std::string& game) {
    records::GameRecord record;
    record.result.game = game;
    record.result.bots = {"bot1", "bot2"};
    record.result.used_us = {3'000'000, 1'000'000};
    return record;
}

PlayedTimes times_of(const std::string& game) {
    PlayedTimes played;
    played.take(played_game(game));
    return played;
}

// Each format's tournament is drawn round by round and counted.
TEST(EstimatedCounts, AreThoseOfTheTournamentDrawn) {
    const std::vector<std::string> formats{
        R"("format": {"kind": "round_robin"})",
        R"("format": {"kind": "round_robin", "cycles": 3})",
        R"("format": {"kind": "swiss"})",
        R"("format": {"kind": "swiss", "rounds": 3})",
        R"("format": {"kind": "knockout"})",
        R"("format": {"kind": "knockout", "third_place_match": false})",
        R"("format": {"kind": "knockout", "double_elimination": true})",
        R"("format": {"kind": "knockout", "double_elimination": true, "second_final": false})",
        R"("format": {"kind": "gauntlet", "cycles": 2})",
        R"("format": {"kind": "stages", "stages": [{"kind": "round_robin"}, {"kind": "knockout", "advance": 4}]})",
        R"("format": {"kind": "stages", "stages": [{"kind": "swiss", "rounds": 2}, {"kind": "round_robin", "advance": 3}]})",
    };
    std::size_t counted = 0;
    for (const auto& format : formats) {
        for (std::size_t bots = 4; bots <= 19; ++bots) {
            const auto config =
                config_with(bots, R"({"id": "t", "game": "walls", )" + format + "}");
            const auto& tournament = config.tournaments.front();
            const auto estimate = estimate_of(config, tournament, {}, {});
            for (const std::uint64_t luck : {0U, 3U, 5U}) {
                const auto schedule = formats::make_schedule(
                    tournament.format, formats::field_of(bots), tournament.seed);
                const auto played = formats::play(
                    *schedule, [luck](const formats::Pairing& pairing, std::size_t seat) {
                        if (luck == 0) return formats::by_number(pairing, seat);
                        return static_cast<double>(
                            (pairing.match * 7 + pairing.seats[seat] * luck) % 97);
                    });
                ASSERT_TRUE(played.finished);
                const auto range = estimate.matches;
                EXPECT_GE(played.matches.size(), range.least) << format << ", " << bots;
                EXPECT_LE(played.matches.size(), range.most) << format << ", " << bots;
                ++counted;
            }
        }
    }
    EXPECT_GT(counted, 500U);
}

// Where nothing is left to chance both numbers are one.
TEST(EstimatedCounts, AreSureWhereTheyCanBe) {
    auto estimate = estimate_for(30, R"("game": "walls")");
    EXPECT_EQ(estimate.matches, sure(435));
    EXPECT_EQ(estimate.games, sure(870));
    EXPECT_EQ(estimate.turns_most, 9 * (25 + 2));
    estimate = estimate_for(32, R"("game": "walls", "format": {"kind": "swiss"})");
    EXPECT_EQ(estimate.matches, sure(80));
    estimate = estimate_for(
        16, R"("game": "walls", "format": {"kind": "knockout"}, "match": {"best_of": 3})");
    EXPECT_EQ(estimate.matches, sure(16));
    EXPECT_EQ(estimate.games.least, 32U);
    estimate = estimate_for(
        10, R"("game": "superball", "format": {"kind": "leaderboard"}, "match": {"games": 7})");
    EXPECT_EQ(estimate.matches, sure(10));
    EXPECT_EQ(estimate.games, sure(70));
    estimate = estimate_for(12, R"("game": "light_cycles", "format": {"kind": "swiss", "rounds": 4,
        "seats": 4, "seats_min": 3})");
    EXPECT_EQ(estimate.matches, sure(12));
    // Two sit round 2 out for nothing, two others the first one: two matches instead of three; and
    // all four of the second stage play both of its rounds.
    const auto round_out = [](const std::string& bot, int round) {
        return R"({"name": ")" + bot + R"(", "zero_point_byes": [)" + std::to_string(round) + "]}";
    };
    const auto out = R"("game": "walls", "bots": [)" + round_out("bot1", 1) + ", " +
                     round_out("bot2", 1) + ", " + round_out("bot3", 2) + ", " +
                     round_out("bot4", 2) + R"(, "bot5", "bot6"], "format": )";
    estimate = estimate_for(6, out + R"({"kind": "swiss", "rounds": 3})");
    EXPECT_EQ(estimate.matches, sure(2 + 2 + 3));
    estimate = estimate_for(6, out + R"({"kind": "stages", "stages": [
        {"kind": "swiss", "rounds": 3}, {"kind": "swiss", "rounds": 2, "advance": 4}]})");
    EXPECT_EQ(estimate.matches, sure(2 + 2 + 3 + 2 + 2));
    // Six, then three.
    estimate = estimate_for(4, R"("game": "walls", "format": {"kind": "stages", "stages": [
        {"kind": "round_robin"}, {"kind": "round_robin", "advance": 3}]})");
    EXPECT_EQ(estimate.matches, sure(9));
}

TEST(EstimatedCounts, SayWhyTheyCantBeSaid) {
    EXPECT_THAT(estimate_for(4, R"("game": "walls", "format": {"kind": "ladder"})").unknown,
                HasSubstr("a ladder matches whoever is there, as long as it goes on"));
    auto config = config_with(4, R"({"id": "week", "game": "walls",
        "format": {"kind": "ladder"}}, {"id": "t", "game": "walls",
        "field": {"ladder": "week", "best": 3}}, {"id": "all", "game": "walls",
        "field": {"ladder": "week"}})");
    EXPECT_EQ(estimate_of(config, config.tournaments[1], {}, {}).matches, sure(3));
    EXPECT_EQ(estimate_of(config, config.tournaments[2], {}, {}).matches, sure(6));
    config.registration.password = "anybody may come";
    EXPECT_THAT(estimate_of(config, config.tournaments[2], {}, {}).unknown,
                HasSubstr("ladder week"));
    config.registration.class_roster = roster::read_roster("name\nbot1\nann\n")->roster;
    EXPECT_EQ(estimate_of(config, config.tournaments[2], {}, {}).matches, sure(10));
    // Of those who have entered it two are left.
    PlayedTimes played;
    for (const auto* bot : {"bot1", "bot2", "bot3"}) {
        records::EntryRecord entry;
        entry.tournament = "week";
        entry.bot = bot;
        played.take(entry);
    }
    records::WithdrawalRecord withdrawal;
    withdrawal.tournament = "week";
    withdrawal.bot = "bot2";
    played.take(withdrawal);
    EXPECT_EQ(estimate_of(config, config.tournaments[1], played, {}).matches, sure(1));
}

// 66 matches of two games, each of which took 4 s where bots think in turn; 5 ms are the referee's.
TEST(EstimatedTimes, AreTheLongestOfWhatCoresAndGamesAndBotsNeed) {
    const auto played = times_of("walls");
    const auto likely = [&played](const EstimateMachine& machine) {
        return estimate_for(12, R"("game": "walls")", machine, played);
    };
    auto estimate = likely({1, 1});
    EXPECT_EQ(estimate.games_known, 1U);
    EXPECT_NEAR(seconds(estimate.likely), 132 * 4.005, 1e-6);
    EXPECT_EQ(estimate.bottleneck, Bottleneck::cores);
    estimate = likely({1, 3});
    EXPECT_NEAR(seconds(estimate.likely), 132 * 4.005, 1e-6);
    EXPECT_EQ(estimate.bottleneck, Bottleneck::games_at_once);
    estimate = likely({3, 3});
    EXPECT_NEAR(seconds(estimate.likely), 132 * 4.005 / 3, 1e-6);
    EXPECT_EQ(estimate.bottleneck, Bottleneck::cores);
    // Each bot has 22 games, one after the other.
    estimate = likely({64, 64});
    EXPECT_NEAR(seconds(estimate.likely), 22 * 4.005, 1e-6);
    EXPECT_EQ(estimate.bottleneck, Bottleneck::bots);
}

// All four of a pod think at the same time: a game lasts for 3 s, and takes 8 s of a core, since a
// bot thinks for 2 s. In 11 pods everybody meets everybody at least once; two have room at once.
TEST(EstimatedTimes, OfBotsThatThinkAtOnce) {
    const auto likely = [](const EstimateMachine& machine) {
        return estimate_for(
            10,
            R"("game": "light_cycles", "format": {"kind": "round_robin"}, "match": {"games": 2})",
            machine, times_of("light_cycles"));
    };
    EXPECT_EQ(likely({}).games, sure(22));
    EXPECT_NEAR(seconds(likely({4, 4}).likely), 22 * 8.005 / 4, 1e-6);
    EXPECT_NEAR(seconds(likely({2, 64}).likely), 6 * 2 * 3.005, 1e-6);
    EXPECT_NEAR(seconds(likely({4, 64}).likely), 6 * 2 * 3.005, 1e-6);
}

TEST(EstimatedTimes, OfAKnockoutWaitForItsRounds) {
    // 7 matches and one for the third place, in three rounds of two games.
    const auto estimate = estimate_for(8, R"("game": "walls", "format": {"kind": "knockout",
        "extra_games": 0}, "match": {"games": 2})",
                                       {64, 64}, times_of("walls"));
    EXPECT_EQ(estimate.games, sure(16));
    EXPECT_NEAR(seconds(estimate.likely), 3 * 2 * 4.005, 1e-6);
}

// A round waits for its last match.
TEST(EstimatedTimes, OnMoreCoresAreShorterUntilARoundHasNoMoreMatches) {
    const auto on_cores = [](std::size_t bots, const std::string& format, bool by_jobs) {
        return estimate_for(bots, R"("game": "walls", "format": )" + format, {4, 4, by_jobs},
                            times_of("walls"))
            .on_cores;
    };
    const auto last = [&](std::size_t bots, const std::string& format, bool by_jobs) {
        const auto curve = on_cores(bots, format, by_jobs);
        if (curve.empty()) return std::size_t{0};
        EXPECT_EQ(curve.front().cores, 1U);
        for (std::size_t i = 1; i < curve.size(); ++i) {
            EXPECT_LT(curve[i - 1].cores, curve[i].cores);
            EXPECT_GE(curve[i - 1].time, curve[i].time);
        }
        return curve.back().cores;
    };
    EXPECT_EQ(last(32, R"({"kind": "swiss"})", true), 16U);
    EXPECT_EQ(last(32, R"({"kind": "swiss"})", false), 16U);
    EXPECT_EQ(last(32, R"({"kind": "knockout"})", true), 16U);
    // Elsewhere a bot plays in many jobs at a time, here one game after the other.
    EXPECT_EQ(last(6, R"({"kind": "round_robin"})", true), 15U);
    EXPECT_EQ(last(6, R"({"kind": "round_robin"})", false), 3U);
    // Five rounds of eight matches of two games, five and three at a time.
    const auto five =
        estimate_for(16, R"("game": "walls", "format": {"kind": "swiss", "rounds": 5})", {5, 5},
                     times_of("walls"));
    EXPECT_NEAR(seconds(five.likely), 5 * 2 * 2 * 4.005, 1e-6);
    const auto curve = on_cores(16, R"({"kind": "swiss", "rounds": 5})", false);
    ASSERT_EQ(curve.size(), 4U);
    EXPECT_NEAR(seconds(curve[1].time), 5 * 4 * 2 * 4.005, 1e-6);
    EXPECT_NEAR(seconds(curve[3].time), 5 * 2 * 4.005, 1e-6);
    EXPECT_TRUE(estimate_for(4, R"("game": "superball", "format": {"kind": "leaderboard"})")
                    .on_cores.empty());
}

TEST(EstimatedTimes, TakeOnlyGamesThatWerePlayed) {
    auto played = times_of("walls");
    auto annulled = played_game("walls");
    annulled.result.status = GameStatus::annulled;
    annulled.result.used_us = {900'000'000, 900'000'000};
    played.take(annulled);
    EXPECT_EQ(played.games.at("walls").games, 1U);
    EXPECT_EQ(played.games.at("walls").all_us, 4'000'000);
    const auto other = estimate_for(12, R"("game": "light_cycles")", {}, played);
    EXPECT_FALSE(other.likely);
    EXPECT_TRUE(other.worst);
}

TEST(EstimatedTimes, AreThoseThatSomebodySays) {
    const auto estimate =
        estimate_for(4, R"("game": "walls")", {2, 2}, times_of("walls"), std::chrono::seconds(30));
    EXPECT_NEAR(seconds(estimate.likely), 12 * 30 / 2, 1e-6);
    EXPECT_EQ(estimate.games_known, 0U);
}

// 12 games of 99 turns, each of which may take 2 s; 10 s to get ready, and 0.25 s of the referee's.
TEST(EstimatedTimes, AtWorstAreAllOfThem) {
    const auto estimate = estimate_for(
        4,
        R"("game": "walls", "params": {"size": 3}, "clock": {"budget": "1s", "hard_limit": "2s"})",
        {2, 4});
    EXPECT_EQ(estimate.games, sure(12));
    EXPECT_EQ(estimate.turns_most, 99);
    const double span = 10 + 99 * 2 + 0.25;
    const double work = 2 * 10 + 99 * 2 + 0.25;
    // Both bots of the last match may have played three matches of two games, each waiting for the
    // other; and bots may be launched for 30 s.
    EXPECT_NEAR(seconds(estimate.worst), 30 + 12 * work / 4 + 12 * span / 2 + 2 * 6 * span, 1e-6);
    EXPECT_FALSE(estimate.likely);
    EXPECT_EQ(estimate.bottleneck, Bottleneck::bots);
    const auto endless =
        estimate_for(4, R"("game": "superball", "format": {"kind": "leaderboard"})");
    EXPECT_FALSE(endless.worst);
    EXPECT_FALSE(endless.turns_most);
    EXPECT_FALSE(endless.bottleneck);
}

// A budget for the game: each bot has 20 s, and no turn more than 60 s.
TEST(EstimatedTimes, AtWorstEndWithAGamesBudget) {
    const auto worst = [](const std::string& clock) {
        return estimate_for(2, R"("game": "walls", "params": {"size": 3}, "match": {"games": 1},
            "clock": )" + clock);
    };
    const auto span = 10 + 2 * 20 + 0.25;
    const auto work = span + 10;
    EXPECT_NEAR(seconds(worst(R"({"kind": "game", "budget": "20s"})").worst),
                30 + work + span + 2 * span, 1e-6);
}

// 4,950 matches of two games of 30 s on 20 places: 248 at most on each, 83 times three minutes.
TEST(EstimatedTimes, OfJobsCountWhatAJobCosts) {
    const auto estimate =
        estimate_for(100, R"("game": "walls")", {20, 20, true}, {}, std::chrono::seconds(30));
    EXPECT_NEAR(seconds(estimate.likely), 248 * 60 + 83 * 4.5, 1e-6);
    // Bots play in many jobs at once.
    EXPECT_NEAR(seconds(estimate_for(100, R"("game": "walls")", {9900, 9900, true}, {},
                                     std::chrono::seconds(30))
                            .likely),
                60 + 4.5, 1e-6);
}

// Whoever dials in plays one game at a time, beside those of launched bots on three cores.
TEST(EstimateMachine, IsWhatATournamentIsPlayedOn) {
    const auto machine = [](const std::string& bots, const std::string& members,
                            const std::string& format = "round_robin") {
        const auto config = config::read_config(
            R"({"cores": 3, "bots": [{"name": "a", "launch": ["x"]}, {"name": "b", "launch": ["x"]},
                {"name": "c"}, {"name": "d"}], )" +
                members + R"("tournaments": [{"id": "t", "game": "walls", "bots": )" + bots +
                R"(, "format": {"kind": ")" + format + "\"}}]}",
            "class.json", "/srv/class");
        EXPECT_TRUE(config) << members << (config ? "" : config.error().front().message);
        if (!config) return std::string();
        const auto on = machine_of(*config, config->tournaments.front());
        return fmt::format("{} games on {} cores{}", on.games_at_once, on.cores,
                           on.by_jobs ? ", by jobs" : "");
    };
    const std::string launched = R"(["a", "b"])";
    const std::string all = R"(["a", "b", "c", "d"])";
    EXPECT_EQ(machine(launched, ""), "3 games on 3 cores");
    EXPECT_EQ(machine(all, ""), "5 games on 3 cores");
    EXPECT_EQ(machine(all, R"("games_at_once": 2, )"), "2 games on 3 cores");
    // Five jobs of two cores play what nobody dials in for, unless bots play under other names or
    // are paired as they come free.
    const std::string jobs =
        R"("machines": {"kind": "slurm", "folder": "/shared", "jobs_at_once": 5,
        "cores": 2}, )";
    EXPECT_EQ(machine(launched, jobs), "10 games on 10 cores, by jobs");
    EXPECT_EQ(machine(all, jobs), "5 games on 3 cores");
    EXPECT_EQ(machine(launched, jobs + R"("names": "pseudonyms", )"), "3 games on 3 cores");
    EXPECT_EQ(machine(launched, jobs, "ladder"), "3 games on 3 cores");
}

// Counts the turns of a game of first legal moves.
std::int64_t turns_of(engines::State& state, std::int64_t most) {
    std::int64_t turns = 0;
    std::vector<engines::Note> notes;
    while (!state.over() && turns <= most) {
        std::vector<std::string> moves(state.seats());
        std::vector<protocol::json::Document> documents(state.seats());
        std::vector<engines::Answer> answers(state.seats());
        for (engines::Seat seat = 0; seat < state.seats(); ++seat) {
            if (!state.to_move().test(seat)) continue;
            const auto legal = state.legal_moves(seat);
            if (!legal || legal->moves.empty()) continue;
            moves[seat] = legal->moves.front();
            EXPECT_TRUE(documents[seat].parse(moves[seat]));
            answers[seat].move = documents[seat].root();
        }
        notes.clear();
        state.apply(answers, notes);
        ++turns;
    }
    return turns;
}

TEST(LongestGame, NoGameIsLonger) {
    const engines::Registry registry;
    std::size_t bounded = 0;
    for (const auto& game : registry.games()) {
        const auto params = game->params_for(game->info().seats_default);
        ASSERT_TRUE(params) << game->info().id;
        protocol::json::Document document;
        ASSERT_TRUE(document.parse(*params));
        auto begun = game->start(document.root(), 1);
        ASSERT_TRUE(begun) << game->info().id;
        const auto most = (*begun)->turns_most();
        if (!most) continue;
        ++bounded;
        EXPECT_GT(*most, 0) << game->info().id;
        EXPECT_LE(turns_of(**begun, *most), *most) << game->info().id;
    }
    EXPECT_GE(bounded, 4U);
}

}  // namespace
}  // namespace referee::estimate
