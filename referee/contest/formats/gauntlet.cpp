#include "referee/contest/formats/gauntlet.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace referee::formats {

namespace {

class Gauntlet final : public Schedule {
 public:
    Gauntlet(const GauntletOptions& options, std::size_t entrants)
        : seats_(options.match_seats),
          groups_((entrants - 1) / (seats_ - 1)),
          matches_(std::uint64_t{groups_} * options.cycles) {
        if (options.sprt) test_.emplace(*options.sprt);
    }

    std::unique_ptr<Schedule> copy() const override { return std::make_unique<Gauntlet>(*this); }

    Next next() override {
        if (handed_out_ == matches_ || (test_ && test_->state().over())) {
            if (recorded_ == handed_out_) return Finished{};
            return Wait{};
        }
        const std::uint64_t index = handed_out_++;
        std::vector<Entrant> seats{gauntlet_candidate};
        const Entrant first_opponent = gauntlet_candidate + 1 + index % groups_ * (seats_ - 1);
        while (seats.size() < seats_) seats.push_back(first_opponent + seats.size() - 1);
        const auto moved = static_cast<std::ptrdiff_t>(index / groups_ % seats_);
        std::rotate(seats.rbegin(), seats.rbegin() + moved, seats.rend());
        return Pairing{handed_out_, static_cast<std::uint32_t>(handed_out_), std::move(seats)};
    }

    void record(const MatchResult& result) override {
        REFEREE_ASSERT(result.match >= 1 && result.match <= handed_out_);
        ++recorded_;
        if (test_) test_->record(result);
    }

    bool reopen(std::uint64_t match) override {
        if (match == 0 || match > handed_out_ || recorded_ == 0) return false;
        --recorded_;
        if (test_) test_->forget(match);
        return true;
    }

    std::string ended_early() const override {
        if (!test_ || !test_->state().gave_up()) return {};
        return "the last " + std::to_string(repeats_most) +
               " matches brought nothing new: they repeated games that were played before, or "
               "somebody didn't come";
    }
    // Nothing to do: its matches were handed out all the time.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    std::optional<std::uint64_t> matches_total() const override {
        if (test_) return std::nullopt;
        return matches_;
    }

 private:
    std::size_t seats_;   // of a match
    std::size_t groups_;  // of opponents, each in a match
    std::uint64_t matches_;
    std::uint64_t handed_out_ = 0;
    std::uint64_t recorded_ = 0;
    std::optional<GauntletTest> test_;
};

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

std::unique_ptr<Schedule> gauntlet(const GauntletOptions& options, std::size_t entrants) {
    REFEREE_ASSERT(options.match_seats >= 2 && entrants >= options.match_seats);
    return std::make_unique<Gauntlet>(options, entrants);
}

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
