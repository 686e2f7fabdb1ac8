#include <gtest/gtest.h>

#include <algorithm>

#include "referee/contest/formats/format.h"
#include "referee/contest/formats/swiss.h"
#include "tests/referee/contest/formats/play_schedule.h"

// Who must not meet, seats that are not balanced, and how many rounds are too many.

namespace referee::formats {
namespace {

FormatConfig rounds_of_swiss(std::uint32_t rounds = 0) {
    return config_of(SwissOptions{.rounds = rounds});
}

bool meet(const Played& played, Entrant a, Entrant b, std::uint32_t first, std::uint32_t last) {
    return std::any_of(played.matches.begin(), played.matches.end(), [&](const auto& match) {
        const auto sits = [&match](Entrant entrant) {
            return std::find(match.seats.begin(), match.seats.end(), entrant) != match.seats.end();
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
        return std::any_of(all.begin(), all.end(), [&](const auto& pairs) {
            return pairs.first_round <= round && round <= pairs.last_round &&
                   std::count(pairs.bots.begin(), pairs.bots.end(), a) > 0 &&
                   std::count(pairs.bots.begin(), pairs.bots.end(), b) > 0;
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
    const GameSeats two{2, 2, false};
    const auto& e = entries;
    forbidden = {{{e[0].name, e[1].name}, 2, 2}, {{e[0].name, e[2].name, e[3].name}, 2, 2}};
    EXPECT_TRUE(check_format(config, entries, two).empty()) << "the first round can be paired";
    const auto schedule = make_schedule(config, entries, 1);
    EXPECT_TRUE(play(*schedule, by_number).finished);
    EXPECT_EQ(schedule->ended_early().substr(0, 25), "round 2 can't be paired: ");
    for (auto& pairs : forbidden) pairs.first_round = 1;
    const auto errors = check_format(config, entries, two);
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors[0].member, "forbidden_pairs");
    EXPECT_EQ(errors[0].message.substr(0, 25), "round 1 can't be paired: ");
}

TEST(ForbiddenPairs, HoldInLaterStages) {
    const auto entries = field_of(8);
    auto config = config_of(StagesOptions{
        {{.format = rounds_of_swiss(2)}, {.format = rounds_of_swiss(2), .advance = 4}}});
    const auto usual = play(*make_schedule(config, entries, 1), by_number);
    const auto third = std::find_if(usual.matches.begin(), usual.matches.end(),
                                    [](const auto& match) { return match.round == 3; });
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
