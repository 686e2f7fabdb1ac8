// Who comes, leaves or changes while an adaptive tournament is played, and the end of its time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "protocol/base/find.h"
#include "referee/contest/formats/adaptive.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/contest/formats/simulated_class.h"

namespace referee::formats {
namespace {

MatchResult played_by(const Pairing& pairing, const std::string& program, Entrant whose) {
    auto result = result_of(pairing, by_number);
    for (const auto entrant : pairing.seats)
        result.programs.push_back(entrant == whose ? program : "p" + std::to_string(entrant));
    return result;
}

std::vector<Entry> named(const std::vector<std::string>& names) {
    std::vector<Entry> entries;
    for (const auto& name : names) entries.emplace_back().name = name;
    return entries;
}

// What is played until the schedule waits for the round after the last one given.
std::vector<MatchResult> play_rounds(Schedule& schedule, std::uint32_t last, const Match& match) {
    return play(schedule, match, Order::first_to_last, last).matches;
}

std::size_t matches_of(const std::vector<MatchResult>& results, Entrant whom,
                       std::uint32_t first_round) {
    return static_cast<std::size_t>(std::ranges::count_if(results, [&](const auto& result) {
        return result.round >= first_round && base::contains(result.seats, whom);
    }));
}

TEST(AdaptiveField, WhoEntersLateMeetsOthersFirst) {
    AdaptiveOptions options{.question = Question::order};
    const auto schedule = adaptive(options, field_of(9), 1);
    play_rounds(*schedule, 10, result_by_number);
    EXPECT_EQ(schedule->enter({}, 10), std::nullopt) << "that round is drawn";
    EXPECT_EQ(schedule->enter({}, 11), Entrant{9});
    EXPECT_EQ(schedule->places()->size(), 10U);
    const auto results = play_rounds(*schedule, 16, result_by_number);
    EXPECT_EQ(matches_of(results, 9, 11), 6U) << "one in each round, until it has an opening's";
    EXPECT_EQ((*schedule->places())[9], 10U) << "it lost all";
}

// The best by far leaves: then the second is first.
TEST(AdaptiveField, WhoLeavesIsNoAnswer) {
    const auto schedule = adaptive({}, field_of(8), 1);
    auto results = play_rounds(*schedule, 7, result_by_number);
    schedule->withdraw(0, 8);
    const auto more = play_rounds(*schedule, UINT32_MAX, result_by_number);
    EXPECT_EQ(matches_of(more, 0, 8), 0U);
    EXPECT_EQ(schedule->ended_early(), "");
    EXPECT_EQ((*schedule->places())[1], 1U);
    EXPECT_EQ((*schedule->places())[0], 8U);
    results.insert(results.end(), more.begin(), more.end());
    const auto state = adaptive_state({}, 8, results, std::vector<Entrant>{0});
    EXPECT_TRUE(state.answered());
    EXPECT_EQ(state.order().front(), 1U);
    for (const auto& pair : state.asked()) EXPECT_TRUE(pair.above != 0 && pair.below != 0);
    EXPECT_EQ(adaptive_state({}, 8, results).order().front(), 0U);
}

// Whoever is left alone is first of nobody.
TEST(AdaptiveField, WhereAllOthersLeftNothingIsAnswered) {
    const auto schedule = adaptive({}, field_of(4), 1);
    const auto results = play_rounds(*schedule, 3, result_by_number);
    for (Entrant gone = 1; gone < 4; ++gone) schedule->withdraw(gone, 4);
    EXPECT_TRUE(play_rounds(*schedule, UINT32_MAX, result_by_number).empty());
    EXPECT_THAT(schedule->ended_early(), testing::HasSubstr("the question isn't answered"));
    EXPECT_FALSE(adaptive_state({}, 4, results, std::vector<Entrant>{1, 2, 3}).answered());
}

TEST(AdaptiveField, WhoComesBackIsAskedForAgain) {
    const auto schedule = adaptive({}, field_of(8), 1);
    play_rounds(*schedule, 7, result_by_number);
    schedule->withdraw(0, 8);
    play_rounds(*schedule, 9, result_by_number);
    EXPECT_TRUE(schedule->come_back(0, 10));
    play_rounds(*schedule, UINT32_MAX, result_by_number);
    EXPECT_EQ((*schedule->places())[0], 1U);
}

// The last of all comes with a program that wins everything.
TEST(AdaptiveField, AnotherProgramIsANewcomer) {
    AdaptiveOptions options{.question = Question::order};
    const auto schedule = adaptive(options, field_of(8), 1);
    auto results = play_rounds(*schedule, 12,
                               [](const Pairing& pairing) { return played_by(pairing, "old", 7); });
    EXPECT_EQ((*schedule->places())[7], 8U);
    const auto with_new = [](const Pairing& pairing) {
        auto result = result_of(pairing, [](const Pairing& its, std::size_t seat) {
            return its.seats[seat] == 7 ? 100.0 : by_number(its, seat);
        });
        result.programs = played_by(pairing, "new", 7).programs;
        return result;
    };
    while (matches_of(results, 7, 13) == 0) {
        const auto more = play_rounds(*schedule, results.back().round + 1, with_new);
        ASSERT_FALSE(more.empty()) << "it ended before the new program had a match";
        results.insert(results.end(), more.begin(), more.end());
    }
    EXPECT_EQ(adaptive_state(options, 8, results).matches(7), 1) << "the old one's don't count";
    const auto first = results.back().round;
    const auto more = play_rounds(*schedule, first + 5, with_new);
    EXPECT_EQ(matches_of(more, 7, first + 1), 5U) << "it comes first";
    EXPECT_EQ((*schedule->places())[7], 1U);
}

// The same game as before, but by another program, tells of that program.
TEST(AdaptiveField, AnotherProgramDoesNotRepeatTheOneBefore) {
    const auto match = [](std::uint64_t number, const std::string& program) {
        auto result = result_of({number, 1, {0, 1}}, by_number);
        result.counted = games_with({"the same"});
        result.programs = {program, "other"};
        return result;
    };
    AdaptiveState state({}, 2);
    state.record(match(1, "a"));
    state.record(match(2, "a"));
    state.record(match(3, "a"));
    EXPECT_EQ(state.matches(0), 1);
    EXPECT_TRUE(state.settled(0, 1));
    state.record(match(4, "b"));
    EXPECT_EQ(state.matches(0), 1);
    EXPECT_FALSE(state.settled(0, 1));
    auto mixed = match(5, "c");
    mixed.programs_mixed = true;
    state.record(mixed);
    EXPECT_EQ(state.matches(0), 0) << "part of it was the one before";
}

TEST(AdaptiveField, EndsByItsTimeAndSaysSo) {
    AdaptiveOptions options{.question = Question::order};
    SimulatedClass its({}, 1);
    const auto schedule = adaptive(options, field_of(its.bots()), 1);
    const auto by = [&](const Pairing& pairing) { return its.play(pairing); };
    const auto results = play_rounds(*schedule, 5, by);
    schedule->end_by_time();
    EXPECT_TRUE(play_rounds(*schedule, UINT32_MAX, by).empty());
    EXPECT_EQ(schedule->ended_early(), "the question isn't answered, and its time is over");
    EXPECT_EQ(schedule->enter({}, 6), std::nullopt);
}

// Though its time is over, an answer is one; then nobody enters any more.
TEST(AdaptiveField, AnAnswerThatIsThereWhenTheTimeIsOverIsTold) {
    const auto all = play(*adaptive({}, field_of(4), 1), by_number).matches;
    const auto again = adaptive({}, field_of(4), 1);
    play_rounds(*again, all.back().round, result_by_number);
    again->end_by_time();
    EXPECT_TRUE(std::holds_alternative<Schedule::Finished>(again->next()));
    EXPECT_EQ(again->ended_early(), "");
    EXPECT_EQ(again->enter({}, all.back().round + 1), std::nullopt);
}

// The best of a ladder come in the order of its ranks, and an order to begin may be yet to come.
TEST(AdaptiveField, TheBotOfAQuestionIsFoundByItsNameInWhateverFieldThereIs) {
    const auto format = config_of(AdaptiveOptions{
        .question = Question::better_than, .better_than = 2, .better_than_name = "c"});
    const auto asked = [&](const std::vector<Entry>& field) {
        return *for_field(format, field).as<AdaptiveOptions>();
    };
    EXPECT_EQ(asked(named({"c", "a"})).better_than, 0U);
    EXPECT_EQ(asked(named({"b", "c"})).better_than, 1U);
    for (const auto& field : {named({}), named({"a", "b"})}) {
        EXPECT_EQ(asked(field).better_than, no_entrant);
        const AdaptiveState state(asked(field), field.size());
        EXPECT_FALSE(state.answered() && field.empty());
        EXPECT_TRUE(state.asked().empty());
    }
    const auto errors = check_format(format, named({"a", "b"}), {});
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().member, "better_than");
    EXPECT_THAT(errors.front().message, testing::HasSubstr("\"c\" is not in the field"));
}

TEST(AdaptiveField, OpponentsOfALeaderboardAreFoundByTheirNames) {
    const auto format = config_of(LeaderboardOptions{{1}, {"b"}});
    EXPECT_TRUE(fixed_opponents(for_field(format, {})).empty());
    EXPECT_EQ(fixed_opponents(for_field(format, named({"b", "a"}))), std::vector<Entrant>{0});
}

}  // namespace
}  // namespace referee::formats
