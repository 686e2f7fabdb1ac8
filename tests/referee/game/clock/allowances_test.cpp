#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

#include "protocol/base/split_mix.h"
#include "referee/game/clock/allowances.h"

namespace referee::clock {

namespace {

using namespace std::chrono_literals;

Address v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d) {
    return Address::v4({a, b, c, d});
}

Address v6(std::uint8_t first, std::uint8_t second, std::uint8_t eighth = 0,
           std::uint8_t last = 0) {
    Address address;
    address.bytes[0] = first;
    address.bytes[1] = second;
    address.bytes[7] = eighth;
    address.bytes[15] = last;
    return address;
}

const Instant begin = Instant{} + 1h;

// What is allowed of a round trip for a bot that is alone on its network.
Duration allowed_alone(Allowances& allowances, const Address& address, Duration round_trip) {
    const auto id = allowances.enter(address);
    const auto path = allowances.bounded(id, Path::exact(round_trip), begin);
    allowances.leave(id);
    return path.least;
}

TEST(AllowancesTest, TheRangeOfTheAddressCaps) {
    struct Row {
        const char* what;
        Address address;
        Duration cap;
    };
    Allowances allowances;
    for (const auto& [what, address, cap] : {
             Row{"loopback", v4(127, 0, 0, 1), 1ms},
             Row{"loopback of IPv6", v6(0, 0, 0, 1), 1ms},
             Row{"a class A", v4(10, 200, 3, 4), 20ms},
             Row{"a class B", v4(172, 31, 255, 1), 20ms},
             Row{"behind it", v4(172, 32, 0, 1), 250ms},
             Row{"a class C", v4(192, 168, 9, 9), 20ms},
             Row{"link-local", v4(169, 254, 0, 7), 20ms},
             Row{"unique local", v6(0xFD, 0x12), 20ms},
             Row{"link-local of IPv6", v6(0xFE, 0x80, 0, 7), 20ms},
             Row{"the world", v4(93, 184, 216, 34), 250ms},
             Row{"the world by IPv6", v6(0x20, 0x01), 250ms},
         }) {
        EXPECT_EQ(allowed_alone(allowances, address, 1s), cap) << what;
        EXPECT_EQ(allowed_alone(allowances, address, 700us), 700us) << what;
    }
}

TEST(AllowancesTest, WhatIsConfiguredComesFirstAndTheNarrowestWins) {
    Allowances allowances;
    allowances.set_ranges({{Address{}, 0, 100ms, true, "::/0"},
                           {v4(10, 0, 0, 0), v4_bits + 8, 30ms, true, "10.0.0.0/8"},
                           {v4(10, 1, 0, 0), v4_bits + 16, 5ms, true, "10.1.0.0/16"}});
    EXPECT_EQ(allowed_alone(allowances, v4(10, 1, 2, 3), 1s), 5ms);
    EXPECT_EQ(allowed_alone(allowances, v4(10, 2, 2, 3), 1s), 30ms);
    EXPECT_EQ(allowed_alone(allowances, v4(127, 0, 0, 1), 1s), 100ms) << "before the defaults";
    allowances.set_ranges({});
    EXPECT_EQ(allowed_alone(allowances, v4(10, 1, 2, 3), 1s), 20ms);
}

TEST(AllowancesTest, AProcessIsNotBounded) {
    Allowances allowances;
    const auto id = allowances.enter(std::nullopt);
    EXPECT_EQ(allowances.bounded(id, {1ms, 2s}, begin), (Path{1ms, 2s}));
    EXPECT_EQ(allowances.of(id).by, AllowedBy::nothing);
    EXPECT_FALSE(allowances.of(id).outlier());
    allowances.leave(id);
}

TEST(AllowancesTest, TheLeastThatABotHasShownCounts) {
    Allowances allowances;
    const auto id = allowances.enter(v4(93, 184, 216, 34));
    allowances.bounded(id, Path::exact(30ms), begin);
    allowances.bounded(id, Path::exact(12ms), begin + 1s);
    EXPECT_EQ(allowances.bounded(id, {40ms, 60ms}, begin + 600s), (Path{12ms, 60ms}))
        << "the kernel forgets its least after some minutes";
    EXPECT_EQ(allowances.bounded(id, {}, begin + 601s), Path{}) << "unknown is nothing";
}

TEST(AllowancesTest, JitterAddsToWhatIsAllowedForTheWay) {
    Allowances allowances;
    const auto near = allowances.enter(v4(10, 3, 7, 100));
    EXPECT_EQ(allowances.bounded(near, {1ms, 26ms, 3ms}, begin), (Path{1ms, 26ms, 3ms}));
    const auto far = allowances.enter(v4(10, 3, 7, 101));
    EXPECT_EQ(allowances.bounded(far, {30ms, 33ms, 1ms}, begin), (Path{20ms, 23ms, 1ms}))
        << "the cap of private networks is one of the way alone";
}

// Four bots of one network, the last with its round trip.
Allowance of_the_fourth(const std::vector<Address>& addresses, const std::vector<Duration>& others,
                        Duration own, Allowances& allowances) {
    std::vector<Allowances::Id> ids;
    for (const auto& address : addresses) ids.push_back(allowances.enter(address));
    for (std::size_t i = 0; i < others.size(); ++i)
        allowances.bounded(ids[i], Path::exact(others[i]), begin);
    allowances.bounded(ids.back(), Path::exact(own), begin);
    const auto found = allowances.of(ids.back());
    for (const auto id : ids) allowances.leave(id);
    return found;
}

TEST(AllowancesTest, TheOthersOfTheNetworkBoundABot) {
    const std::vector<Address> one{v4(141, 3, 7, 1), v4(141, 3, 7, 2), v4(141, 3, 7, 3),
                                   v4(141, 3, 7, 250)};
    Allowances allowances;
    auto found = of_the_fourth(one, {400us, 300us, 900us}, 45ms, allowances);
    EXPECT_EQ(found.by, AllowedBy::peers);
    EXPECT_EQ(found.median, 400us);
    EXPECT_EQ(found.bound, 5400us);
    EXPECT_EQ(found.peers, 3U);
    EXPECT_TRUE(found.outlier());
    found = of_the_fourth(one, {40ms, 41ms, 39ms}, 45ms, allowances);
    EXPECT_EQ(found.bound, 80ms) << "as much again";
    EXPECT_FALSE(found.outlier());
    found = of_the_fourth(one, {400us, 300us}, 45ms, allowances);
    EXPECT_EQ(found.by, AllowedBy::range) << "two tell nothing";
    const std::vector<Address> two{v4(141, 3, 7, 1), v4(141, 3, 7, 2), v4(141, 3, 7, 3),
                                   v4(141, 3, 8, 250)};
    EXPECT_EQ(of_the_fourth(two, {1ms, 1ms, 1ms}, 45ms, allowances).bound, 250ms)
        << "another network";
    const std::vector<Address> six{v6(0x20, 1, 5, 1), v6(0x20, 1, 5, 2), v6(0x20, 1, 5, 3),
                                   v6(0x20, 1, 5, 4)};
    EXPECT_EQ(of_the_fourth(six, {1ms, 1ms, 1ms}, 45ms, allowances).bound, 6ms);
    allowances.set_ranges({{v4(141, 3, 0, 0), v4_bits + 16, 250ms, false, "141.3.0.0/16"}});
    EXPECT_EQ(of_the_fourth(one, {1ms, 1ms, 1ms}, 45ms, allowances).bound, 250ms)
        << "the config says that neighbours tell nothing";
}

TEST(AllowancesTest, WhoeverLeavesTellsNothingAnyMore) {
    Allowances allowances;
    std::vector<Allowances::Id> others;
    for (std::uint8_t i = 1; i <= 3; ++i) {
        others.push_back(allowances.enter(v4(141, 3, 7, i)));
        allowances.bounded(others.back(), Path::exact(1ms), begin);
    }
    const auto id = allowances.enter(v4(141, 3, 7, 9));
    EXPECT_EQ(allowances.bounded(id, Path::exact(45ms), begin).least, 6ms);
    allowances.leave(others[0]);
    EXPECT_EQ(allowances.bounded(id, Path::exact(45ms), begin + 100ms).least, 6ms);
    EXPECT_EQ(allowances.bounded(id, Path::exact(45ms), begin + 2s).least, 45ms)
        << "looked at again after a second";
}

TEST(AllowancesTest, TellsWhatABudgetLosesToAWayThatIsTooLong) {
    struct Row {
        const char* what;
        ClockConfig clock;
        Allowance allowance;
        bool loses;
    };
    const Allowance far{
        .round_trip = 300ms, .bound = 250ms, .by = AllowedBy::range, .range = "all others"};
    const Allowance near{.round_trip = 200ms, .bound = 250ms, .by = AllowedBy::range};
    const Allowance process{.round_trip = 0ms};
    for (const auto& [what, clock, allowance, loses] : {
             Row{"all of it", {.budget = 50ms}, far, true},
             Row{"a tenth of it", {.budget = 500ms}, far, false},
             Row{"more than a tenth", {.budget = 499ms}, far, true},
             Row{"all is allowed", {.budget = 50ms}, near, false},
             Row{"nothing is", {.budget = 1s, .allowance = false}, near, true},
             Row{"the clock allows less", {.budget = 1s, .allowance_max = 90ms}, near, true},
             Row{"a game's time", {.kind = ClockKind::game, .budget = 50ms}, far, true},
             Row{"a tenth in 100 turns", {.kind = ClockKind::game, .budget = 50s}, far, false},
             Row{"a tenth of increments",
                 {.kind = ClockKind::game, .budget = 1s, .increment = 490ms},
                 far,
                 false},
             Row{"no budget", {.kind = ClockKind::none, .budget = 50ms}, far, false},
             Row{"processor time", {.measure = Measure::cpu, .budget = 50ms}, far, false},
             Row{"a process of ours", {.budget = 50ms}, process, false},
         }) {
        EXPECT_EQ(lost_on_the_way(clock, allowance).has_value(), loses) << what;
    }
    EXPECT_EQ(lost_on_the_way({.budget = 50ms}, far),
              "its way takes 300.000 ms, and 250.000 ms are allowed: of each turn's budget of "
              "50.000 ms it loses 50.000 ms; a budget of 500.000 ms, or a higher "
              "\"allowance_max\" of the clock and a higher cap for its range of addresses (all "
              "others) in \"network\", would be fair");
    EXPECT_EQ(lost_on_the_way({.kind = ClockKind::game, .budget = 10s, .allowance_max = 1s}, far),
              "its way takes 300.000 ms, and 250.000 ms are allowed: it loses 50.000 ms each turn, "
              "in 100 turns 5000.000 ms of its 10000.000 ms; a budget of 50000.000 ms, or a higher "
              "cap for its range of addresses (all others) in \"network\", would be fair");
    EXPECT_THAT(*lost_on_the_way({.budget = 1s, .allowance_max = 90ms}, near),
                testing::HasSubstr("or a higher \"allowance_max\" of the clock, would be fair"));
    const Allowance odd{.round_trip = 200ms, .bound = 6ms, .by = AllowedBy::peers};
    EXPECT_THAT(*lost_on_the_way({.budget = 1s}, odd), testing::HasSubstr("\"peers\": false"));
}

class People {
 public:
    explicit People(std::uint64_t seed) : mix_(seed) {}
    double up_to_one() { return static_cast<double>(mix_.next() >> 11U) / 0x1p53; }
    double between(double least, double most) { return least + (most - least) * up_to_one(); }
    // Exponential.
    double waits(double mean) { return -mean * std::log(1 - up_to_one()); }
    // Some twenty turns long, the least counts.
    double least_of_twenty(double base, double mean) {
        auto least = base + waits(mean);
        for (int i = 1; i < 20; ++i) least = std::min(least, base + waits(mean));
        return least;
    }
    double wired() { return between(0.15, 0.8); }
    // Queues, contention and sleep of the radio.
    double on_wifi() { return least_of_twenty(between(1, 3), between(2, 15)); }

