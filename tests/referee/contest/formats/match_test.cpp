#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "protocol/base/text.h"
#include "referee/contest/formats/schedule.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/contest/formats/told_games.h"

namespace referee::formats {
namespace {

using engines::Score;

TEST(NewGames, IsNewWhereAnyGameIs) {
    const auto match = [](const std::vector<std::string>& fingerprints) {
        standings::MatchResult result;
        result.counted = games_with(fingerprints);
        return result;
    };
    const std::vector<standings::MatchResult> matches = {
        match({"a", "b"}), match({"b", "a"}), match({"a", "c"}), match({"a"}), match({"a", "a"}),
        match({"", "a"}),  match({"", "a"}),  match({}),         match({}),    match({"c", "a"})};
    EXPECT_EQ(new_matches(matches),
              (std::vector<bool>{true, false, true, true, false, true, true, true, true, false}));
}

TEST(MatchFold, KeepsWhatEachGameWasWorthAndItsFingerprint) {
    auto first = game(1, {5, 0});
    first.fingerprint = "one";
    const auto result = folded({.games = 3}, {first, game(2, {1, 1}), game(3, {1, 0})}).result;
    // Won, level, won: whatever the scores.
    EXPECT_EQ(result.game_points, (std::vector{Score::halves(5), Score::halves(1)}));
    EXPECT_DOUBLE_EQ(share_of_games(result, 0), 5.0 / 6);
    EXPECT_EQ(result.counted[0].fingerprint, "one");
}

TEST(MatchFold, AnArbitersResultIsWorthWhatItSaysThoughNoGameCounts) {
    for (const auto& [placing, share] :
         {std::pair(std::vector{1, 2}, 1.0), {{2, 1}, 0.0}, {{1, 1}, 0.5}})
        EXPECT_DOUBLE_EQ(share_of_games(ruled_result(pairing_of(2), placing, {}), 0), share);
}

TEST(MatchFold, TellsWhichProgramsPlayed) {
    using Programs = std::vector<std::string>;
    struct Case {
        Programs first, second;  // by seat: the bots have changed seats
        Programs programs;
        bool mixed;
    };
    for (const auto& [first, second, programs, mixed] :
         {Case{{"a", "b"}, {"b", "a"}, {"a", "b"}, false},
          Case{{"a", "b"}, {"c", "a"}, {"a", "c"}, true}, Case{{}, {"", "a"}, {"a", ""}, false}}) {
        std::vector<GameResult> games{game(1, {1, 0}), game(2, {1, 0})};
        games[0].program = first;
        games[1].program = second;
        const auto result = folded({.games = 2}, games).result;
        EXPECT_EQ(result.programs, programs);
        EXPECT_EQ(result.programs_mixed, mixed);
    }
}

TEST(PlannedGames, SeatsRotateByOnePlaceAGameOnTheSameSeed) {
    MatchConfig config{.games = 8};
    const auto pairing = pairing_of(4);
    for (std::uint32_t number = 1; number <= 8; ++number) {
        const auto planned = planned_game(config, pairing, number, 5, {});
        for (std::size_t seat = 0; seat < 4; ++seat) {
            EXPECT_EQ(planned.seats[(seat + number - 1) % 4], 10 + seat);
        }
        const auto first = planned_game(config, pairing, number <= 4 ? 1 : 5, 5, {});
        EXPECT_EQ(planned.seed, first.seed);
    }
    EXPECT_NE(planned_game(config, pairing, 1, 5, {}).seed,
              planned_game(config, pairing, 5, 5, {}).seed);
}

TEST(PlannedGames, SameSeatsTakeSetupsInTurn) {
    MatchConfig config{.games = 4, .seat_order = SeatOrder::same, .setups = 2};
    const auto pairing = pairing_of(2);
    std::vector<std::size_t> setups;
    std::set<std::uint32_t> seeds;
    for (std::uint32_t number = 1; number <= 4; ++number) {
        const auto planned = planned_game(config, pairing, number, 5, {});
        EXPECT_EQ(planned.seats, pairing.seats);
        setups.push_back(planned.setup);
        seeds.insert(planned.seed);
    }
    EXPECT_EQ(setups, (std::vector<std::size_t>{0, 1, 0, 1}));
    EXPECT_EQ(seeds.size(), 2U);
}

TEST(PlannedGames, ExtraGamesExchangeSeatsOnASetupAndASeedOfTheirOwn) {
    for (const auto order : {SeatOrder::rotate, SeatOrder::same}) {
        for (const std::uint32_t games : {1U, 2U, 3U}) {
            MatchConfig config{.games = games, .seat_order = order, .setups = 2};
            MatchTerms terms{.one_goes_on = true, .extra_games = 4};
            const auto most = games_most(config, 2, terms);
            EXPECT_EQ(most, games == 1 ? 4U : 6U) << "an even number";
            std::set<std::uint32_t> seeds;
            for (std::uint32_t number = 1; number <= games; ++number)
                seeds.insert(planned_game(config, pairing_of(2), number, 5, terms).seed);
            for (std::uint32_t number = games + 1; number <= most; ++number) {
                const auto planned = planned_game(config, pairing_of(2), number, 5, terms);
                const auto before = planned_game(config, pairing_of(2), number - 1, 5, terms);
                if (number % 2 == 1) {
                    EXPECT_TRUE(seeds.insert(planned.seed).second) << number;
                    continue;
                }
                EXPECT_EQ(planned.seats[0], before.seats[1]);
                EXPECT_EQ(planned.seats[1], before.seats[0]);
                EXPECT_EQ(planned.setup, before.setup);
                EXPECT_EQ(planned.seed, before.seed);
            }
        }
    }
}

// Everybody has each seat on each start, and all starts come about equally often.
TEST(PlannedGames, StartsAreDrawn) {
    constexpr std::size_t setups = 6;
    constexpr std::uint64_t matches = 3000;
    for (const auto order : {SeatOrder::rotate, SeatOrder::same}) {
        const MatchConfig config{
            .games = 2, .seat_order = order, .starts = Starts::drawn, .setups = setups};
        EXPECT_EQ(wrong_starts(config, 2), "");
        std::vector<std::uint64_t> times(setups, 0);
        for (std::uint64_t match = 1; match <= matches; ++match) {
            auto pairing = pairing_of(2);
            pairing.match = match;
            const auto one = planned_game(config, pairing, 1, 5, {});
            const auto other = planned_game(config, pairing, 2, 5, {});
            ++times[one.setup];
            ++times[other.setup];
            if (order == SeatOrder::rotate) {
                EXPECT_EQ(one.setup, other.setup);
                EXPECT_EQ(one.seats[0], other.seats[1]);
            } else {
                EXPECT_EQ(one.setup % 2, 0U) << "the two that belong together";
                EXPECT_EQ(one.setup + 1, other.setup);
            }
            EXPECT_EQ(one.setup, planned_game(config, pairing, 1, 5, {}).setup);
        }
        for (const auto count : times)
            EXPECT_NEAR(static_cast<double>(count), 2.0 * matches / setups, 150);
    }
}

TEST(PlannedGames, SoloGamesAreTheSameForEverybody) {
    MatchConfig config{.games = 3, .setups = 3, .solo = true};
    EXPECT_EQ(games_most(config, 2), 6U);
    auto other = pairing_of(2);
    other.match = 2;
    for (std::uint32_t setup = 0; setup < 3; ++setup) {
        const auto first = planned_game(config, pairing_of(2), setup * 2 + 1, 5, {});
        const auto second = planned_game(config, pairing_of(2), setup * 2 + 2, 5, {});
        EXPECT_EQ(first.seats, std::vector<Entrant>{10});
        EXPECT_EQ(second.seats, std::vector<Entrant>{11});
        EXPECT_EQ(first.setup, setup);
        EXPECT_EQ(second.setup, setup);
        EXPECT_EQ(first.seed, second.seed);
        EXPECT_EQ(first.seed, planned_game(config, other, setup * 2 + 1, 5, {}).seed);
    }
    config.seeds = {7, 8};
    EXPECT_EQ(planned_game(config, other, 1, 5, {}).seed, 7U);
    EXPECT_EQ(planned_game(config, other, 3, 5, {}).seed, 8U);
    EXPECT_EQ(planned_game(config, other, 5, 5, {}).seed, 7U);
}

// "places 1 2, points 2 0, scores 12 4, games 4" of a match that is over, in halves.
std::string text_of(const MatchTally& tally) {
    const auto list = [](const auto& all) {
        return base::joined(all, " ", [](auto one) { return std::to_string(one); });
    };
    const auto scores = "scores " + list(halves(tally.result.scores));
    if (!tally.over)
        return fmt::format("{} due, {} left, {}", tally.games_due, tally.games_left, scores);
    auto text = fmt::format("places {}, points {}, {}, games {}", list(tally.result.placing),
                            list(halves(tally.result.points)), scores, tally.result.games);
    for (std::size_t seat = 0; seat < tally.result.absent.size(); ++seat)
        if (tally.result.absent[seat]) text += fmt::format(", without {}", seat);
    return text;
}

GameResult timed(GameResult result, std::vector<std::int64_t> used_us) {
    result.used_us = std::move(used_us);
    return result;
}

GameResult nobody_came() {
    auto nobody = missed(1, {0, 2}, 0);  // as the first one's forfeit ends the game
    nobody.faults.push_back(nobody.faults[0]);
    nobody.faults[1].seat = 1;
    return nobody;
}

// A pod that was played after one was put out before the first turn.
GameResult without_third(const std::string& rule) {
    auto pod = game(1, {2, 3, 0, 1});
    pod.faults = missed(1, {}, 2).faults;
    pod.faults[0].rule = rule;
    return pod;
}

// In whatever order they come.
void expect_fold(const char* what, const MatchConfig& config, std::vector<GameResult> games,
                 const std::string& comes_to, std::size_t seats = 2, const MatchTerms& terms = {}) {
    EXPECT_EQ(text_of(folded(config, games, seats, terms)), comes_to) << what;
    std::ranges::reverse(games);
    EXPECT_EQ(text_of(folded(config, games, seats, terms)), comes_to) << what << ", reversed";
}

TEST(MatchFold, ComesToWhatItsGamesSay) {
    const MatchConfig one{};
    const MatchConfig two{.games = 2, .seat_order = SeatOrder::same};
    const MatchConfig sums{
        .games = 2, .seat_order = SeatOrder::same, .points = MatchPoints::scores};
    const MatchConfig rotated{.games = 4, .points = MatchPoints::scores};
    const MatchConfig pod{.points = MatchPoints::scores};
    const MatchConfig best{.games = 3, .best_of = true, .seat_order = SeatOrder::same};
    const MatchConfig timeless{.games = 3, .best_of = true, .least_time = false};
    const MatchConfig solo{.games = 3, .solo = true};
    const MatchConfig solo_sums{.games = 3, .points = MatchPoints::scores, .solo = true};
    const MatchConfig alone{.games = 2, .solo = true};
    const MatchConfig on_one_setup{.solo = true};
    const MatchTerms goes_on{.one_goes_on = true, .extra_games = 4};
    const MatchTerms three_one{.behind = Score::whole(3), .level = Score::whole(1)};
    const MatchTerms two_more{.one_goes_on = true, .extra_games = 2};
    auto annulled = game(1, {0, 2});
    annulled.status = GameStatus::annulled;
    const std::vector<GameResult> races{game(1, {5}), game(2, {4}), game(3, {7}),
                                        game(4, {6}), game(5, {0}), game(6, {100})};
    const auto thrice_level = [](std::int64_t other) {
        return std::vector<GameResult>{timed(game(1, {1, 1}), {1, other}),
                                       timed(game(2, {1, 1}), {1, 1}),
                                       timed(game(3, {1, 1}), {1, 1})};
    };
    const auto a = game(1, {2, 0});
    const auto b = game(2, {0, 2});
    const auto c = game(3, {2, 0});
    const auto d = game(4, {2, 0});  // the seats are exchanged: the second entrant wins
    expect_fold("won twice", two, {a, game(2, {2, 0})},
                "places 1 2, points 2 0, scores 8 0, games 2");
    expect_fold("level", two, {a, b}, "places 1 1, points 1 1, scores 4 4, games 2");
    expect_fold("by the sum", two, {game(1, {1, 1}), b},
                "places 2 1, points 0 2, scores 2 6, games 2");
    expect_fold("sums are points", sums, {game(1, {1, 1}), b},
                "places 2 1, points 2 6, scores 2 6, games 2");
    // Seat 0 gets 3, seat 1 gets 2: after four games everybody sat in each seat once.
    expect_fold("rotated", rotated,
                {game(1, {3, 2, 1, 0}), game(2, {3, 2, 1, 0}), game(3, {3, 2, 1, 0}),
                 game(4, {3, 2, 1, 0})},
                "places 1 1 1 1, points 12 12 12 12, scores 12 12 12 12, games 4", 4);
    // The entrant of seat s sat on s, s+1, s+2: 3+2+1, 2+1+0, 1+0+3, 0+3+2.
    expect_fold("rotated, three", rotated,
                {game(1, {3, 2, 1, 0}), game(2, {3, 2, 1, 0}), game(3, {3, 2, 1, 0})},
                "4 due, 1 left, scores 12 6 8 10", 4);
    expect_fold("best of three, one", best, {game(1, {0, 1})}, "3 due, 2 left, scores 0 2");
    expect_fold("best of three, two", best, {game(1, {0, 1}), game(2, {0, 1})},
                "places 2 1, points 0 2, scores 0 4, games 2");
    expect_fold("a third that was on already", best,
                {game(1, {0, 1}), game(2, {0, 1}), game(3, {9, 0})},
                "places 2 1, points 0 2, scores 0 4, games 2");
    expect_fold("a third without a second", best, {game(1, {0, 1}), game(3, {9, 0})},
                "3 due, 2 left, scores 0 2");
    expect_fold("wins, then scores", best,
                {game(1, {3, 2, 1, 0}), game(2, {0, 3, 2, 1}), game(3, {2, 2, 0, 2})},
                "places 2 1 3 3, points 4 6 1 1, scores 10 14 6 6, games 3", 4);
    expect_fold("won twice by the same", best, {game(1, {3, 2, 1, 0}), game(2, {3, 2, 1, 0})},
                "places 1 2 3 4, points 6 4 2 0, scores 12 8 4 0, games 2", 4);
    expect_fold("then time", best,
                {timed(game(1, {3, 0, 1, 1}), {500, 400, 0, 0}), game(2, {0, 3, 1, 1}),
                 game(3, {1, 1, 3, 0})},
                "places 3 2 1 4, points 2 4 6 0, scores 8 8 10 4, games 3", 4);
    expect_fold("time", best, thrice_level(2), "places 1 2, points 2 0, scores 6 6, games 3");
    expect_fold("no time", timeless, thrice_level(2),
                "places 1 1, points 1 1, scores 6 6, games 3");
    expect_fold("solo, setup by setup", solo, races,
                "places 1 2, points 2 0, scores 24 220, games 6");
    expect_fold("points of setups", solo_sums, races,
                "places 1 2, points 4 2, scores 24 220, games 6");
    expect_fold("alone", alone, {game(1, {5}), game(2, {6})},
                "places 1, points 22, scores 22, games 2", 1);
    expect_fold("attempts", two, {annulled, game(1, {2, 0}, 2), game(2, {1, 1})},
                "places 1 2, points 2 0, scores 6 2, games 2");
    expect_fold("absent", two, {missed(1, {2, 0}, 1), missed(2, {2, 0}, 1)},
                "places 1 2, points 2 0, scores 8 0, games 2, without 1");
    expect_fold("late", two, {missed(1, {2, 0}, 1), b},
                "places 1 1, points 1 1, scores 4 4, games 2");
    expect_fold("nobody came", one, {nobody_came()},
                "places 1 1, points 0 0, scores 0 0, games 1, without 0, without 1");
    expect_fold("nobody goes on", one, {nobody_came()},
                "places 1 1, points 0 0, scores 0 0, games 1, without 0, without 1", 2, goes_on);
    expect_fold("a pod without one", pod, {without_third("match.no_show")},
                "places 2 1 4 3, points 4 6 0 2, scores 4 6 0 2, games 1, without 2", 4);
    expect_fold("a pod that one left", pod, {without_third("connection.lost")},
                "places 2 1 4 3, points 4 6 0 2, scores 4 6 0 2, games 1", 4);
    expect_fold("three for a win and one for a draw", one, {game(1, {3, 1, 1, 0})},
                "places 1 2 2 4, points 18 8 8 0, scores 6 2 2 0, games 1", 4, three_one);
    expect_fold("level goes on", two, {a, b}, "4 due, 2 left, scores 4 4", 2, goes_on);
    expect_fold("the other sits there next", two, {a, b, c}, "4 due, 1 left, scores 8 4", 2,
                goes_on);
    expect_fold("decided", two, {a, b, c, game(4, {0, 2})},
                "places 1 2, points 2 0, scores 12 4, games 4", 2, goes_on);
    expect_fold("level again", two, {a, b, c, d}, "6 due, 2 left, scores 8 8", 2, goes_on);
    expect_fold("no more games", two, {a, b, c, d, game(5, {1, 1}), game(6, {1, 1})},
                "places 1 1, points 1 1, scores 12 12, games 6", 2, goes_on);
    expect_fold("a first that is played again", two, {a, b, c, d, game(1, {1, 1}, 2)},
                "places 2 1, points 0 2, scores 2 6, games 2", 2, goes_on);
    expect_fold("solo, level", on_one_setup, {game(1, {5}), game(2, {5})},
                "4 due, 2 left, scores 10 10", 2, two_more);
    expect_fold("solo, one more", on_one_setup, {game(1, {5}), game(2, {5}), game(4, {7})},
                "4 due, 1 left, scores 10 24", 2, two_more);
    expect_fold("solo, decided", on_one_setup,
                {game(1, {5}), game(2, {5}), game(4, {7}), game(3, {6})},
                "places 2 1, points 0 2, scores 22 24, games 4", 2, two_more);
    expect_fold("solo, level again", on_one_setup,
                {game(1, {5}), game(2, {5}), game(4, {7}), game(3, {7})},
                "6 due, 2 left, scores 24 24", 2, two_more);
    const auto nobody = folded(one, {nobody_came()}).result;
    EXPECT_EQ(nobody.counted[0].scores[1], Score{});
    EXPECT_EQ(nobody.wins, (std::vector<std::uint32_t>{0, 0}));
    EXPECT_TRUE(folded(one, {a}, 2, goes_on).result.one_goes_on);
}

TEST(MatchFold, TellsWhyABotWasIdleByItsFault) {
    const std::string missing = "ann did not show up for the game";
    const std::string killed = "ann's process has ended by signal 9";
    struct Case {
        std::string rule;
        FaultCode code;
        std::string message;
        std::string cause;
    };
    for (const auto& [rule, code, message, cause] :
         {Case{"match.no_show", FaultCode::disconnected, missing, ""},
          Case{"match.no_show", FaultCode::disconnected, missing + ": its process ended: status 1",
               "its process ended: status 1"},
          Case{"connection.lost", FaultCode::crashed, killed, killed}}) {
        auto played = game(1, {0, 1});
        EXPECT_EQ(cause_of_idleness(played, 0), "");
        played.faults = {
            {.code = code, .consequence = Consequence::forfeit, .seat = 0, .rule = rule}};
        played.faults[0].message = message;
        EXPECT_EQ(cause_of_idleness(played, 0), cause);
        EXPECT_EQ(cause_of_idleness(played, 1), "");
    }
}

TEST(MatchFold, TellsTheGamesThatCounted) {
    MatchConfig config{.games = 3, .best_of = true};
    auto annulled = game(1, {2, 0});
    annulled.status = GameStatus::annulled;
    const std::vector<GameResult> results = {annulled, game(1, {2, 0}, 2), game(2, {0, 2})};
    const auto counted = folded(config, results).result.counted;
    ASSERT_EQ(counted.size(), 2U);
    EXPECT_EQ(counted[0].attempt, 2U);
    EXPECT_EQ(counted[1].number, 2U);
    // Seats rotate: the scores are by match seat all the same.
    EXPECT_EQ(counted[1].scores[0], Score::whole(2));
}

}  // namespace
}  // namespace referee::formats
