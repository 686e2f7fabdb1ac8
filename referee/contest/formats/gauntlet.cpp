#include "referee/contest/formats/gauntlet.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"

namespace referee::formats {
namespace {

std::size_t candidates_seat(const MatchResult& match) {
    const auto found = std::ranges::find(match.seats, gauntlet_candidate);
    return static_cast<std::size_t>(found - match.seats.begin());
}

}  // namespace

GauntletDecision::GauntletDecision(const SprtBounds& bounds)
    : bounds_(bounds), test_(bounds), state_{test_.state()} {}

void GauntletDecision::record(const MatchResult& match) {
    matches_.emplace(match.match, match);
    look_on();
}

void GauntletDecision::forget(std::uint64_t match) {
    matches_.erase(match);
    if (match > state_.matches) return;
    test_ = rating::SequentialTest(bounds_);
    new_games_ = {};
    state_ = {test_.state()};
    look_on();
}

// A match to which somebody didn't come shows nothing of strength.
void GauntletDecision::look_on() {
    while (!state_.over()) {
        const auto* match = base::find_in(matches_, state_.matches + 1);
        if (match == nullptr) return;
        ++state_.matches;
        ++state_.repeats;
        if (match->forfeit() || !new_games_.is_new(*match)) continue;
        state_.repeats = 0;
        const auto seat = candidates_seat(*match);
        test_.add(bounds_.elo == EloOf::game ? share_of_games(*match, seat)
                                             : share_of(*match, seat));
        state_.test = test_.state();
    }
}

double share_of_candidate(std::span<const MatchResult> results) {
    double sum = 0;
    for (const auto& match : results) sum += share_of(match, candidates_seat(match));
    return results.empty() ? 0 : sum / static_cast<double>(results.size());
}

GauntletState gauntlet_state(const SprtBounds& bounds, std::span<const MatchResult> results) {
    GauntletDecision decision(bounds);
    for (const auto& result : results) decision.record(result);
    return decision.state();
}

RoundTable gauntlet_table(const GauntletOptions& options, std::size_t entrants) {
    const auto width = options.match_seats;
    REFEREE_ASSERT(width >= 2 && entrants >= width);
    const std::size_t groups = (entrants - 1) / (width - 1);  // of opponents, each in a match
    const auto seats = [=](std::uint64_t round, std::size_t place) {
        std::vector<Entrant> its;
        if (place > 0) return its;
        its.push_back(gauntlet_candidate);
        const Entrant first_opponent = gauntlet_candidate + 1 + round % groups * (width - 1);
        while (its.size() < width) its.push_back(first_opponent + its.size() - 1);
        const auto moved = static_cast<std::ptrdiff_t>(round / groups % width);
        std::rotate(its.rbegin(), its.rbegin() + moved, its.rend());
        return its;
    };
    const auto matches = std::uint64_t{groups} * options.cycles;
    return {matches, matches, seats};
}

}  // namespace referee::formats
