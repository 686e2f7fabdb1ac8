#include <algorithm>
#include <compare>
#include <functional>
#include <map>

#include "protocol/json/assertion.h"
#include "referee/tournament/match.h"

namespace referee::tournament {

namespace {

using engines::Score;

// The results that count, by the number of the game.
using Counted = std::map<std::uint32_t, const GameResult*>;

Counted counted_games(const Pairing& pairing, std::span<const GameResult> results,
                      std::uint32_t most) {
    Counted counted;
    for (const auto& result : results) {
        REFEREE_ASSERT(result.key.match == pairing.match);
        REFEREE_ASSERT(result.key.number >= 1 && result.key.number <= most);
        if (!counts(result.status)) continue;
        auto& place = counted[result.key.number];
        if (place == nullptr || place->key.attempt < result.key.attempt) place = &result;
    }
    return counted;
}

// Points for being placed: one for each that is behind, a half for each that is level.
std::vector<Score> points_of_placing(const std::vector<int>& placing) {
    std::vector<Score> points;
    for (const int place : placing) {
        std::int64_t halves = -1;  // everybody is level with itself
        for (const int other : placing) halves += other > place ? 2 : other == place ? 1 : 0;
        points.push_back(Score::halves(halves));
    }
    return points;
}

// Places of seats under a strict order.
std::vector<int> placing_by(std::size_t seats,
                            const std::function<bool(std::size_t, std::size_t)>& better) {
    std::vector<int> placing(seats, 1);
    for (std::size_t a = 0; a < seats; ++a) {
        for (std::size_t b = 0; b < seats; ++b) placing[a] += better(b, a) ? 1 : 0;
    }
    return placing;
}

std::optional<std::size_t> sole_first(const std::vector<int>& placing) {
    const auto first = std::find(placing.begin(), placing.end(), 1);
    if (first == placing.end() || std::find(first + 1, placing.end(), 1) != placing.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(first - placing.begin());
}

class Fold {
 public:
    Fold(const MatchConfig& config, const Pairing& pairing, const engines::Game& game)
        : config_(config), game_(game), seats_(pairing.seats.size()) {
        tally_.wins.assign(seats_, 0);
        auto& result = tally_.result;
        result.match = pairing.match;
        result.round = pairing.round;
        result.seats = pairing.seats;
        result.points.assign(seats_, Score{});
        result.scores.assign(seats_, Score{});
        result.used_us.assign(seats_, 0);
        result.game_points.assign(seats_, Score{});
        missed_.assign(seats_, 0);
        played_.assign(seats_, 0);
    }

    MatchTally of(const Counted& counted, std::uint32_t most) {
        if (config_.solo) {
            add_setups(counted);
        } else {
            add_games(counted, most);
        }
        if (config_.solo || !tally_.over) {
            const auto have = static_cast<std::uint32_t>(counted.size());
            tally_.games_left = most - have;
            tally_.over = have == most;
        }
        finish();
        return std::move(tally_);
    }

 private:
    void add_seat(std::size_t seat, const GameResult& played, std::size_t game_seat) {
        auto& result = tally_.result;
        note_score(seat, played, game_seat);
        if (game_seat < played.outcome.scores.size()) {
            result.scores[seat] += played.outcome.scores[game_seat];
        }
        if (game_seat < played.used_us.size()) result.used_us[seat] += played.used_us[game_seat];
        ++played_[seat];
        if (no_show(played, game_seat)) ++missed_[seat];
    }

    void note(const GameResult& played) {
        auto& counted = tally_.result.counted.emplace_back();
        counted.number = played.key.number;
        counted.attempt = played.key.attempt;
        counted.fingerprint = played.fingerprint;
        counted.scores.resize(seats_);
    }
    void note_score(std::size_t seat, const GameResult& played, std::size_t game_seat) {
        if (game_seat >= played.outcome.scores.size()) return;
        tally_.result.counted.back().scores[seat] = played.outcome.scores[game_seat];
    }

    // Games that seat everybody, in order; a best-of match ends where it is decided, and looks no
    // further than its first gap.
    void add_games(const Counted& counted, std::uint32_t most) {
        for (const auto& [number, played] : counted) {
            if (config_.best_of && number != tally_.result.games + 1) break;
            std::vector<int> placing(seats_, 1);
            note(*played);
            for (std::size_t seat = 0; seat < seats_; ++seat) {
                const bool rotates = config_.seat_order == SeatOrder::rotate;
                const std::size_t game_seat = rotates ? (seat + number - 1) % seats_ : seat;
                add_seat(seat, *played, game_seat);
                if (game_seat < played->outcome.placing.size()) {
                    placing[seat] = played->outcome.placing[game_seat];
                }
            }
            ++tally_.result.games;
            add_game_points(placing);
            const auto winner = sole_first(placing);
            if (!winner) continue;
            ++tally_.wins[*winner];
            if (config_.best_of && tally_.wins[*winner] > most / 2) {
                tally_.over = true;
                return;
            }
        }
    }

    // Solo games: everybody's outcome on one setup is compared once all are in.
    void add_setups(const Counted& counted) {
        std::vector<const GameResult*> together;
        for (std::uint32_t setup = 0; setup < config_.games; ++setup) {
            together.clear();
            for (std::size_t seat = 0; seat < seats_; ++seat) {
                const auto number = static_cast<std::uint32_t>(setup * seats_ + seat + 1);
                const auto found = counted.find(number);
                if (found == counted.end()) continue;
                together.push_back(found->second);
                note(*found->second);
                add_seat(seat, *found->second, 0);
                ++tally_.result.games;
            }
            if (together.size() == seats_ && seats_ > 1) compare_on_setup(together);
        }
    }

    void compare_on_setup(const std::vector<const GameResult*>& together) {
        const auto better = [&](std::size_t a, std::size_t b) {
            const bool a_missed = no_show(*together[a], 0);
            const bool b_missed = no_show(*together[b], 0);
            if (a_missed || b_missed) return !a_missed;
            return game_.compare(together[a]->outcome, together[b]->outcome) > 0;
        };
        const auto placing = placing_by(seats_, better);
        add_game_points(placing);
        if (const auto winner = sole_first(placing)) ++tally_.wins[*winner];
    }

    void add_game_points(const std::vector<int>& placing) {
        const auto points = points_of_placing(placing);
        auto& sums = tally_.result.game_points;
        for (std::size_t seat = 0; seat < seats_; ++seat) sums[seat] += points[seat];
    }

    void finish() {
        auto& result = tally_.result;
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            result.absent.push_back(played_[seat] > 0 && missed_[seat] == played_[seat]);
        }
        const bool alone = seats_ == 1;
        const auto& sums = config_.solo && !alone ? result.game_points : result.scores;
        result.placing = placing_by(seats_, [&](std::size_t a, std::size_t b) {
            if (result.absent[a] != result.absent[b]) return !bool{result.absent[a]};
            if (!config_.best_of || config_.solo) return sums[a] > sums[b];
            if (tally_.wins[a] != tally_.wins[b]) return tally_.wins[a] > tally_.wins[b];
            if (sums[a] != sums[b]) return sums[a] > sums[b];
            return result.used_us[a] < result.used_us[b];
        });
        const bool by_scores = config_.points == MatchPoints::scores || alone;
        result.points = by_scores ? sums : points_of_placing(result.placing);
        // Who never came gets nothing, not even half of what two absent ones would share.
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (result.absent[seat]) result.points[seat] = Score{};
        }
    }

    const MatchConfig& config_;
    const engines::Game& game_;
    std::size_t seats_;
    MatchTally tally_;
    std::vector<std::uint32_t> missed_;  // games that the seat didn't show up for
    std::vector<std::uint32_t> played_;
};

}  // namespace

MatchTally fold_match(const MatchConfig& config, const Pairing& pairing,
                      std::span<const GameResult> results, const engines::Game& game) {
    const std::uint32_t most = games_most(config, pairing.seats.size());
    return Fold(config, pairing, game).of(counted_games(pairing, results, most), most);
}

}  // namespace referee::tournament
