#include "referee/contest/formats/match_fold.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

using engines::Score;

// For the lots of level matches. Seeds are drawn by the numbers of matches too, and this is far
// from any of them.
constexpr std::uint64_t purpose_of_match_lots = UINT64_MAX;

// The rule that the game's fault names. In a pod the others play on without the missing bot.
constexpr std::string_view rule_of_no_shows = "match.no_show";
// What stands before the cause in the message of such a fault.
constexpr std::string_view words_of_no_shows = " did not show up for the game: ";

// The results that count, by the number of the game.
using Counted = std::map<std::uint32_t, const KeptGame*>;

Counted counted_games(std::span<const KeptGame> results, std::uint32_t most) {
    Counted counted;
    for (const auto& result : results) {
        REFEREE_ASSERT(result.number >= 1 && result.number <= most);
        if (!counts(result.status)) continue;
        auto& place = counted[result.number];
        if (place == nullptr || place->attempt < result.attempt) place = &result;
    }
    return counted;
}

// Points for being placed: so much for each that is behind, so much for each that is level.
std::vector<Score> points_of_placing(const std::vector<int>& placing, const MatchTerms& terms) {
    std::vector<Score> points;
    for (std::size_t seat = 0; seat < placing.size(); ++seat) {
        auto& sum = points.emplace_back();
        for (std::size_t other = 0; other < placing.size(); ++other) {
            if (other == seat || placing[other] < placing[seat]) continue;
            sum += placing[other] > placing[seat] ? terms.behind : terms.level;
        }
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
    const auto first = std::ranges::find(placing, 1);
    if (first == placing.end() || std::find(first + 1, placing.end(), 1) != placing.end())
        return std::nullopt;
    return static_cast<std::size_t>(first - placing.begin());
}

MatchResult unplayed(const Pairing& pairing) {
    const auto seats = pairing.seats.size();
    MatchResult result;
    result.match = pairing.match;
    result.round = pairing.round;
    result.seats = pairing.seats;
    result.points.assign(seats, Score{});
    result.scores.assign(seats, Score{});
    result.game_points.assign(seats, Score{});
    result.used_us.assign(seats, 0);
    result.absent.assign(seats, false);
    result.wins.assign(seats, 0);
    result.programs.resize(seats);
    return result;
}

class Fold {
 public:
    Fold(const MatchConfig& config, const MatchTerms& terms, const Pairing& pairing,
         const engines::Game& game)
        : config_(config), terms_(terms), game_(game), seats_(pairing.seats.size()) {
        tally_.result = unplayed(pairing);
        missed_.assign(seats_, 0);
        played_.assign(seats_, 0);
    }

    MatchTally of(const Counted& counted, std::uint32_t most) {
        tally_.games_due = games_planned(config_, seats_);
        if (config_.solo) {
            add_setups(counted, most);
        } else {
            add_games(counted, most);
        }
        if (!tally_.over) {
            tally_.games_left = tally_.games_due - tally_.result.games;
            tally_.over = tally_.games_left == 0;
        }
        finish();
        return std::move(tally_);
    }

 private:
    static const KeptGame::Seat& seat_of(const KeptGame& played, std::size_t game_seat) {
        static const KeptGame::Seat unknown;
        return game_seat < played.width ? played.seats()[game_seat] : unknown;
    }

    void add_seat(std::size_t seat, const KeptGame& played, std::size_t game_seat) {
        const auto& its = seat_of(played, game_seat);
        if (its.scored) add_score(seat, nobody_came_to(played) ? Score{} : its.score);
        if (its.program != nullptr) add_program(seat, *its.program);
        tally_.result.used_us[seat] += its.used_us;
        ++played_[seat];
        if (its.presence == Presence::away) ++missed_[seat];
    }

    void add_program(std::size_t seat, const std::string& program) {
        auto& known = tally_.result.programs[seat];
        if (!known.empty() && known != program) tally_.result.programs_mixed = true;
        known = program;
    }

    void note(const KeptGame& played) {
        counted_.push_back({played.number, played.attempt, played.fingerprint});
        scores_.resize(counted_.size() * seats_);
    }
    void add_score(std::size_t seat, Score score) {
        scores_[scores_.size() - seats_ + seat] = score;
        tally_.result.scores[seat] += score;
    }
    // Such a game ended with the first seat's forfeit: what it says of the others is no merit of
    // theirs.
    static bool nobody_came_to(const KeptGame& played) {
        const auto seats = played.seats();
        return std::ranges::none_of(
            seats, [](const auto& seat) { return seat.scored && seat.presence != Presence::away; });
    }

    // Games that seat everybody, in order; a match that may be decided early, or may need more
    // games, looks no further than its first gap.
    void add_games(const Counted& counted, std::uint32_t most) {
        const bool in_order = config_.best_of || terms_.one_goes_on;
        for (const auto& [number, played] : counted) {
            if (in_order && number != tally_.result.games + 1) break;
            if (number > tally_.games_due) break;
            add_game(number, *played);
            const bool won = std::ranges::any_of(tally_.result.wins, [this](std::uint32_t wins) {
                return wins > config_.games / 2;
            });
            if (config_.best_of && won && number <= config_.games) {
                tally_.over = true;
                return;
            }
            if (number == tally_.games_due) ask_for_more(most);
        }
    }

    void add_game(std::uint32_t number, const KeptGame& played) {
        std::vector<int> placing(seats_, 1);
        note(played);
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            const std::size_t game_seat = seat_in_game(config_, number, seat, seats_);
            add_seat(seat, played, game_seat);
            if (!nobody_came_to(played)) placing[seat] = seat_of(played, game_seat).placing;
        }
        ++tally_.result.games;
        add_game_points(placing);
    }

    // More games where one has to go on: of two seats, until both had each equally often.
    void ask_for_more(std::uint32_t most) {
        if (!terms_.one_goes_on || !level() || nobody_came()) return;
        constexpr std::uint32_t seats_to_swap = 2;
        const auto step = config_.solo ? static_cast<std::uint32_t>(seats_)
                                       : seats_to_swap - tally_.games_due % seats_to_swap;
        if (tally_.games_due + step <= most) tally_.games_due += step;
    }

    // Solo games: everybody's outcome on one setup is compared once all are in.
    void add_setups(const Counted& counted, std::uint32_t most) {
        std::vector<const KeptGame*> together;
        for (std::uint32_t setup = 0; setup * seats_ < tally_.games_due; ++setup) {
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
            if (tally_.result.games == tally_.games_due) ask_for_more(most);
        }
    }

    void compare_on_setup(const std::vector<const KeptGame*>& together) {
        const auto better = [&](std::size_t a, std::size_t b) {
            const bool a_missed = seat_of(*together[a], 0).presence == Presence::away;
            const bool b_missed = seat_of(*together[b], 0).presence == Presence::away;
            if (a_missed || b_missed) return !a_missed;
            return game_.compare(together[a]->rare->outcome, together[b]->rare->outcome) > 0;
        };
        const auto placing = placing_by(seats_, better);
        add_game_points(placing);
    }

    // What a game, or the games of all on one setup, was worth.
    void add_game_points(const std::vector<int>& placing) {
        const auto points = points_of_placing(placing, MatchTerms{});
        auto& sums = tally_.result.game_points;
        for (std::size_t seat = 0; seat < seats_; ++seat) sums[seat] += points[seat];
        if (const auto winner = sole_first(placing)) ++tally_.result.wins[*winner];
    }

    bool absent(std::size_t seat) const {
        return played_[seat] > 0 && missed_[seat] == played_[seat];
    }
    bool nobody_came() const { return missed_ == played_ && !base::contains(played_, 0U); }

    const std::vector<Score>& sums() const {
        return config_.solo && seats_ > 1 ? tally_.result.game_points : tally_.result.scores;
    }

    // Whether `a` stands before `b` by the games, whatever time these took.
    bool better(std::size_t a, std::size_t b) const {
        if (absent(a) != absent(b)) return absent(b);
        const auto& wins = tally_.result.wins;
        if (config_.best_of && !config_.solo && wins[a] != wins[b]) return wins[a] > wins[b];
        return sums()[a] > sums()[b];
    }
    bool level() const { return !better(0, 1) && !better(1, 0); }

    void finish() {
        auto& result = tally_.result;
        result.counted = standings::CountedGames(std::move(counted_), std::move(scores_));
        for (std::size_t seat = 0; seat < seats_; ++seat) result.absent[seat] = absent(seat);
        const bool by_time =
            config_.best_of && !config_.solo && config_.least_time && !terms_.one_goes_on;
        result.placing = placing_by(seats_, [&](std::size_t a, std::size_t b) {
            if (better(a, b) || better(b, a)) return better(a, b);
            return by_time && result.used_us[a] < result.used_us[b];
        });
        const bool by_scores = config_.points == MatchPoints::scores || seats_ == 1;
        result.points = by_scores ? sums() : points_of_placing(result.placing, terms_);
        // A bot that never came gets nothing, not even its half of a draw where both were absent.
        for (std::size_t seat = 0; seat < seats_; ++seat) {
            if (result.absent[seat]) result.points[seat] = Score{};
        }
        if (!terms_.one_goes_on) return;
        result.one_goes_on = true;
        const auto of_lots = rating::derived_seed(terms_.seed, purpose_of_match_lots);
        result.lot = rating::Random(rating::derived_seed(of_lots, result.match)).below(seats_);
    }

    const MatchConfig& config_;
    const MatchTerms& terms_;
    const engines::Game& game_;
    std::size_t seats_;
    MatchTally tally_;
    std::vector<standings::CountedGame> counted_;
    std::vector<std::optional<Score>> scores_;  // of these, by match seat
    std::vector<std::uint32_t> missed_;         // games that the seat didn't show up for
    std::vector<std::uint32_t> played_;
};

}  // namespace

