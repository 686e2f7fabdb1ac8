#include <gtest/gtest.h>
#include <algorithm>
#include <map>
#include <set>

#include "protocol/base/find.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/swiss.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

FormatConfig swiss(std::uint32_t rounds = 0) {
    return config_of(SwissOptions{.rounds = rounds});
}

// In a Swiss everybody has one line in every round, and in one of pairs nobody meets anybody twice.
void expect_sound(const Played& played, std::size_t entrants, std::uint32_t rounds) {
    std::set<std::pair<Entrant, Entrant>> met;
    std::map<std::pair<Entrant, std::uint32_t>, int> lines;
    for (const auto& match : played.matches) {
        if (match.seats.size() == 2) {
            EXPECT_TRUE(met.insert(std::minmax(match.seats[0], match.seats[1])).second);
        }
        for (const auto seat : match.seats) ++lines[{seat, match.round}];
    }
    for (const auto& bye : played.byes) ++lines[{bye.entrant, bye.round}];
    EXPECT_EQ(lines.size(), entrants * rounds);
    for (const auto& [line, count] : lines) EXPECT_EQ(count, 1);
}

TEST(Swiss, EverybodyPlaysOnceARoundAndNobodyTwice) {
    for (const std::size_t n : {2U, 3U, 4U, 5U, 6U, 8U, 9U, 11U, 20U, 33U}) {
        for (const std::size_t seats : {2U, 4U}) {
            if (n < seats) continue;
            const SwissOptions options{.seats = seats, .rounds = seats == 2 ? 0U : 3U};
            const auto schedule = make_schedule(config_of(options), field_of(n), 7);
            const auto played = play(*schedule, lots(n));
            EXPECT_TRUE(played.finished) << n;
            EXPECT_EQ(schedule->ended_early(), "");
            expect_sound(played, n, rounds_of(options, n));
        }
    }
}

TEST(SwissOfPairs, RoundsByDefault) {
    const std::vector<std::pair<std::size_t, std::uint32_t>> cases = {
        {2, 1},  {3, 3},  {4, 3},  {5, 3},  {8, 3},    {9, 4},
        {16, 4}, {17, 5}, {64, 6}, {65, 7}, {2000, 11}};
    for (const auto& [entrants, rounds] : cases)
        EXPECT_EQ(default_rounds(entrants, 2), rounds) << entrants;
}

TEST(SwissOfPairs, SameSeedSamePairingsInWhateverOrderResultsCome) {
    for (const std::size_t n : {9U, 20U}) {
        const auto one = make_schedule(swiss(), field_of(n), 3);
        const auto other = make_schedule(swiss(), field_of(n), 3);
        EXPECT_EQ(text_of(play(*one, lots(1))),
                  text_of(play(*other, lots(1), Order::last_to_first)));
    }
}

TEST(SwissOfPairs, FirstRoundIsFidesAndItsColourTheSeeds) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto schedule = make_schedule(swiss(), field_of(4), seed);
        seen.insert(text_of(play(*schedule, by_number)).substr(0, 7));
    }
    EXPECT_EQ(seen, (std::set<std::string>{"1-3 4-2", "3-1 2-4"}));
}

// One comes late, two asked for byes with their entries and three later, of whom one thought better
// of it, and one is withdrawn when the first round is drawn.
TEST(SwissOfPairs, WhoSitsRoundsOutHasWhatHeAskedFor) {
    auto entries = field_of(12);
    entries[7].first_round = 2;
    entries[2].half_point_byes = {3};
    entries[3].zero_point_byes = {3};
    const auto schedule = make_schedule(swiss(4), entries, 1);
    schedule->wish_bye(4, 2, ByeKind::half_point);
    schedule->wish_bye(5, 2, ByeKind::zero_point);
    schedule->wish_bye(6, 2, ByeKind::zero_point);
    schedule->wish_bye(6, 2, std::nullopt);
    auto played = play(*schedule, Match(result_by_number), Order::first_to_last, 1);
    schedule->withdraw(0, 1);  // round 1 is drawn: it counts from round 2 on
    auto rest = play(*schedule, by_number);
    EXPECT_TRUE(rest.finished);
    played.matches.insert(played.matches.end(), rest.matches.begin(), rest.matches.end());
    played.byes.insert(played.byes.end(), rest.byes.begin(), rest.byes.end());
    expect_sound(played, 12, 4);
    std::set<std::string> byes;
    for (const auto& bye : played.byes) {
        if (bye.kind == ByeKind::pairing) continue;
        byes.insert(std::to_string(bye.round) + ": " + std::to_string(bye.entrant) + " " +
                    std::string(name_of(bye.kind)) + " " + std::to_string(bye.points.in_halves()));
    }
    EXPECT_EQ(byes,
              (std::set<std::string>{"1: 7 zero_point 0", "2: 0 zero_point 0", "2: 4 half_point 1",
                                     "2: 5 zero_point 0", "3: 0 zero_point 0", "3: 2 half_point 1",
                                     "3: 3 zero_point 0", "4: 0 zero_point 0"}));
}

