#include "referee/contest/rating/running_elo.h"

#include <algorithm>

#include "referee/contest/rating/new_version.h"
#include "referee/contest/rating/sprt.h"

namespace referee::rating {
namespace {

// How far one match moves a rating: more while little is known of it.
constexpr double step_of_newcomers = 32;
constexpr double step_of_others = 16;
constexpr std::uint64_t newcomer_matches_max = 20;

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

}  // namespace referee::rating