bool no_show(const GameResult& result, engines::Seat seat) {
    for (const auto& fault : result.faults) {
        if (fault.seat == seat && fault.code == FaultCode::disconnected &&
            fault.consequence == Consequence::forfeit &&
            (fault.rule == rule_of_no_shows || result.turns == 0)) {
            return true;
        }
    }
    return false;
}

Presence presence_in(const GameResult& result, engines::Seat seat) {
    if (no_show(result, seat)) return Presence::away;
    if (seat >= result.valid_moves.size() || result.valid_moves[seat] > 0) return Presence::played;
    const bool at_fault = base::contains(result.faults, seat, &Fault::seat);
    return at_fault ? Presence::silent : Presence::no_turn;
}

std::string cause_of_idleness(const GameResult& result, engines::Seat seat) {
    std::string cause;
    bool is_first = true;
    for (const auto& fault : result.faults) {
        if (fault.seat != seat) continue;
        if (std::exchange(is_first, false) && fault.code == FaultCode::crashed)
            cause = fault.message;
        if (fault.rule != rule_of_no_shows) continue;
        const auto words = fault.message.find(words_of_no_shows);
        if (words != std::string::npos)
            cause = fault.message.substr(words + words_of_no_shows.size());
    }
    return cause;
}

KeptGame kept_game(const MatchConfig& config, const GameResult& result, ProgramNames& programs) {
    KeptGame kept;
    kept.number = result.key.number;
    kept.attempt = result.key.attempt;
    kept.status = result.status;
    kept.fingerprint = result.fingerprint;
    const auto& outcome = result.outcome;
    kept.width = static_cast<std::uint16_t>(
        std::max({result.bots.size(), outcome.scores.size(), result.used_us.size()}));
    kept.first_seat = std::make_unique<KeptGame::Seat[]>(kept.width);
    KeptGame::Rare rare;
    bool is_rare = config.solo;
    if (is_rare) rare.outcome = outcome;
    for (std::size_t seat = 0; seat < kept.width; ++seat) {
        auto& its = kept.first_seat[seat];
        its.scored = seat < outcome.scores.size();
        if (its.scored) its.score = outcome.scores[seat];
        if (seat < outcome.placing.size())
            its.placing = static_cast<std::uint16_t>(outcome.placing[seat]);
        if (seat < result.used_us.size()) its.used_us = result.used_us[seat];
        its.turns = static_cast<std::uint32_t>(
            seat < result.valid_moves.size() ? result.valid_moves[seat] : result.turns);
        if (seat < result.program.size() && !result.program[seat].empty())
            its.program = &*programs.insert(result.program[seat]).first;
        its.presence = presence_in(result, seat);
        its.faulty = base::contains(result.faults, seat, &Fault::seat);
        rare.causes.push_back(cause_of_idleness(result, seat));
        is_rare = is_rare || !rare.causes.back().empty();
    }
    if (is_rare) kept.rare = std::make_unique<const KeptGame::Rare>(std::move(rare));
    return kept;
}

