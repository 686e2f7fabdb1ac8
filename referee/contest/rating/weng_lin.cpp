#include "referee/contest/rating/weng_lin.h"

#include <algorithm>
#include <cmath>

#include "referee/contest/rating/new_version.h"

namespace referee::rating {

namespace {

constexpr double performance_deviation = 25.0 / 6;  // how much a match shows of a player's skill
constexpr double variance_left_least = 1e-4;        // of a step: it never becomes sure

}  // namespace

void renew(Skill& skill) {
    // Two settled players' difference counts by this, and one drawn match tells a quarter of it.
    const double scale = std::sqrt(2.0) * performance_deviation;
    const double information = former_worth_matches / 4;
    const double variance = skill.deviation * skill.deviation + scale * scale / information;
    skill.deviation = std::max(skill.deviation, std::min(std::sqrt(variance), Skill{}.deviation));
}

void rate_match(std::vector<Skill>& skills, std::span<const PlacedPlayer> match) {
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
