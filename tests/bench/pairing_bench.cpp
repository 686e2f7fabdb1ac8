#include <benchmark/benchmark.h>

#include "referee/contest/pairing/dutch.h"
#include "tests/referee/contest/pairing/random_tournament.h"

// How long one round takes to pair, over the size of the field and the rounds already played.

namespace {

using referee::pairing::PairingField;
using referee::pairing::RandomTournament;
using referee::pairing::TournamentKind;

PairingField field_of(int players, int rounds_played) {
    constexpr std::uint64_t seed = 1;
    constexpr int rounds = 11;
    TournamentKind kind;
    kind.players_least = kind.players_most = players;
    kind.rounds_least = kind.rounds_most = rounds;
    PairingField wanted;
    RandomTournament(kind, seed).play([&](const PairingField& field, const auto&) {
        wanted = field;
        return field.rounds_played < rounds_played;
    });
    return wanted;
}

void pair_one_round(benchmark::State& state) {
    const PairingField field =
        field_of(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    for (auto _ : state) benchmark::DoNotOptimize(referee::pairing::pair_round(field));
}

BENCHMARK(pair_one_round)
    ->ArgNames({"players", "played"})
    ->ArgsProduct({{100, 200, 500, 1000, 2000, 10000}, {0, 1, 5, 10}})
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