TEST(Swiss, SomebodyEntersAndLeavesWhileItRuns) {
    for (const std::size_t seats : {2U, 3U}) {
        const auto config = config_of(SwissOptions{.seats = seats, .seats_min = 2, .rounds = 3});
        const auto schedule = make_schedule(config, field_of(6), 1);
        std::vector<MatchResult> first;
        while (first.size() < 6 / seats)
            first.push_back(result_of(std::get<Pairing>(schedule->next()), by_number));
        const Entry late{.name = "late"};
        EXPECT_FALSE(schedule->enter(late, 1));
        EXPECT_EQ(schedule->enter(late, 2), 6U);
        schedule->withdraw(0, 1);
        for (const auto& result : first) schedule->record(result);
        auto played = play(*schedule, by_number);
        played.matches.insert(played.matches.end(), first.begin(), first.end());
        expect_sound(played, 7, 3);
    }
}

// A forfeit is no meeting: each round gives somebody a win without a game, and the bye another, who
// had points without a game least often.
TEST(SwissOfPairs, GoesOnWhereEverybodyHadAByeOrAWinWithoutAGame) {
    const auto without = [](Entrant from, std::size_t seat_always) {
        return [=](const Pairing& pairing) {
            auto result = result_of(pairing, by_number);
            for (std::size_t seat = 0; seat < 2; ++seat) {
                if (pairing.seats[seat] < from && seat != seat_always) continue;
                result.absent[seat] = true;
                result.points[seat] = {};
            }
            return result;
        };
    };
    // Two of nine never come.
    const auto schedule = make_schedule(swiss(6), field_of(9), 1);
    const auto played = play(*schedule, without(7, SIZE_MAX));
    EXPECT_EQ(schedule->ended_early(), "");
    EXPECT_EQ(played.matches.back().round, 6U);
    ASSERT_EQ(played.byes.size(), 6U);
    std::set<Entrant> had;
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(had.insert(played.byes[i].entrant).second) << i;
    EXPECT_GE(played.byes[5].entrant, 7U) << "only they never won without a game";
    // Of three the second seat never comes: with four rounds they meet again.
    const auto three = make_schedule(swiss(4), field_of(3), 1);
    EXPECT_EQ(play(*three, without(3, 1)).byes.size(), 4U);
    EXPECT_EQ(three->ended_early(), "");
}

TEST(SwissOfPairs, TeammatesDoNotMeet) {
    auto entries = field_of(8);
    for (std::size_t i = 0; i < 8; ++i) entries[i].team = i % 2 == 0 ? "even" : "odd";
    const auto apart = config_of(SwissOptions{.rounds = 3, .keep_teams_apart = true});
    for (const auto& match : play(*make_schedule(apart, entries, 1), lots(2)).matches)
        EXPECT_NE(match.seats[0] % 2, match.seats[1] % 2);
}

bool meet(const Played& played, Entrant a, Entrant b, std::uint32_t first, std::uint32_t last) {
    return std::ranges::any_of(played.matches, [&](const auto& match) {
        return first <= match.round && match.round <= last && base::contains(match.seats, a) &&
               base::contains(match.seats, b);
    });
}

// Each pair of the forbidden ones would meet in some round otherwise.
TEST(ForbiddenPairs, DoNotMeet) {
    for (const std::size_t seats : {2U, 4U}) {
        const std::size_t n = seats == 2 ? 8 : 16;
        auto config = config_of(SwissOptions{.seats = seats, .seats_min = seats, .rounds = 4});
        const auto free = play(*make_schedule(config, field_of(n), 1), lots(2));
        const auto entries = field_of(n);
        int kept_apart = 0;
        for (const auto& match : free.matches) {
            const auto a = match.seats[0];
            const auto b = match.seats[1];
            std::get<SwissOptions>(config.options).forbidden_pairs = {
                {{entries[a].name, entries[b].name}, match.round, match.round},
                {{"nobody", entries[a].name}}};
            const auto schedule = make_schedule(config, entries, 1);
            const auto played = play(*schedule, lots(2));
            EXPECT_EQ(schedule->ended_early(), "");
            EXPECT_FALSE(meet(played, a, b, match.round, match.round));
            EXPECT_TRUE(played.finished);
            kept_apart += text_of(played) != text_of(free) ? 1 : 0;
        }
        EXPECT_EQ(kept_apart, static_cast<int>(free.matches.size()));
    }
}

TEST(ForbiddenPairs, AreForbiddenAndLiftedBeforeARound) {
    const auto usual = play(*make_schedule(swiss(3), field_of(8), 1), by_number);
    ASSERT_TRUE(meet(usual, 0, 4, 1, 1));
    for (const bool lifted : {false, true}) {
        const auto schedule = make_schedule(swiss(3), field_of(8), 1);
        schedule->forbid({{"bot1", "bot5", "bot6"}, 1, 2}, false);
        if (lifted) schedule->forbid({{"bot1", "bot5"}, 1, 3}, true);
        const auto played = play(*schedule, by_number);
        EXPECT_EQ(meet(played, 0, 4, 1, 2), lifted);
        EXPECT_EQ(text_of(played) == text_of(usual), lifted);
    }
}

