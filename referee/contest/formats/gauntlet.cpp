#include "referee/contest/formats/gauntlet.h"

#include <algorithm>

namespace referee::formats {

namespace {

rating::SequentialTest test_of(const SprtBounds& bounds) {
    return rating::SequentialTest({bounds.elo0, bounds.elo1, bounds.alpha, bounds.beta});
}

std::size_t candidates_seat(const MatchResult& match) {
    const auto found = std::find(match.seats.begin(), match.seats.end(), gauntlet_candidate);
    return static_cast<std::size_t>(found - match.seats.begin());
}

double share_of_first_entrant(const SprtBounds& bounds, const MatchResult& match) {
    const auto seat = candidates_seat(match);
    return bounds.elo == EloOf::game ? share_of_games(match, seat) : share_of(match, seat);
}

}  // namespace

GauntletTest::GauntletTest(const SprtBounds& bounds)
    : bounds_(bounds), test_(test_of(bounds)), state_{test_.state()} {}

void GauntletTest::record(const MatchResult& match) {
    matches_.emplace(match.match, match);
    look_on();
}

void GauntletTest::forget(std::uint64_t match) {
    matches_.erase(match);
    if (match > state_.matches) return;
    test_ = test_of(bounds_);
    evidence_ = {};
    state_ = {test_.state()};
    look_on();
}

void GauntletTest::look_on() {
    while (!state_.over()) {
        const auto next = matches_.find(state_.matches + 1);
        if (next == matches_.end()) return;
        look_at(next->second);
    }
}

// A match to which somebody didn't come shows nothing of strength.
void GauntletTest::look_at(const MatchResult& match) {
    ++state_.matches;
    ++state_.repeats;
    if (match.forfeit() || !evidence_.is_new(match)) return;
    state_.repeats = 0;
    test_.add(share_of_first_entrant(bounds_, match));
    state_.test = test_.state();
}

double share_of_candidate(std::span<const MatchResult> results) {
    double sum = 0;
    for (const auto& match : results) sum += share_of(match, candidates_seat(match));
    return results.empty() ? 0 : sum / static_cast<double>(results.size());
}

GauntletTestState gauntlet_test(const SprtBounds& bounds, std::span<const MatchResult> results) {
    GauntletTest test(bounds);
    for (const auto& result : results) test.record(result);
    return test.state();
}

}  // namespace referee::formats
