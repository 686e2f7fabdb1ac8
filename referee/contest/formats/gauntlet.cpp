#include "referee/contest/formats/gauntlet.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace referee::formats {
namespace {

std::size_t candidates_seat(const MatchResult& match) {
    const auto found = std::ranges::find(match.seats, gauntlet_candidate);
    return static_cast<std::size_t>(found - match.seats.begin());
}

double share_of_first_entrant(const SprtBounds& bounds, const MatchResult& match) {
    const auto seat = candidates_seat(match);
    return bounds.elo == EloOf::game ? share_of_games(match, seat) : share_of(match, seat);
}

class GauntletTable final : public RoundTable {
 public:
    GauntletTable(const GauntletOptions& options, std::size_t entrants)
        : seats_(options.match_seats),
          groups_((entrants - 1) / (seats_ - 1)),
          matches_(std::uint64_t{groups_} * options.cycles) {}

    std::uint64_t rounds() const override { return matches_; }
    std::size_t places(std::uint64_t /*round*/) const override { return 1; }
    std::vector<Entrant> seats(std::uint64_t round, std::size_t /*place*/) const override {
        std::vector<Entrant> seats{gauntlet_candidate};
        const Entrant first_opponent = gauntlet_candidate + 1 + round % groups_ * (seats_ - 1);
        while (seats.size() < seats_) seats.push_back(first_opponent + seats.size() - 1);
        const auto moved = static_cast<std::ptrdiff_t>(round / groups_ % seats_);
        std::rotate(seats.rbegin(), seats.rbegin() + moved, seats.rend());
        return seats;
    }
    std::uint64_t matches_total() const override { return matches_; }

 private:
    std::size_t seats_;   // of a match
    std::size_t groups_;  // of opponents, each in a match
    std::uint64_t matches_;
};

}  // namespace

GauntletTest::GauntletTest(const SprtBounds& bounds)
    : bounds_(bounds), test_(bounds), state_{test_.state()} {}

void GauntletTest::record(const MatchResult& match) {
    matches_.emplace(match.match, match);
    look_on();
}

void GauntletTest::forget(std::uint64_t match) {
    matches_.erase(match);
    if (match > state_.matches) return;
    test_ = rating::SequentialTest(bounds_);
    new_games_ = {};
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
    if (match.forfeit() || !new_games_.is_new(match)) return;
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

std::unique_ptr<RoundTable> gauntlet_table(const GauntletOptions& options, std::size_t entrants) {
    REFEREE_ASSERT(options.match_seats >= 2 && entrants >= options.match_seats);
    return std::make_unique<GauntletTable>(options, entrants);
}

}  // namespace referee::formats
