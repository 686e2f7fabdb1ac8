// A Swiss of pods: how well the pods of each round are drawn, against cutting the standings into
// pods while skipping repeats, and how long a round takes. Prints; asserts nothing.
//
//   pod_bench [SEEDS]

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "tests/referee/contest/formats/pod_tournament.h"

namespace {

using referee::formats::PodFigures;
using referee::formats::PodTournament;

constexpr std::uint64_t seeds_default = 20;
constexpr std::size_t speed_seats = 4;

// Of the processor, so that others on the machine don't count.
double seconds_since(std::clock_t begun) {
    return static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC;
}

void print(std::size_t entrants, std::size_t seats, std::uint32_t rounds, const PodFigures& drawn,
           const PodFigures& cut) {
    std::printf("%8zu %5zu %6u %8lu %8lu %10.3f %10.3f %9.2f%% %9.2f%%\n", entrants, seats, rounds,
                static_cast<unsigned long>(drawn.repeats), static_cast<unsigned long>(cut.repeats),
                drawn.mean_spread(), cut.mean_spread(), 100 * drawn.even_share(),
                100 * cut.even_share());
}

void quality(std::size_t entrants, std::size_t seats, std::uint64_t seeds) {
    constexpr std::uint32_t rounds = 8;
    std::vector<PodFigures> drawn(rounds + 1);
    std::vector<PodFigures> cut(rounds + 1);
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        PodTournament ours(entrants, seats, seed);
        PodTournament baseline(entrants, seats, seed);
        for (std::uint32_t round = 1; round <= rounds; ++round) {
            ours.play(ours.drawn_pods());
            baseline.play(baseline.cut_pods());
            drawn[round].add(ours);
            cut[round].add(baseline);
        }
    }
    for (std::uint32_t round = 2; round <= rounds; ++round) {
        print(entrants, seats, round, drawn[round], cut[round]);
    }
}

void speed(std::size_t entrants) {
    constexpr std::uint32_t rounds = 4;
    PodTournament tournament(entrants, speed_seats, 1);
    std::printf("%8zu", entrants);
    for (std::uint32_t round = 1; round <= rounds; ++round) {
        const auto begun = std::clock();
        const auto pods = tournament.drawn_pods();
        std::printf(" %9.3f", seconds_since(begun));
        tournament.play(pods);
    }
    std::printf("\n");
}

}  // namespace

int main(int arguments, char** values) {
    const std::uint64_t seeds =
        arguments > 1 ? std::strtoull(values[1], nullptr, 10) : seeds_default;
    std::printf(
        "over %lu seeds, drawn and cut, after so many rounds: repeats; mean of most - least points "
        "in a pod of any of these rounds; entrants within one of equal seats\n",
        static_cast<unsigned long>(seeds));
    std::printf("%8s %5s %6s %8s %8s %10s %10s %10s %10s\n", "entrants", "seats", "rounds",
                "repeats", "cut", "spread", "cut", "even", "cut");
    for (const std::size_t seats : {4U, 3U}) {
        for (const std::size_t entrants : {64U, 65U, 128U}) quality(entrants, seats, seeds);
    }
    std::printf("\nseconds of processor time to draw rounds 1 to 4\n");
    for (const std::size_t entrants : {100U, 500U, 1000U, 2000U}) speed(entrants);
    return 0;
}
