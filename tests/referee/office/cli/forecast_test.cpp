// Counts of matches and games: each format's tournament is drawn round by round and counted.

#include "referee/office/cli/forecast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engines/registry.h"
#include "referee/config/reader.h"
#include "tests/referee/contests/tournament/play.h"

namespace referee::cli {
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

CountRange matches_of(const std::vector<CountedRound>& rounds) {
    CountRange sum;
    for (const auto& round : rounds) sum += round.matches;
    return sum;
}

TEST(ForecastCounts, AreThoseOfTheTournamentDrawn) {
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
            const auto counts = count_rounds(tournament, tournament::field_of(bots));
            for (const std::uint64_t luck : {0U, 3U, 5U}) {
                const auto schedule = tournament::make_schedule(
                    tournament.format, tournament::field_of(bots), tournament.seed);
                const auto played = tournament::play(
                    *schedule, [luck](const tournament::Pairing& pairing, std::size_t seat) {
                        if (luck == 0) return tournament::by_number(pairing, seat);
                        return static_cast<double>(
                            (pairing.match * 7 + pairing.seats[seat] * luck) % 97);
                    });
                ASSERT_TRUE(played.finished);
                const auto range = matches_of(counts);
                EXPECT_GE(played.matches.size(), range.least) << format << ", " << bots;
                EXPECT_LE(played.matches.size(), range.most) << format << ", " << bots;
                // No bot has more in a round than is counted for one.
                std::set<std::uint32_t> rounds;
                for (const auto& match : played.matches) rounds.insert(match.round);
                const bool by_rounds = counts.size() > 1;
                if (by_rounds && tournament::stages_of(tournament.format).empty()) {
                    EXPECT_LE(rounds.size(), counts.size()) << format << ", " << bots;
                }
                ++counted;
            }
        }
    }
    EXPECT_GT(counted, 500U);
}

// Where nothing is left to chance both numbers are one.
TEST(ForecastCounts, AreSureWhereTheyCanBe) {
    const auto count = [](std::size_t bots, const std::string& members) {
        const auto config = config_with(bots, R"({"id": "t", )" + members + "}");
        return forecast_of(config, config.tournaments.front(), {}, {2, 2});
    };
    const auto sure = [](std::uint64_t number) { return CountRange{number, number}; };
    auto forecast = count(30, R"("game": "walls")");
    EXPECT_EQ(forecast.matches, sure(435));
    EXPECT_EQ(forecast.games, sure(870));
    EXPECT_EQ(forecast.turns_most, 9 * (25 + 2));
    EXPECT_TRUE(forecast.launches);
    forecast = count(32, R"("game": "walls", "format": {"kind": "swiss"})");
    EXPECT_EQ(forecast.matches, sure(80));
    forecast =
        count(16, R"("game": "walls", "format": {"kind": "knockout"}, "match": {"best_of": 3})");
    EXPECT_EQ(forecast.matches, sure(16));
    EXPECT_EQ(forecast.games.least, 32U);
    forecast = count(
        10, R"("game": "superball", "format": {"kind": "leaderboard"}, "match": {"games": 7})");
    EXPECT_EQ(forecast.matches, sure(10));
    EXPECT_EQ(forecast.games, sure(70));
    EXPECT_FALSE(forecast.worst);
    EXPECT_THAT(describe(forecast).back(), HasSubstr("has no worst"));
    forecast = count(12, R"("game": "light_cycles", "format": {"kind": "swiss", "rounds": 4,
        "seats": 4, "seats_min": 3})");
    EXPECT_EQ(forecast.matches, sure(12));
    forecast = count(4, R"("game": "walls", "format": {"kind": "ladder"})");
    EXPECT_THAT(describe(forecast).front(), HasSubstr("a ladder goes on without end"));
}

TEST(ForecastTimes, MoreCoresNeverTakeLongerAndHalvingHalves) {
    const auto config = config_with(12, R"({"id": "t", "game": "walls"})");
    const auto& tournament = config.tournaments.front();
    PlayedTimes played;
    journal::GameRecord game;
    game.result.game = "walls";
    game.result.bots = {"bot1", "bot2"};
    game.result.used_us = {3'000'000, 1'000'000};
    played.take(game);
    game.result.status = GameStatus::annulled;
    game.result.used_us = {900'000'000, 900'000'000};
    played.take(game);
    EXPECT_EQ(played.games("walls"), 1U);
    std::optional<Duration> before;
    for (const std::size_t cores : {1U, 2U, 3U, 4U, 6U, 8U, 64U}) {
        const auto forecast = forecast_of(config, tournament, played, {cores, cores});
        ASSERT_TRUE(forecast.likely);
        EXPECT_LE(forecast.best, *forecast.likely);
        EXPECT_LE(*forecast.likely, *forecast.worst);
        if (before) {
            EXPECT_LE(*forecast.likely, *before);
        }
        before = forecast.likely;
        if (forecast.cores_to_halve == 0) continue;
        const auto halved = forecast_of(config, tournament, played,
                                        {forecast.cores_to_halve, forecast.cores_to_halve});
        EXPECT_LE(*halved.likely, *forecast.likely / 2 + std::chrono::milliseconds(1)) << cores;
    }
    // 132 games of 4 s, one after the other, and a little for the referee.
    const auto alone = forecast_of(config, tournament, played, {1, 1});
    EXPECT_GT(*alone.likely, std::chrono::seconds(132 * 4 - 1));
    EXPECT_LT(*alone.likely, std::chrono::seconds(132 * 4 + 2));
    EXPECT_EQ(alone.cores_to_halve, 2U);
    EXPECT_EQ(forecast_of(config, tournament, played, {64, 64}).cores_to_halve, 0U);
}

TEST(ForecastTimes, AreToldInUnitsThatMatter) {
    using namespace std::chrono_literals;
    EXPECT_EQ(time_text(0s), "less than 1 s");
    EXPECT_EQ(time_text(1s), "1 s");
    EXPECT_EQ(time_text(119s), "119 s");
    EXPECT_EQ(time_text(4min), "4 min");
    EXPECT_EQ(time_text(130min), "2 h 10 min");
    EXPECT_EQ(time_text(3h), "3 h");
    EXPECT_EQ(time_text(50h), "2 days 2 h");
    EXPECT_EQ(time_text(24h * 30), "30 days");
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
            EXPECT_TRUE(documents[seat].parse(moves[seat], {.depth_max = 64}));
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
        ASSERT_TRUE(document.parse(*params, {.depth_max = 64}));
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
}  // namespace referee::cli
