#include "referee/contest/rating/running_ratings.h"

#include <algorithm>
#include <cmath>

#include "referee/contest/rating/elo.h"
#include "referee/contest/rating/sprt.h"

namespace referee::rating {
namespace {

bool settled(const RunningElo& player) {
    return player.version == 0 || player.matches_of_version >= version_settles_after;
}

double steady_step_of(const RunningElo& player) {
    return player.matches < newcomer_matches_max ? step_of_newcomers : step_of_others;
}

double step_of(const RunningElo& player, std::uint32_t version) {
    const auto known = steady_step_of(player);
    if (settled(player) || version < player.version) return known;
    return std::max(known, step_of_new_version(player.matches_of_version));
}

constexpr double performance_deviation = 25.0 / 6;  // how much a match shows of a player's skill
constexpr double variance_left_least = 1e-4;        // of a step: it never becomes sure

}  // namespace

double RunningElo::ranked() const {
    return settled(*this) ? rating : std::min(rating, steady);
}

void move_ratings(std::vector<RunningElo>& players, std::span<const RatedSeat> match) {
    if (match.size() < 2) return;
    struct Change {
        double rating = 0;
        double steady = 0;
    };
    std::vector<Change> changes;
    for (const auto& seat : match) {
        auto& player = players[seat.player];
        if (settled(player)) player.steady = player.rating;
        if (seat.version > player.version) {
            player.version = seat.version;
            player.matches_of_version = 0;
        }
    }
    for (const auto& seat : match) {
        const auto& player = players[seat.player];
        Change change;
        for (const auto& other : match) {
            if (&other == &seat) continue;
            const auto others = static_cast<double>(match.size() - 1);
            const double theirs = players[other.player].rating;
            const double got = seat.place < other.place ? 1 : seat.place == other.place ? 0.5 : 0;
            change.rating += step_of(player, seat.version) *
                             (got - expected_share(player.rating - theirs)) / others;
            change.steady +=
                steady_step_of(player) * (got - expected_share(player.steady - theirs)) / others;
        }
        changes.push_back(change);
    }
    for (std::size_t i = 0; i < match.size(); ++i) {
        auto& player = players[match[i].player];
        player.rating += changes[i].rating;
        player.steady += changes[i].steady;
        ++player.matches;
        if (match[i].version == player.version) ++player.matches_of_version;
    }
}

void renew(Skill& skill) {
    // Two settled players' difference counts by this, and one drawn match tells a quarter of it.
    const double scale = std::sqrt(2.0) * performance_deviation;
    const double information = former_worth_matches / 4;
    const double variance = skill.deviation * skill.deviation + scale * scale / information;
    skill.deviation = std::max(skill.deviation, std::min(std::sqrt(variance), Skill{}.deviation));
}

void rate_match(std::vector<Skill>& skills, std::span<const RatedSeat> match) {
    double c_squared = 0;
    for (const auto& player : match) {
        const double deviation = skills[player.player].deviation;
        c_squared += deviation * deviation + performance_deviation * performance_deviation;
    }
    const double c = std::sqrt(c_squared);
    std::vector<double> weight;  // exp of the mean, by member
    for (const auto& player : match) weight.push_back(std::exp(skills[player.player].mean / c));
    std::vector<double> omega(match.size(), 0.0);
    std::vector<double> delta(match.size(), 0.0);
    // For each place from the best: which of those not yet placed better took it.
    for (const auto& chosen : match) {
        double among = 0;
        double level = 0;
        for (std::size_t i = 0; i < match.size(); ++i) {
            if (match[i].place >= chosen.place) among += weight[i];
            if (match[i].place == chosen.place) level += 1;
        }
        for (std::size_t i = 0; i < match.size(); ++i) {
            if (match[i].place < chosen.place) continue;
            const double share = weight[i] / among;
            const bool is_chosen = match[i].player == chosen.player;
            omega[i] += ((is_chosen ? 1.0 : 0.0) - share) / level;
            delta[i] += share * (1 - share) / level;
        }
    }
    for (std::size_t i = 0; i < match.size(); ++i) {
        auto& skill = skills[match[i].player];
        const double variance = skill.deviation * skill.deviation;
        const double gamma = skill.deviation / c;
        skill.mean += variance / c * omega[i];
        const double left = 1 - gamma * variance / c_squared * delta[i];
        skill.deviation *= std::sqrt(std::max(left, variance_left_least));
    }
}

}  // namespace referee::rating