TEST(ForbiddenPairs, ALiftLeavesWhatIsForbiddenBeside) {
    std::vector<ForbiddenPairs> all{{{"a", "b", "c"}, 2, 9}, {{"d", "e"}}};
    lift(all, {{"b", "a"}, 4, 5});
    const auto forbidden = [&all](const char* a, const char* b, std::uint32_t round) {
        return std::ranges::any_of(all, [&](const auto& pairs) {
            return pairs.first_round <= round && round <= pairs.last_round &&
                   std::ranges::count(pairs.bots, a) > 0 && std::ranges::count(pairs.bots, b) > 0;
        });
    };
    EXPECT_TRUE(forbidden("a", "b", 3) && forbidden("b", "a", 6) && forbidden("a", "b", 9));
    EXPECT_FALSE(forbidden("a", "b", 1) || forbidden("a", "b", 4) || forbidden("b", "a", 5) ||
                 forbidden("a", "b", 10));
    EXPECT_TRUE(forbidden("a", "c", 4) && forbidden("b", "c", 5) && forbidden("d", "e", 1000));
}

TEST(ForbiddenPairs, EndItEarlyWhereNoPairingIsLeft) {
    SwissOptions options{.rounds = 2};
    options.forbidden_pairs = {{{"bot1", "bot2"}, 2, 2}, {{"bot1", "bot3", "bot4"}, 2, 2}};
    EXPECT_FALSE(first_round_error(config_of(options), field_of(4)));
    const auto schedule = make_schedule(config_of(options), field_of(4), 1);
    EXPECT_TRUE(play(*schedule, by_number).finished);
    EXPECT_EQ(schedule->ended_early().substr(0, 25), "round 2 can't be paired: ");
}

TEST(ForbiddenPairs, HoldInLaterStages) {
    const auto entries = field_of(8);
    auto config =
        config_of(StagesOptions{{{.format = swiss(2)}, {.format = swiss(2), .advance = 4}}});
    const auto usual = play(*make_schedule(config, entries, 1), by_number);
    const auto third = std::ranges::find(usual.matches, 3U, &MatchResult::round);
    ASSERT_NE(third, usual.matches.end());
    const auto a = third->seats[0];
    const auto b = third->seats[1];
    const auto schedule = make_schedule(config, entries, 1);
    schedule->forbid({{entries[a].name, entries[b].name}, 3, 3}, false);
    const auto played = play(*schedule, by_number);
    EXPECT_FALSE(meet(played, a, b, 3, 3));
    EXPECT_TRUE(played.finished);
    EXPECT_EQ(played.matches.size(), usual.matches.size());
}

TEST(SwissAdvice, WhereRoundsAreManyForTheField) {
    struct Case {
        std::size_t bots;
        std::uint32_t rounds;
        std::string_view advice;
    };
    const Case cases[] = {{6, 4, "at most 3, or \"kind\": \"round_robin\" with all 5"},
                          {6, 3, ""},
                          {4, 3, ""},
                          {7, 6, "at most 5"},
                          {7, 5, ""},
                          {16, 14, "at most 13"},
                          {16, 0, ""}};
    for (const auto& one : cases) {
        const auto said = swiss_advice(swiss(one.rounds), {}, one.bots);
        EXPECT_EQ(said.empty(), one.advice.empty()) << one.bots << " " << one.rounds << said;
        EXPECT_NE(said.find(one.advice), std::string::npos) << said;
        EXPECT_EQ(said.find("colours"), std::string::npos) << said;
        const FormatConfig stages{
            .options = StagesOptions{
                {{.format = swiss(1)}, {.format = swiss(one.rounds), .advance = one.bots}}}};
        EXPECT_EQ(swiss_advice(stages, {}, 100), said);
    }
    const auto with_colours = [](std::uint32_t games, bool best_of, SeatOrder order) {
        MatchConfig match{.games = games, .best_of = best_of, .seat_order = order};
        return swiss_advice(swiss(5), match, 6).find("\"colours\": false") != std::string::npos;
    };
    EXPECT_TRUE(with_colours(2, false, SeatOrder::rotate));
    EXPECT_FALSE(with_colours(3, false, SeatOrder::rotate));
    EXPECT_FALSE(with_colours(2, true, SeatOrder::rotate));
    EXPECT_FALSE(with_colours(2, false, SeatOrder::same));
}

// Six bots whose seats would forbid what opponents allow.
TEST(SwissOfPairs, WithoutColoursMoreRoundsArePaired) {
    const auto rounds = [](bool colours) {
        auto config = config_of(SwissOptions{.rounds = 4, .colours = colours});
        std::size_t matches = 0;
        for (std::uint64_t seed = 1; seed <= 50; ++seed)
            matches += play(*make_schedule(config, field_of(6), seed), lots(seed)).matches.size();
        return matches;
    };
    EXPECT_GT(rounds(false), rounds(true));
}

}  // namespace
}  // namespace referee::formats
