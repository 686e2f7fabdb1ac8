#include <gtest/gtest.h>

#include <array>
#include <iostream>

#include "tests/sim/timing/bounds.h"

// Bots that are near and far, on steady lines and on shaky ones.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t turns_of_ways = 30;
constexpr std::int64_t turns_of_many = 20;
constexpr std::size_t bots_in_a_room = 4;
// Of turns that are in time by a millisecond; path.h tells of 0.03% under the worst jitter.
constexpr std::size_t steady_passed_of_a_thousand = 25;  // of those that are late
constexpr std::size_t many_passed_of_a_thousand = 5;
constexpr std::size_t falsely_late_of_a_thousand = 5;

struct Place {
    Duration round_trip;
    const char* network;
};
constexpr std::array places{Place{20us, "127.0.0."}, Place{300us, "10.1."}, Place{10ms, "10.2."},
                            Place{40ms, "203.0."}, Place{150ms, "198.51."}};
constexpr std::array jitters{Duration(0ms), Duration(2ms), Duration(10ms)};

LineTraits some_line(Random& random, std::size_t number, Duration jitter) {
    const auto& place = places[random.below(places.size())];
    LineTraits line{.way = {place.round_trip, jitter}, .kernel = {.call_most = 10us}};
    line.address = place.network + std::to_string(number);
    // Each in a network of its own.
    if (place.network == places[0].network) {
        line.from_this_machine = true;
        line.way.jitter = Duration::zero();
    } else {
        line.address += ".7";
    }
    return line;
}

void run(std::uint64_t seed, Duration jitter, Fairness& fairness) {
    TimedRoom room(seed);
    auto& random = room.random();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < bots_in_a_room; ++i) {
        names.push_back("bot" + std::to_string(i));
        Answering answering;
        // Half of them play close to the limit.
        if (random.chance(50)) answering = {.thinks_least = 950, .thinks_most = 1030};
        room.add(names.back(), some_line(random, i + 1, jitter), answering);
    }
    const referee::clock::ClockConfig clock{.budget = 60ms + room.up_to(200ms)};
    room.open(names, clock, turns_of_ways);
    room.open({names[0], names[1]}, clock, turns_of_ways);
    EXPECT_TRUE(room.play(5min));
    EXPECT_TRUE(room.annulled().empty());
    for (const auto& judged : room.verdicts()) check_honest(judged, fairness);
}

TEST(Ways, honest_bots_are_charged_what_they_thought_and_never_late_for_their_way) {
    for (const auto jitter : jitters) {
        Fairness fairness;
        for_each_seed([&](std::uint64_t seed) { run(seed, jitter, fairness); }, runs_of_shares);
        std::cout << "jitter " << referee::in_us(jitter) << " us: " << fairness.turns << " turns, "
                  << fairness.late << " late, " << fairness.falsely_late << " of "
                  << fairness.clearly_in_time << " falsely; " << fairness.passed << " passed, by "
                  << referee::in_us(fairness.passed_by) << " us at most; charged at most "
                  << referee::in_us(fairness.charged_too_much) << " us too much, "
                  << referee::in_us(fairness.charged_too_little) << " us too little\n";
        EXPECT_GT(fairness.late, fairness.turns / 50);
        // Where nothing shakes, hardly anything may be forgiven for jitter, though an
        // acknowledgement may come late for other reasons.
        const bool shakes = jitter > Duration::zero();
        EXPECT_TRUE(shakes ||
                    fairness.passed * 1000 <= fairness.known_late * steady_passed_of_a_thousand);
        EXPECT_LE(fairness.falsely_late * 1000,
                  fairness.clearly_in_time * falsely_late_of_a_thousand);
    }
}

// Many games on one connection, of bots that are all a little late: hardly any may pass, whether
// they are near or far, though their lines are joined and their acknowledgements serve several.
TEST(Ways, late_bots_with_many_games_on_a_connection_are_late) {
    constexpr std::size_t games = 12;
    constexpr std::uint64_t a_little_late = 1050;  // thousandths
    for (const auto& place : {places[0], places[1], places[3]}) {
        std::size_t late = 0;
        std::size_t passed = 0;
        for_each_seed([&](std::uint64_t seed) {
            TimedRoom room(seed);
            LineTraits line{.way = {place.round_trip, {}}, .kernel = {.call_most = 10us}};
            line.from_this_machine = place.network == places[0].network;
            for (const auto* name : {"ada", "bob"}) {
                line.address = place.network + std::string(name == std::string("ada") ? "1" : "2") +
                               (line.from_this_machine ? "" : ".7");
                room.add(name, line, {.thinks_least = 900, .thinks_most = a_little_late});
            }
            for (std::size_t i = 0; i < games; ++i)
                room.open({"ada", "bob"}, {.budget = 50ms}, turns_of_many);
            EXPECT_TRUE(room.play(5min));
            for (const auto& judged : room.verdicts()) {
                const auto& truth = judged.truth;
                if (truth.thought <= judged.budget || truth.segment <= unknown_lines) continue;
                ++(judged.charge.late ? late : passed);
            }
        });
        std::cout << "round trip " << referee::in_us(place.round_trip) << " us: of "
                  << late + passed << " late ones " << passed << " passed\n";
        EXPECT_GT(late, 0U);
        EXPECT_LE(passed * 1000, (late + passed) * many_passed_of_a_thousand);
    }
}

// The same where the lines shake and the answers are in time: what doesn't count of an
// acknowledgement that serves several lines must not hide how they shake. A line's first samples
// are few, and each turn has many lines that may be held up.
TEST(Ways, bots_with_many_games_on_a_shaky_connection_are_seldom_late_in_time) {
    constexpr std::size_t games = 12;
    constexpr Duration all_jitter_counts = 250ms;
    struct Case {
        Duration jitter;
        std::size_t falsely_late_of_a_thousand;
    };
    for (const auto& [jitter, falsely_late] : {Case{2ms, 2}, Case{10ms, 20}}) {
        Fairness fairness;
        for_each_seed([&, jitter = jitter](std::uint64_t seed) {
            TimedRoom room(seed);
            std::vector<std::string> names;
            for (const auto* address : {"203.0.1.7", "203.0.2.7"}) {
                names.push_back("bot" + std::to_string(names.size()));
                LineTraits line{.way = {places[2].round_trip, jitter},
                                .address = address,
                                .kernel = {.call_most = 10us}};
                room.add(names.back(), line, {.thinks_least = 900, .thinks_most = 1030});
            }
            for (std::size_t i = 0; i < games; ++i)
                room.open(names, {.budget = all_jitter_counts}, turns_of_many);
            EXPECT_TRUE(room.play(5min));
            for (const auto& judged : room.verdicts()) check_honest(judged, fairness);
        });
        std::cout << "many games, jitter " << referee::in_us(jitter)
                  << " us: " << fairness.falsely_late << " of " << fairness.clearly_in_time
                  << " falsely late\n";
        EXPECT_GT(fairness.clearly_in_time, 0U);
        EXPECT_LE(fairness.falsely_late * 1000, fairness.clearly_in_time * falsely_late);
    }
}

}  // namespace
}  // namespace tests::sim::timing
