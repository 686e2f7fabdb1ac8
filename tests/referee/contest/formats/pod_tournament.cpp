#include "tests/referee/contest/formats/pod_tournament.h"

#include <algorithm>
#include <cstdlib>

namespace referee::formats {
namespace {

constexpr double halves_per_point = 2;
constexpr std::uint64_t luck_most = 100;  // of a bot in a round, evenly
constexpr std::uint64_t strength = 60;    // of the strongest above the weakest

}  // namespace

PodField fresh_pod_field(std::size_t entrants, std::size_t seats) {
    PodField field;
    field.seats = seats;
    field.seats_min = seats;
    field.points_halves.assign(entrants, 0);
    field.seats_had.assign(entrants, std::vector<std::uint32_t>(seats, 0));
    field.smaller_pods.assign(entrants, 0);
    field.byes.assign(entrants, 0);
    field.team.assign(entrants, 0);
    field.met.assign(entrants * entrants, 0);
    field.plays.assign(entrants, true);
    return field;
}

void play_pods(PodField& field, const PodRound& round, rating::Random& luck) {
    for (const auto& pod : round.pods) {
        std::vector<std::pair<std::uint64_t, Entrant>> order;
        for (std::size_t seat = 0; seat < pod.size(); ++seat) {
            const auto entrant = pod[seat];
            ++field.seats_had[entrant][seat];
            if (pod.size() < field.seats) ++field.smaller_pods[entrant];
            order.emplace_back(luck.below(luck_most) + strength * (entrant + 1) / field.entrants(),
                               entrant);
            for (const auto other : pod) {
                if (other != entrant) ++field.met[entrant * field.entrants() + other];
            }
        }
        std::ranges::sort(order);
        for (std::size_t outscored = 0; outscored < order.size(); ++outscored)
            field.points_halves[order[outscored].second] +=
                2 * static_cast<std::int64_t>(outscored);
    }
    for (const auto entrant : round.byes) {
        ++field.byes[entrant];
        field.points_halves[entrant] += 3;
    }
}

PodTournament::PodTournament(std::size_t entrants, std::size_t seats, std::uint64_t seed)
    : field_(fresh_pod_field(entrants, seats)), seed_(seed), luck_(seed) {
    field_.seats_min = seats - 1;
}

Pods PodTournament::drawn_pods() const {
    return pair_pods(field_, rating::derived_seed(seed_, round_ + 1)).pods;
}

void PodTournament::play(const Pods& pods) {
    ++round_;
    for (const auto& pod : pods) {
        const auto [least, most] =
            std::minmax_element(pod.begin(), pod.end(), [&](Entrant a, Entrant b) {
                return field_.points_halves[a] < field_.points_halves[b];
            });
        const auto spread = field_.points_halves[*most] - field_.points_halves[*least];
        spread_sum_ += static_cast<double>(spread) / halves_per_point;
        ++pods_;
        for (const auto a : pod) {
            for (const auto b : pod) repeats_ += a < b && field_.times_met(a, b) > 0 ? 1 : 0;
        }
    }
    play_pods(field_, {pods, {}, {}}, luck_);
}

double PodTournament::even_share() const {
    const auto even = std::ranges::count_if(field_.seats_had, [&](const auto& had) {
        return std::ranges::all_of(had, [&](std::int64_t times) {
            const auto seats = static_cast<std::int64_t>(had.size());
            return std::abs(seats * times - std::int64_t{round_}) <= seats;
        });
    });
    return static_cast<double>(even) / static_cast<double>(field_.entrants());
}

}  // namespace referee::formats
