// Machines whose paces are known.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "referee/contest/certainty/machine_effect.h"
#include "referee/contest/rating/random.h"

namespace referee::certainty {
namespace {

using rating::Random;

constexpr int machine_simulations = 400;
// Three deviations of a share of 0.05 of so many simulations.
constexpr double machine_above_level = 0.033;

struct School {
    std::size_t machines = 2;
    std::size_t bots = 6;
    std::uint64_t matches = 40;
    std::uint64_t together = 1;       // matches of a job: all on one machine
    std::vector<double> slower{};     // by machine: what it adds to logarithms of time
    std::vector<double> faulty{};     // by machine: in how much of the games
    bool first_has_most = false;      // the first machine plays two matches of three
    bool bots_have_machines = false;  // most matches of a bot are on one machine
    double of_match = 0.3;            // the spread of what all bots of a match have in common
    bool skewed = false;              // some games are very long
};

double by_machine(const std::vector<double>& values, std::size_t machine) {
    return machine < values.size() ? values[machine] : 0;
}

std::size_t machine_of(const School& school, std::size_t bot, Random& random) {
    constexpr double most = 2.0 / 3;
    if (school.first_has_most && random.unit() < most) return 0;
    if (school.bots_have_machines && random.unit() < most) return bot % school.machines;
    return random.below(school.machines);
}

std::vector<MachineGame> played_in(const School& school, Random& random) {
    constexpr double spread_of_bots = 2;
    constexpr double spread_of_games = 0.3;
    std::vector<double> paces;
    for (std::size_t bot = 0; bot < school.bots; ++bot)
        paces.push_back(spread_of_bots * random.normal());
    std::vector<MachineGame> games;
    std::size_t machine = 0;
    for (std::uint64_t match = 0; match < school.matches; ++match) {
        const auto one = random.below(school.bots);
        const auto other = (one + 1 + random.below(school.bots - 1)) % school.bots;
        if (match % school.together == 0) machine = machine_of(school, one, random);
        const double common = school.of_match * random.normal();
        for (int game = 0; game < 2; ++game) {
            MachineGame played{match, machine};
            for (const auto bot : {one, other}) {
                const double luck = school.skewed ? std::log(1e-9 + random.unit()) * -1
                                                  : random.normal() * spread_of_games;
                MachineSeat seat{bot,
                                 paces[bot] + common + luck + by_machine(school.slower, machine)};
                seat.faulty = random.unit() < by_machine(school.faulty, machine);
                played.seats.push_back(seat);
            }
            games.push_back(played);
        }
    }
    return games;
}

std::vector<MachineEffect> effects_of(const School& school, Random& random) {
    return compare_machines(school.bots, school.machines, played_in(school, random));
}

const MachineEffect& effect_of(const std::vector<MachineEffect>& effects, std::size_t machine,
                               MachineMeasure measure) {
    for (const auto& effect : effects) {
        if (effect.machine == machine && effect.measure == measure) return effect;
    }
    throw std::out_of_range("no such effect");
}

bool any_real(const std::vector<MachineEffect>& effects, std::size_t but_for = SIZE_MAX) {
    return std::ranges::any_of(
        effects, [&](const auto& effect) { return effect.real && effect.machine != but_for; });
}

TEST(Machines, ThatAreAlikeAreCalledDifferentNoMoreOftenThanTheLevel) {
    const std::vector<std::pair<const char*, School>> cases{
        {"two hosts", {.matches = 20}},
        {"four", {.machines = 4, .matches = 60}},
        {"jobs", {.machines = 3, .matches = 90, .together = 3, .of_match = 0}},
        {"eight", {.machines = 8, .bots = 12, .matches = 200}},
        {"uneven", {.machines = 3, .matches = 60, .first_has_most = true}},
        {"apart", {.machines = 3, .matches = 90, .bots_have_machines = true}},
        {"skewed", {.machines = 3, .matches = 60, .skewed = true}},
        {"faulty", {.machines = 3, .matches = 60, .faulty = {0.05, 0.05, 0.05}}},
    };
    for (const auto& [what, school] : cases) {
        Random random(2026);
        int called = 0;
        for (int run = 0; run < machine_simulations; ++run)
            called += any_real(effects_of(school, random)) ? 1 : 0;
        EXPECT_LE(called, (machines_alpha + machine_above_level) * machine_simulations) << what;
    }
}

TEST(Machines, ThatTakeTwiceAsLongAreFoundAndTheOthersAreNot) {
    const School school{
        .machines = 4, .bots = 8, .matches = 80, .slower = {0, 0, std::log(2.0), 0}};
    Random random(7);
    int found = 0;
    int others = 0;
    int held = 0;
    constexpr int runs = 200;
    for (int run = 0; run < runs; ++run) {
        const auto effects = effects_of(school, random);
        const auto& slow = effect_of(effects, 2, MachineMeasure::time);
        found += slow.real && slow.difference > 0 ? 1 : 0;
        held += slow.interval.has(std::log(2.0)) ? 1 : 0;
        others += any_real(effects, 2) ? 1 : 0;
    }
    EXPECT_GE(found, runs - 2);
    EXPECT_GE(held, runs * 9 / 10);
    EXPECT_LE(others, runs / 10);
}

TEST(Machines, HaveIntervalsThatHoldTheTruth) {
    const School school{.matches = 40, .slower = {0, 0.2}};
    Random random(11);
    int held = 0;
    for (int run = 0; run < machine_simulations; ++run) {
        const auto effects = effects_of(school, random);
        const auto& first = effect_of(effects, 0, MachineMeasure::time);
        const auto& second = effect_of(effects, 1, MachineMeasure::time);
        ASSERT_EQ(first.untold, NoComparison::told);
        EXPECT_NEAR(first.difference, -second.difference, 1e-9) << "two are one comparison";
        EXPECT_EQ(first.real, second.real);
        EXPECT_TRUE(first.interval.has(first.difference));
        held += second.interval.has(0.2) ? 1 : 0;
    }
    EXPECT_GE(held, static_cast<int>(machine_simulations * (0.95 - machine_above_level)));
}

TEST(Machines, WhereBotsHaveFaultsAreFoundByThat) {
    const School school{.machines = 3, .matches = 90, .faulty = {0.02, 0.3, 0.02}};
    Random random(3);
    const auto effects = effects_of(school, random);
    const auto& faults = effect_of(effects, 1, MachineMeasure::faults);
    EXPECT_TRUE(faults.real);
    EXPECT_TRUE(faults.interval.has(0.28));
    EXPECT_TRUE(faults.share_interval.has(0.3));
    EXPECT_FALSE(effect_of(effects, 1, MachineMeasure::time).real);
    EXPECT_FALSE(effect_of(effects, 0, MachineMeasure::faults).real);
}

TEST(Machines, WhoseDifferenceMattersToNobodyAreAlike) {
    for (const double slower : {0.003, 0.03}) {
        std::vector<MachineGame> games;
        for (std::uint64_t match = 0; match < 400; ++match) {
            const std::size_t machine = match % 2;
            const double pace = slower * static_cast<double>(machine);
            games.push_back({match, machine, {{0, pace}, {1, pace + 0.0001}}});
        }
        const auto effects = compare_machines(2, 2, games);
        EXPECT_LE(effect_of(effects, 1, MachineMeasure::time).p, machines_alpha);
        EXPECT_EQ(effect_of(effects, 1, MachineMeasure::time).real, slower > 0.01);
    }
}

// The first machine has the quick bots, the second the slow ones; one bot has both.
TEST(Machines, AreNotBlamedForTheirBots) {
    std::vector<MachineGame> games;
    for (std::uint64_t match = 0; match < 40; ++match) {
        const std::size_t machine = match % 2;
        const double wobble = 0.01 * static_cast<double>(match % 5);
        games.push_back({match,
                         machine,
                         {{machine, 5.0 * static_cast<double>(machine) + wobble}, {2, wobble}}});
    }
    const auto& slow = effect_of(compare_machines(3, 2, games), 1, MachineMeasure::time);
    EXPECT_EQ(slow.untold, NoComparison::told);
    EXPECT_FALSE(slow.real);
    EXPECT_TRUE(slow.interval.has(0));
    for (auto& game : games) game.seats.pop_back();
    const auto alone = compare_machines(3, 2, games);
    EXPECT_EQ(effect_of(alone, 1, MachineMeasure::time).untold, NoComparison::apart);
}

TEST(Machines, OfWhichTooLittleIsKnownAreNotJudged) {
    EXPECT_TRUE(compare_machines(2, 3, {}).empty());
    Random random(5);
    const School one{.machines = 1, .matches = 40};
    EXPECT_EQ(effects_of(one, random).front().untold, NoComparison::alone);
    const School few{.matches = 5, .slower = {0, 9}};
    for (const auto& effect : effects_of(few, random)) {
        EXPECT_FALSE(effect.real);
        EXPECT_EQ(effect.untold, effect.measure == MachineMeasure::time ? NoComparison::few
                                                                        : NoComparison::nothing);
    }
}

}  // namespace
}  // namespace referee::certainty
