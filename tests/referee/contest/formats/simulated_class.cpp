#include "tests/referee/contest/formats/simulated_class.h"

#include <algorithm>
#include <cmath>

#include "protocol/base/find.h"
#include "tests/referee/contest/formats/play_schedule.h"

namespace referee::formats {
namespace {

constexpr std::uint64_t purpose_of_luck = 1;
constexpr int games_of_match = 2;

double share_at(double elo) {
    return 1 / (1 + std::pow(10.0, -elo / 400));
}

}  // namespace

SimulatedClass::SimulatedClass(const ClassKind& kind, std::uint64_t seed)
    : expected_(kind.bots * kind.bots, 0.5),
      truth_(kind.bots, 0),
      draws_(kind.draws),
      luck_(rating::derived_seed(seed, purpose_of_luck)) {
    rating::Random nature(seed);
    std::vector<double> strengths;
    for (std::size_t bot = 0; bot < kind.bots; ++bot)
        strengths.push_back(kind.strengths * nature.normal());
    for (std::size_t a = 0; a < kind.bots; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            const double elo = strengths[a] - strengths[b] + kind.deviations * nature.normal();
            expected_[a * kind.bots + b] = share_at(elo);
            expected_[b * kind.bots + a] = 1 - share_at(elo);
        }
    }
    for (std::size_t a = 0; a < kind.bots; ++a) {
        for (std::size_t b = 0; b < kind.bots; ++b) truth_[a] += expected_[a * kind.bots + b];
        truth_[a] /= static_cast<double>(kind.bots);
    }
}

// Draws are fewer where one is much better.
double SimulatedClass::game(Entrant a, Entrant b) {
    const double share = expected_[a * bots() + b];
    const double drawn = draws_ * 2 * std::min(share, 1 - share);
    const double lot = luck_.unit();
    if (lot < share - drawn / 2) return 1;
    return lot < share + drawn / 2 ? 0.5 : 0;
}

MatchResult SimulatedClass::play(const Pairing& pairing) {
    double sum = 0;
    for (int count = 0; count < games_of_match; ++count)
        sum += game(pairing.seats[0], pairing.seats[1]);
    const auto halves = static_cast<std::int64_t>(2 * sum);
    const auto of_other = 2 * std::int64_t{games_of_match} - halves;
    auto result = result_of(pairing, [=](const Pairing&, std::size_t seat) {
        return static_cast<double>(seat == 0 ? halves : of_other);
    });
    result.games = games_of_match;
    result.game_points = {engines::Score::halves(halves), engines::Score::halves(of_other)};
    result.scores = result.game_points;
    return result;
}

bool SimulatedClass::are_first(const std::vector<Entrant>& first, double margin) const {
    double worst = 1;
    double best_left = 0;
    for (Entrant bot = 0; bot < bots(); ++bot) {
        if (base::contains(first, bot))
            worst = std::min(worst, truth_[bot]);
        else
            best_left = std::max(best_left, truth_[bot]);
    }
    return worst >= best_left - margin;
}

}  // namespace referee::formats
