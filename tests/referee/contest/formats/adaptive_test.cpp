
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "referee/contest/formats/adaptive.h"
#include "tests/referee/contest/formats/play_schedule.h"
#include "tests/referee/contest/formats/simulated_class.h"

namespace referee::formats {
namespace {

constexpr double margin_of_truth = 0.01;  // of the points of a round robin

struct Told {
    std::vector<MatchResult> results;
    std::string ended_early;
    std::vector<std::size_t> places;
};

Told play_adaptive(const AdaptiveOptions& options, std::size_t bots, std::uint64_t seed,
                   const Match& match, Order order = Order::first_to_last) {
    const auto schedule = adaptive(options, field_of(bots), seed);
    auto played = play(*schedule, match, order);
    return {std::move(played.matches), schedule->ended_early(), *schedule->places()};
}

// A class of `kind`, asked `options`.
Told of_class(const AdaptiveOptions& options, const ClassKind& kind, std::uint64_t seed) {
    SimulatedClass its(kind, seed);
    return play_adaptive(options, its.bots(), seed,
                         [&](const Pairing& pairing) { return its.play(pairing); });
}

std::vector<Entrant> first_by_places(const std::vector<std::size_t>& places, std::size_t top) {
    std::vector<Entrant> first;
    for (Entrant entrant = 0; entrant < places.size(); ++entrant)
        if (places[entrant] <= top) first.push_back(entrant);
    return first;
}

// Classes of which it says something wrong, and those of which it says nothing.
struct Sums {
    int wrong = 0;
    int untold = 0;
};
Sums asked_of(const AdaptiveOptions& options, const ClassKind& kind, int classes) {
    Sums sums;
    for (int number = 0; number < classes; ++number) {
        const auto seed = static_cast<std::uint64_t>(number) + 1;
        const SimulatedClass truth(kind, seed);
        const auto told = of_class(options, kind, seed);
        if (!told.ended_early.empty()) {
            ++sums.untold;
        } else if (!truth.are_first(first_by_places(told.places, options.top), margin_of_truth)) {
            ++sums.wrong;
        }
    }
    return sums;
}

TEST(Adaptive, TellsWhoIsFirst) {
    const auto sums = asked_of({.matches = 12'000}, {.bots = 12}, 60);
    EXPECT_LE(sums.wrong, 3);
    EXPECT_LE(sums.untold, 6);
}

TEST(Adaptive, TellsWhichAreFirstThoughPairsDeviate) {
    const auto sums = asked_of({.top = 3, .matches = 8'000}, {.bots = 12, .deviations = 60}, 40);
    EXPECT_LE(sums.wrong, 2);
    EXPECT_LE(sums.untold, 36) << "some are told";
}

TEST(Adaptive, TheStrongestOfAClearFieldIsFoundSoon) {
    const auto told = play_adaptive({}, 16, 1, result_by_number);
    EXPECT_EQ(told.ended_early, "");
    EXPECT_EQ(told.places[0], 1U);
    EXPECT_LT(told.results.size(), 400U);
}

TEST(Adaptive, TheSameSeedDrawsTheSameMatchesInWhateverOrderResultsArrive) {
    AdaptiveOptions options{.matches = 300};
    const ClassKind kind;
    const auto text = [](const Told& told) {
        std::string seats;
        for (const auto& match : told.results)
            seats += std::to_string(match.seats[0]) + '-' + std::to_string(match.seats[1]) + ' ';
        return seats;
    };
    const auto one = of_class(options, kind, 5);
    EXPECT_EQ(text(one), text(of_class(options, kind, 5)));
    EXPECT_NE(text(one), text(of_class(options, kind, 6)));

    const auto by_match = [](const Pairing& pairing) {
        return result_of(pairing, [](const Pairing& its, std::size_t seat) {
            return static_cast<double>((its.seats[seat] * its.match) % 7);
        });
    };
    EXPECT_EQ(text(play_adaptive(options, 20, 5, by_match)),
              text(play_adaptive(options, 20, 5, by_match, Order::last_to_first)));
}

TEST(Adaptive, EndsAtItsMatchesAndSaysSo) {
    const auto told = of_class({.question = Question::order, .matches = 77}, {}, 1);
    EXPECT_EQ(told.results.size(), 77U);
    EXPECT_EQ(told.ended_early, "the question isn't answered, and its 77 matches are played");
}

// The first seat is had by both as often, and nobody plays twice in a round.
TEST(Adaptive, SeatsTakeTurnsAndNobodyPlaysTwiceInARound) {
    const auto told = of_class({.matches = 500}, {}, 3);
    std::map<std::pair<Entrant, Entrant>, int> first;
    std::map<std::uint32_t, std::set<Entrant>> seated;
    for (const auto& match : told.results) {
        ++first[{match.seats[0], match.seats[1]}];
        for (const auto entrant : match.seats)
            EXPECT_TRUE(seated[match.round].insert(entrant).second);
    }
    for (const auto& [pair, count] : first)
        EXPECT_LE(std::abs(count - first[{pair.second, pair.first}]), 1);
}

TEST(Adaptive, WhoDoesNotComeIsNotDrawnForEver) {
    const auto told = play_adaptive({.matches = 400}, 8, 1, [](const Pairing& pairing) {
        auto result = result_of(pairing, by_number);
        for (std::size_t seat = 0; seat < 2; ++seat) result.absent[seat] = pairing.seats[seat] == 0;
        return result;
    });
    const auto missed =
        std::ranges::count_if(told.results, [](const auto& match) { return match.forfeit(); });
    EXPECT_LE(missed, 6) << "six rounds of the opening at most";
    EXPECT_NE(told.ended_early, "") << "of who never came nothing is known";
}

// Of two that always play the same game nothing more is to be learnt.
TEST(Adaptive, WhoRepeatsGamesIsKnown) {
    const auto told = play_adaptive({.matches = 1000}, 2, 1, [](const Pairing& pairing) {
        auto result = result_of(pairing, by_number);
        result.counted = games_with({"the same"});
        return result;
    });
    EXPECT_LT(told.results.size(), 12U);
    EXPECT_EQ(told.ended_early, "");
    EXPECT_EQ(told.places[0], 1U);
}

TEST(Adaptive, AsksWhoIsBetterThanOne) {
    AdaptiveOptions options{.question = Question::better_than, .better_than = 4};
    const auto told = play_adaptive(options, 9, 1, result_by_number);
    EXPECT_EQ(told.ended_early, "");
    const auto state = adaptive_state(options, 9, told.results);
    EXPECT_EQ(state.asked().size(), 8U);
    for (const auto& pair : state.asked()) {
        EXPECT_TRUE(pair.told);
        EXPECT_LT(pair.above, pair.below);
    }
}

// What is foretold when a few matches are played is of the right size: on the whole within a
// factor.
TEST(Adaptive, TellsHowManyMatchesAnAnswerWouldTake) {
    constexpr int classes = 24;
    constexpr double factor = 5;
    AdaptiveOptions few{.matches = 300};
    AdaptiveOptions enough{.matches = 20'000};
    ClassKind kind{.bots = 12};
    int near = 0;
    int untold = 0;
    for (std::uint64_t seed = 1; seed <= classes; ++seed) {
        const auto state = adaptive_state(few, kind.bots, of_class(few, kind, seed).results);
        const auto missing = state.matches_missing();
        EXPECT_EQ(missing.has_value(), !state.answered());
        if (!missing) continue;
        ++untold;
        const auto all = static_cast<double>(of_class(enough, kind, seed).results.size());
        const double estimated = 300 + *missing;
        near += estimated < factor * all && factor * estimated > all ? 1 : 0;
    }
    EXPECT_GT(untold, classes / 4);
    EXPECT_GE(near, untold * 3 / 4);
}

}  // namespace
}  // namespace referee::formats
