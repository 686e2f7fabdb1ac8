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

// The bot in that seat did not come.
void miss(MatchResult& result, std::size_t seat) {
    result.absent[seat] = true;
    result.points[seat] = {};
}

TEST(SwissOfPairs, EverybodyPlaysOnceARoundAndNobodyTwice) {
    for (const std::size_t n : {2U, 3U, 4U, 5U, 8U, 9U, 20U, 33U}) {
        const auto rounds = default_rounds(n, 2);
        const auto schedule = make_schedule(swiss(), field_of(n), 7);
        const auto played = play(*schedule, lots(n));
        EXPECT_TRUE(played.finished) << n;
        EXPECT_EQ(schedule->ended_early(), "");
        expect_sound(played, n, rounds);
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

TEST(SwissOfPairs, AWithdrawnBotIsPairedNoMore) {
    const auto schedule = make_schedule(swiss(4), field_of(9), 1);
    play(*schedule, result_by_number, Order::first_to_last, 1);
    schedule->withdraw(3, 1);  // round 1 is drawn: it counts from round 2 on
    const auto rest = play(*schedule, by_number);
    EXPECT_TRUE(rest.finished);
    int byes = 0;
    for (const auto& match : rest.matches) {
        EXPECT_EQ(std::ranges::count(match.seats, 3U), 0);
    }
    for (const auto& bye : rest.byes) {
        if (bye.entrant != 3) continue;
        ++byes;
        EXPECT_EQ(bye.kind, ByeKind::zero_point);
        EXPECT_EQ(bye.points, engines::Score{});
    }
    EXPECT_EQ(byes, 3);
}

TEST(SwissOfPairs, LateEntriesAndByesAskedFor) {
    auto entries = field_of(8);
    entries[7].first_round = 2;
    entries[2].half_point_byes = {3};
    entries[3].zero_point_byes = {3};
    const auto schedule = make_schedule(swiss(4), entries, 1);
    const auto played = play(*schedule, lots(4));
    expect_sound(played, 8, 4);
    const auto bye_of = [&](Entrant entrant, std::uint32_t round) {
        const auto found = std::ranges::find_if(played.byes, [&](const Bye& bye) {
            return bye.entrant == entrant && bye.round == round;
        });
        return found == played.byes.end() ? Bye{} : *found;
    };
    EXPECT_EQ(bye_of(7, 1).kind, ByeKind::zero_point);
    EXPECT_EQ(bye_of(2, 3).kind, ByeKind::half_point);
    EXPECT_EQ(bye_of(2, 3).points, engines::Score::halves(1));
    EXPECT_EQ(bye_of(3, 3).kind, ByeKind::zero_point);
    EXPECT_EQ(bye_of(3, 3).entrant, 3U);
    EXPECT_EQ(bye_of(3, 3).points, engines::Score{});
}

TEST(SwissOfPairs, SomebodyEntersWhileItRuns) {
    const auto schedule = make_schedule(swiss(3), field_of(6), 1);
    std::vector<MatchResult> first;
    while (first.size() < 3)
        first.push_back(result_of(std::get<Pairing>(schedule->next()), by_number));
    Entry late;
    late.name = "late";
    EXPECT_FALSE(schedule->enter(late, 1));
    EXPECT_EQ(schedule->enter(late, 2), 6U);
    for (const auto& result : first) schedule->record(result);
    auto played = play(*schedule, by_number);
    played.matches.insert(played.matches.end(), first.begin(), first.end());
    expect_sound(played, 7, 3);
}

TEST(SwissOfPairs, ForfeitedMatchesAreNoMeeting) {
    // The two of a forfeited match may meet again, and with two entrants nothing else is possible.
    const auto schedule = make_schedule(swiss(1), field_of(2), 1);
    auto result = result_of(std::get<Pairing>(schedule->next()), by_number);
    result.absent[1] = true;
    schedule->record(result);
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(schedule->next()));
}

// Two of nine never come: each round gives somebody a win without a game, and the bye another.
TEST(SwissOfPairs, GoesOnWhereEverybodyHadAByeOrAWinWithoutAGame) {
    const auto schedule = make_schedule(swiss(6), field_of(9), 1);
    const auto played = play(*schedule, [](const Pairing& pairing) {
        auto result = result_of(pairing, by_number);
        for (std::size_t seat = 0; seat < 2; ++seat) {
            if (pairing.seats[seat] >= 7) miss(result, seat);
        }
        return result;
    });
    EXPECT_EQ(schedule->ended_early(), "");
    EXPECT_EQ(played.matches.back().round, 6U);
    ASSERT_EQ(played.byes.size(), 6U);
    std::set<Entrant> had;
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(had.insert(played.byes[i].entrant).second) << i;
    EXPECT_GE(played.byes[5].entrant, 7U) << "only they never won without a game";
}

TEST(SwissOfPairs, TheByeGoesRoundAgainWhereNobodyIsWithoutPointsThatWereGiven) {
    const auto schedule = make_schedule(swiss(4), field_of(3), 1);
    const auto played = play(*schedule, [](const Pairing& pairing) {
        auto result = result_of(pairing, by_number);
        miss(result, 1);  // a win without a game
        return result;
    });
    EXPECT_EQ(schedule->ended_early(), "");
    EXPECT_EQ(played.byes.size(), 4U);
}

TEST(SwissOfPairs, WishesForByesBeforeARound) {
    const auto schedule = make_schedule(swiss(3), field_of(6), 1);
    schedule->wish_bye(1, 2, ByeKind::half_point);
    schedule->wish_bye(2, 2, ByeKind::zero_point);
    schedule->wish_bye(3, 2, ByeKind::zero_point);
    schedule->wish_bye(3, 2, std::nullopt);
    const auto played = play(*schedule, by_number);
    expect_sound(played, 6, 3);
    ASSERT_EQ(played.byes.size(), 2U);
    EXPECT_EQ(played.byes[0].kind, ByeKind::half_point);
    EXPECT_EQ(played.byes[1].kind, ByeKind::zero_point);
}

TEST(SwissOfPairs, TeammatesDoNotMeet) {
    auto config = config_of(SwissOptions{.rounds = 3, .keep_teams_apart = true});
    auto entries = field_of(8);
    for (std::size_t i = 0; i < 8; ++i) entries[i].team = i % 2 == 0 ? "even" : "odd";
    const auto schedule = make_schedule(config, entries, 1);
    for (const auto& match : play(*schedule, lots(2)).matches) {
        EXPECT_NE(match.seats[0] % 2, match.seats[1] % 2);
    }
}

TEST(SwissOfPairs, EndsEarlyWhereNobodyIsLeftToMeet) {
    auto config = config_of(SwissOptions{.rounds = 3, .keep_teams_apart = true});
    auto entries = field_of(4);
    entries[0].team = entries[1].team = entries[2].team = "same";
    const auto schedule = make_schedule(config, entries, 1);
    const auto played = play(*schedule, by_number);
    EXPECT_TRUE(played.finished);
    EXPECT_NE(schedule->ended_early().find("round 1"), std::string::npos);
}

TEST(SwissOfPods, EverybodyPlaysOnceARound) {
    for (const std::size_t n : {4U, 6U, 8U, 11U, 16U, 21U}) {
        auto config = config_of(SwissOptions{.seats = 4, .seats_min = 2, .rounds = 3});
        const auto schedule = make_schedule(config, field_of(n), 5);
        const auto played = play(*schedule, lots(n));
        EXPECT_TRUE(played.finished);
        expect_sound(played, n, 3);
    }
}

}  // namespace