MatchTally fold_match(const MatchConfig& config, const Pairing& pairing,
                      std::span<const KeptGame> results, const engines::Game& game,
                      const MatchTerms& terms) {
    REFEREE_ASSERT(!terms.one_goes_on || pairing.seats.size() == 2);
    const std::uint32_t most = games_most(config, pairing.seats.size(), terms);
    return Fold(config, terms, pairing, game).of(counted_games(results, most), most);
}

MatchTally fold_match(const MatchConfig& config, const Pairing& pairing,
                      std::span<const GameResult> results, const engines::Game& game,
                      const MatchTerms& terms) {
    ProgramNames programs;
    std::vector<KeptGame> kept;
    for (const auto& result : results) {
        REFEREE_ASSERT(result.key.match == pairing.match);
        kept.push_back(kept_game(config, result, programs));
    }
    return fold_match(config, pairing, kept, game, terms);
}

MatchResult ruled_result(const Pairing& pairing, const std::vector<int>& placing,
                         const MatchTerms& terms) {
    REFEREE_ASSERT(placing.size() == pairing.seats.size());
    auto result = unplayed(pairing);
    result.placing = placing;
    result.points = points_of_placing(placing, terms);
    result.one_goes_on = terms.one_goes_on;
    result.lot = sole_first(placing).value_or(0);
    result.ruled = true;
    return result;
}

}  // namespace referee::formats