 private:
    base::SplitMix mix_;
};

// The share of honest bots, in percent, that are allowed less than their way takes.
template <typename Draw>
double falsely_bounded(Draw draw) {
    People people(7);
    int bounded = 0;
    int all = 0;
    for (int round = 0; round < 400; ++round) {
        Allowances allowances;
        std::vector<Allowances::Id> ids;
        const int bots = 4 + round % 27;
        for (int i = 0; i < bots; ++i) {
            const auto id = allowances.enter(v4(141, 3, 7, static_cast<std::uint8_t>(i + 1)));
            ids.push_back(id);
            const auto way = Duration(static_cast<Duration::rep>(draw(people) * 1e6));
            allowances.bounded(id, Path::exact(way), begin);
        }
        for (const auto id : ids) {
            allowances.bounded(id, Path::exact(allowances.of(id).round_trip), begin + 2s);
            bounded += allowances.of(id).outlier() ? 1 : 0;
            ++all;
        }
    }
    return 100.0 * bounded / all;
}

TEST(AllowancesTest, HonestBotsAreSeldomBoundedByTheirNeighbours) {
    const auto lab = falsely_bounded([](People& people) { return people.wired(); });
    const auto mixed = falsely_bounded([](People& people) {
        return people.up_to_one() < 0.5 ? people.wired() : people.on_wifi();
    });
    const auto lonely = falsely_bounded([](People& people) {
        return people.up_to_one() < 0.95 ? people.wired() : people.on_wifi();
    });
    const auto homes = falsely_bounded([](People& people) { return people.between(8, 25); });
    const auto vpn = falsely_bounded([](People& people) { return 8 + people.waits(30); });
    std::printf(
        "bounded falsely, in percent: wired %.3f, half on Wi-Fi %.3f, few on Wi-Fi %.3f, "
        "homes of one provider %.3f, behind one VPN %.3f\n",
        lab, mixed, lonely, homes, vpn);
    EXPECT_EQ(lab, 0);
    EXPECT_LT(mixed, 0.5);
    EXPECT_LT(lonely, 0.5);
    EXPECT_LT(homes, 0.5);
    EXPECT_GT(vpn, 5) << "that is why a range can do without its neighbours";
}

// What Neighbours should say of all but one.
Duration median_by_sorting(const std::vector<Duration>& round_trips, std::size_t without) {
    std::vector<Duration> others;
    for (std::size_t i = 0; i < round_trips.size(); ++i) {
        if (i != without && round_trips[i] > 0ns) others.push_back(round_trips[i]);
    }
    std::sort(others.begin(), others.end());
    return others[others.size() / 2];
}

TEST(NeighboursTest, MediansAreThoseOfAllTheOthersWhateverCameAndWent) {
    constexpr std::uint64_t seeds = 200;
    constexpr int steps = 60;
    constexpr std::uint64_t times = 12;  // few, so that many are equal; 0 is unknown
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        base::SplitMix random(seed);
        std::vector<Duration> ways;
        Neighbours neighbours;
        for (int step = 0; step < steps; ++step) {
            if (!ways.empty() && random.below(3) == 0) {
                const auto gone = static_cast<std::ptrdiff_t>(random.below(ways.size()));
                neighbours.remove(ways[static_cast<std::size_t>(gone)]);
                ways.erase(ways.begin() + gone);
            } else {
                ways.emplace_back(random.below(times));
                neighbours.add(ways.back());
            }
            for (std::size_t i = 0; i < ways.size(); ++i) {
                std::size_t others = 0;
                for (std::size_t j = 0; j < ways.size(); ++j) others += j != i && ways[j] > 0ns;
                ASSERT_EQ(neighbours.others(ways[i]), others) << seed << ", step " << step;
                if (others == 0) continue;
                EXPECT_EQ(neighbours.median_of_others(ways[i]), median_by_sorting(ways, i))
                    << seed << ", step " << step;
            }
        }
    }
}

}  // namespace

}  // namespace referee::clock