// Who must not meet, seats that are not balanced, and how many rounds are too many.

namespace {

FormatConfig rounds_of_swiss(std::uint32_t rounds = 0) {
    return config_of(SwissOptions{.rounds = rounds});
}

bool meet(const Played& played, Entrant a, Entrant b, std::uint32_t first, std::uint32_t last) {
    return std::ranges::any_of(played.matches, [&](const auto& match) {
        const auto sits = [&match](Entrant entrant) {
            return base::contains(match.seats, entrant);
        };
        return first <= match.round && match.round <= last && sits(a) && sits(b);
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
    const auto entries = field_of(8);
    const auto names = [&](std::vector<Entrant> bots) {
        std::vector<std::string> all;
        for (const auto bot : bots) all.push_back(entries[bot].name);
        return all;
    };
    const auto usual = play(*make_schedule(rounds_of_swiss(3), entries, 1), by_number);
    ASSERT_TRUE(meet(usual, 0, 4, 1, 1));
    const auto schedule = make_schedule(rounds_of_swiss(3), entries, 1);
    schedule->forbid({names({0, 4, 5}), 1, 2}, false);
    EXPECT_FALSE(meet(play(*schedule, by_number), 0, 4, 1, 2));
    const auto lifted = make_schedule(rounds_of_swiss(3), entries, 1);
    lifted->forbid({names({0, 4, 5}), 1, 2}, false);
    lifted->forbid({names({0, 4}), 1, 3}, true);
    EXPECT_EQ(text_of(play(*lifted, by_number)), text_of(usual));
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

TEST(ForbiddenPairs, NoPairingIsLeft) {
    const auto entries = field_of(4);
    auto config = config_of(SwissOptions{.rounds = 2});
    auto& forbidden = std::get<SwissOptions>(config.options).forbidden_pairs;
    const auto& e = entries;
    forbidden = {{{e[0].name, e[1].name}, 2, 2}, {{e[0].name, e[2].name, e[3].name}, 2, 2}};
    EXPECT_FALSE(first_round_error(config, entries)) << "the first round can be paired";
    const auto schedule = make_schedule(config, entries, 1);
    EXPECT_TRUE(play(*schedule, by_number).finished);
    EXPECT_EQ(schedule->ended_early().substr(0, 25), "round 2 can't be paired: ");
    for (auto& pairs : forbidden) pairs.first_round = 1;
    const auto error = first_round_error(config, entries);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->member, "forbidden_pairs");
    EXPECT_EQ(error->message.substr(0, 25), "round 1 can't be paired: ");
}

TEST(ForbiddenPairs, HoldInLaterStages) {
    const auto entries = field_of(8);
    auto config = config_of(StagesOptions{
        {{.format = rounds_of_swiss(2)}, {.format = rounds_of_swiss(2), .advance = 4}}});
    const auto usual = play(*make_schedule(config, entries, 1), by_number);
    const auto third =
        std::ranges::find_if(usual.matches, [](const auto& match) { return match.round == 3; });
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
        const auto said = swiss_advice(rounds_of_swiss(one.rounds), {}, one.bots);
        EXPECT_EQ(said.empty(), one.advice.empty()) << one.bots << " " << one.rounds << said;
        EXPECT_NE(said.find(one.advice), std::string::npos) << said;
        EXPECT_EQ(said.find("colours"), std::string::npos) << said;
        const FormatConfig stages{.options = StagesOptions{{{.format = rounds_of_swiss(1)},
                                                            {.format = rounds_of_swiss(one.rounds),
                                                             .advance = one.bots}}}};
        EXPECT_EQ(swiss_advice(stages, {}, 100), said);
    }
    const auto with_colours = [](std::uint32_t games, bool best_of, SeatOrder order) {
        MatchConfig match{.games = games, .best_of = best_of, .seat_order = order};
        return swiss_advice(rounds_of_swiss(5), match, 6).find("\"colours\": false") !=
               std::string::npos;
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
