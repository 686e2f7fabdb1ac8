#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tests/sim/timing/bounds.h"

// A budget can't be bought: who thinks 15% longer is late, whatever it does with connections and
// acknowledgements, and who keeps it is not.

namespace tests::sim::timing {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t seeds_of_a_table = 2000;
constexpr std::int64_t turns_of_a_game = 60;
constexpr Duration round_trip_most = 20ms;
// Longer than an acknowledgement may take that counts as the way's jitter.
constexpr Duration hidden = 40ms;

// Each direction takes up to so much longer.
struct Shaking {
    const char* name;
    Duration least;
    Duration most;
};
constexpr std::array shakings{Shaking{"0 ms", 0ms, 0ms}, Shaking{"0 to 2 ms", 0ms, 2ms},
                              Shaking{"2 to 5 ms", 2ms, 5ms}, Shaking{"5 to 10 ms", 5ms, 10ms}};

struct Trick {
    const char* name;
    std::uint64_t thinks_least;  // thousandths
    std::uint64_t thinks_most;
    Acks acks{};
    Answering how{};
    std::optional<Duration> jitter_max{};  // of the clock
    bool honest() const { return thinks_most <= 1000; }
};

constexpr std::uint64_t too_long = 1150;
// Of a hundred turns. With the smallest budget over all ways, and of the honest over those that
// shake by 2 ms at most: beyond that both can't be had, and the clock's page says which is.
constexpr double passed_most = 5;
constexpr double late_most = 1;
constexpr Duration both_can_be_had = 150ms;
constexpr Acks read_late{.varies = 25ms, .held_after = 1ns};

const std::vector<Trick>& tricks() {
    static const std::vector<Trick> all{
        {"keeps the budget", 900, 1000},
        {"the same, jitter_max 25 ms", 900, 1000, {}, {}, 25ms},
        {"keeps nine tenths", 800, 900},
        {"nothing else", too_long, too_long},
        {"reconnects", too_long, too_long, {}, {.reconnects = true}},
        {"reads late", too_long, too_long, read_late},
        {"hides acknowledgements", too_long, too_long, {.held = hidden, .held_after = 1ns}},
        {"splits its lines", too_long, too_long, {}, {.pieces = 3}},
        {"pings", too_long, too_long, {}, {.behind = ping_line, .floods = 2}},
        {"all of it",
         too_long,
         too_long,
         read_late,
         {.behind = ping_line, .pieces = 3, .floods = 1, .reconnects = true}},
    };
    return all;
}

struct Cell {
    std::size_t turns = 0;
    std::size_t in_time = 0;
    double percent(std::size_t of) const {
        return turns == 0 ? 0 : 100 * static_cast<double>(of) / static_cast<double>(turns);
    }
    double passed() const { return percent(in_time); }
    double late() const { return percent(turns - in_time); }
};

void play(std::uint64_t seed, Duration budget, const Trick& trick, const Shaking& shaking,
          Cell& cell) {
    TimedRoom room(seed);
    const Way way{300us + room.up_to(round_trip_most - 300us),
                  shaking.least + room.up_to(shaking.most - shaking.least)};
    LineTraits line{.way = way, .acks = trick.acks, .address = "10.1.1.1"};
    line.kernel.call_most = 10us;
    auto how = trick.how;
    how.thinks_least = trick.thinks_least;
    how.thinks_most = trick.thinks_most;
    room.add("eve", line, how);
    room.open({"eve"}, {.budget = budget, .jitter_max = trick.jitter_max}, turns_of_a_game);
    ASSERT_TRUE(room.play(10min));
    for (const auto& judged : room.verdicts()) {
        ++cell.turns;
        cell.in_time += judged.charge.late ? 0 : 1;
    }
}

class Budget : public ::testing::TestWithParam<Duration> {};

TEST_P(Budget, is_kept_by_who_keeps_it_and_sells_nothing_to_who_does_not) {
    std::vector<std::array<Cell, shakings.size()>> table(tricks().size());
    const auto cells = tricks().size() * shakings.size();
    for_each_seed(
        [&](std::uint64_t seed) {
            const auto trick = seed % cells / shakings.size();
            const auto shaking = seed % shakings.size();
            play(seed, GetParam(), tricks()[trick], shakings[shaking], table[trick][shaking]);
        },
        0, seeds_of_a_table);
    std::printf("a budget of %ld us\n", long{referee::in_us(GetParam())});
    for (std::size_t trick = 0; trick < tricks().size(); ++trick) {
        const auto& name = tricks()[trick].name;
        const bool honest = tricks()[trick].honest();
        std::printf("%26s, %s", name, honest ? "late:  " : "passed:");
        double wrong = 0;
        for (std::size_t shaking = 0; shaking < shakings.size(); ++shaking) {
            const auto& cell = table[trick][shaking];
            const auto share = honest ? cell.late() : cell.passed();
            std::printf(" %6.2f%% of %5zu", share, cell.turns);
            wrong += share / shakings.size();
            if (GetParam() >= both_can_be_had || (honest && shaking < 2)) {
                EXPECT_LE(share, honest ? late_most : passed_most)
                    << name << ", " << shakings[shaking].name;
            }
        }
        std::printf("\n");
        if (!honest || tricks()[trick].jitter_max) {
            EXPECT_LE(wrong, honest ? late_most : passed_most) << name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Budget, ::testing::Values(50ms, 150ms, 1s));

}  // namespace
}  // namespace tests::sim::timing
