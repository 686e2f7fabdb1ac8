#pragma once

#include <string>
#include <vector>

#include "referee/contest/formats/match_fold.h"

// Games of a match as a test tells them: the first entrant is 10, the next 11 ...

namespace referee::formats {

// Compares by the first score, as any engine does unless it says otherwise.
class PlainGame final : public engines::Game {
 public:
    const engines::GameInfo& info() const override { return info_; }
    engines::StartResult start(engines::json::View, std::uint32_t) const override {
        return base::failure(engines::SetupError{});
    }
    std::string full_params(engines::json::View) const override { return "{}"; }
    std::optional<std::string> params_for(std::size_t) const override { return "{}"; }

 private:
    engines::GameInfo info_;
};

inline const PlainGame plain;

inline GameResult game(std::uint32_t number, const std::vector<std::int64_t>& scores,
                       std::uint32_t attempt = 1) {
    GameResult result;
    result.key = {"cup", 1, number, attempt};
    for (const auto score : scores) result.outcome.scores.push_back(engines::Score::whole(score));
    result.outcome.placing = engines::placing_by_score(result.outcome.scores);
    result.used_us.assign(scores.size(), 1000 * number);
    result.turns = 10;
    return result;
}

inline GameResult missed(std::uint32_t number, const std::vector<std::int64_t>& scores,
                         engines::Seat seat) {
    auto result = game(number, std::move(scores));
    result.status = GameStatus::forfeited;
    result.turns = 0;
    Fault fault{.code = FaultCode::disconnected, .consequence = Consequence::forfeit, .seat = seat};
    result.faults.push_back(fault);
    return result;
}

inline Pairing pairing_of(std::size_t seats) {
    Pairing pairing;
    pairing.match = 1;
    for (std::size_t i = 0; i < seats; ++i) pairing.seats.push_back(10 + i);
    return pairing;
}

// What these games of a match come to.
inline MatchTally folded(const MatchConfig& config, const std::vector<GameResult>& games,
                         std::size_t seats = 2, const MatchTerms& terms = {}) {
    return fold_match(config, pairing_of(seats), std::span(games), plain, terms);
}

inline std::vector<std::int64_t> halves(const std::vector<engines::Score>& scores) {
    std::vector<std::int64_t> result;
    for (const auto score : scores) result.push_back(score.in_halves());
    return result;
}

}  // namespace referee::formats
