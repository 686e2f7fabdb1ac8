#include "referee/report/certainty.h"

#include <algorithm>
#include <map>
#include <set>

#include "engines/registry.h"
#include "engines/score.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"
#include "referee/report/text_table.h"

// What is said of seats to people.

namespace referee::report {

namespace {

using certainty::PairRecord;
using certainty::SeatGame;
using formats::MatchResult;

constexpr double level_share = 0.5;
// Two whose last matches only repeated earlier games have no more to tell of each other.
constexpr int repeats_that_settle = 2;

// Of two of a match, by their points, or where there are more by their places.
double share_between(const MatchResult& match, std::size_t seat, std::size_t other) {
    if (match.seats.size() == 2) return formats::share_of(match, seat);
    if (match.placing[seat] == match.placing[other]) return level_share;
    return match.placing[seat] < match.placing[other] ? 1 : 0;
}

struct KeptPair {
    PairRecord record;
    int repeats = 0;
};

void note_match(KeptPair& kept, const MatchResult& match, std::size_t a, std::size_t b,
                bool is_new) {
    auto& [record, repeats] = kept;
    record.a = match.seats[a];
    record.b = match.seats[b];
    ++record.matches;
    repeats = is_new ? 0 : repeats + 1;
    record.settled = match.seats.size() == 2 && repeats >= repeats_that_settle;
    if (!is_new) return;
    const double share = share_between(match, a, b);
    ++record.distinct;
    record.share += share;
    record.squares += share * share;
    record.won += share > level_share ? 1 : 0;
    record.lost += share < level_share ? 1 : 0;
}

// By setup: the one seat that is to move at first. Nothing where games are played at once by all.
std::vector<std::optional<std::size_t>> movers_of(const Ledger& ledger) {
    std::vector<std::optional<std::size_t>> movers(ledger.config.setups.size());
    const engines::Registry registry;
    const auto* game = registry.find(ledger.config.game);
    if (game == nullptr || game->info().simultaneous || !ledger.config.maps_directory.empty())
        return movers;
    for (std::size_t setup = 0; setup < movers.size(); ++setup) {
        protocol::json::Document params;
        if (!params.parse(ledger.config.setups[setup])) continue;
        const auto start = game->start(params.root(), ledger.config.seed);
        if (!start || (*start)->to_move().count() != 1) continue;
        for (std::size_t seat = 0; seat < (*start)->seats(); ++seat)
            if ((*start)->to_move().test(seat)) movers[setup] = seat;
    }
    return movers;
}

// By seat: 1 for who is ahead of all in a game, a half for who is level with all. Requires: two or
// more.
std::vector<double> seat_shares(const std::vector<engines::Score>& scores) {
    std::vector<double> shares;
    const auto others = static_cast<double>(scores.size() - 1);
    for (std::size_t seat = 0; seat < scores.size(); ++seat) {
        double ahead = 0;
        for (std::size_t other = 0; other < scores.size(); ++other) {
            if (other == seat) continue;
            if (scores[seat] > scores[other]) ahead += 1;
            if (scores[seat] == scores[other]) ahead += level_share;
        }
        shares.push_back(ahead / others);
    }
    return shares;
}

std::optional<SeatGame> seat_game(const formats::MatchConfig& config, const MatchResult& match,
                                  const standings::CountedGames::Scored& counted) {
    const auto width = match.seats.size();
    if (counted.number > config.games || counted.scores.size() != width) return std::nullopt;
    const formats::Pairing pairing{match.match, match.round, match.seats};
    const auto planned = formats::planned_game(config, pairing, counted.number, 1, {});
    SeatGame game;
    game.match = match.match;
    game.setup = planned.setup;
    game.players = planned.seats;
    std::vector<engines::Score> scores(width);
    for (std::size_t seat = 0; seat < width; ++seat) {
        if (!counted.scores[seat]) return std::nullopt;
        scores[formats::seat_in_game(config, counted.number, seat, width)] = *counted.scores[seat];
    }
    game.shares = seat_shares(scores);
    return game;
}

constexpr double halves_of_score = 2;

// What was played on one seed, by entrant. Who played it in several matches has the mean.
struct OnSeed {
    std::map<std::size_t, std::pair<double, double>> sums;  // scores, and how many
    std::set<std::string> fingerprints;
};

using certainty::EffectKind;
using certainty::SeatEffect;

constexpr int percent_decimals = 1;
constexpr double whole_share = 100;
constexpr double percent_least = 0.1;

std::string percent_text(double share) {
    return fixed_text(share * whole_share, percent_decimals) + '%';
}

std::string signed_percent(double share) {
    const auto text = percent_text(share);
    return text.front() == '-' ? text : '+' + text;
}

std::string chance_text(double p) {
    return p * whole_share < percent_least ? "below 0.1%" : "at most " + percent_text(p);
}

std::string what_is_told(const SeatEffect& effect) {
    if (effect.kind == EffectKind::first_move) return "who moves first";
    const auto seat = "seat " + std::to_string(effect.seat);
    if (effect.kind == EffectKind::seat) return seat;
    return fmt::format("{} on setup {}", seat, effect.setup);
}

// Nothing where games aren't played alone, or none was. A setup that only repeats another, move by
// move and for everybody, counts once.
std::optional<certainty::SeedOrder> seed_order_of(const Ledger& ledger) {
    if (!ledger.config.match.solo) return std::nullopt;
    std::map<std::uint32_t, OnSeed> by_seed;
    for (const auto& match : ledger.results) {
        const auto seats = static_cast<std::uint32_t>(match.seats.size());
        for (const auto& game : match.counted) {
            auto& seed = by_seed[(game.number - 1) / seats];
            for (std::size_t seat = 0; seat < seats; ++seat) {
                if (!game.scores[seat] || !came(match, seat)) continue;
                auto& [sum, times] = seed.sums[match.seats[seat]];
                sum += static_cast<double>(game.scores[seat]->in_halves()) / halves_of_score;
                ++times;
                seed.fingerprints.insert(game.fingerprint.text());
            }
        }
    }
    formats::NewGames new_games;
    std::vector<std::vector<std::optional<double>>> scores;
    for (auto& [number, seed] : by_seed) {
        if (seed.sums.empty() || !new_games.is_new(seed.fingerprints)) continue;
        auto& row = scores.emplace_back(ledger.entries.size());
        for (const auto& [entrant, sum] : seed.sums) row[entrant] = sum.first / sum.second;
    }
    if (scores.empty()) return std::nullopt;
    return certainty::order_on_seeds(ledger.entries.size(), scores);
}

// The games of matches between bots that came, as far as all seats have a score. Extra games of
// knockouts are not among them: they are played where a match was level.
certainty::SeatGames seat_games(const Ledger& ledger) {
    certainty::SeatGames games;
    if (ledger.config.match.solo) return games;
    const auto movers = movers_of(ledger);
    const auto is_new = formats::new_matches(ledger.results);
    for (std::size_t i = 0; i < ledger.results.size(); ++i) {
        const auto& match = ledger.results[i];
        if (!is_new[i] || match.forfeit() || match.seats.size() < 2) continue;
        for (const auto& counted : match.counted) {
            auto game = seat_game(ledger.config.match, match, counted);
            if (!game) continue;
            if (game->setup < movers.size()) game->mover = movers[game->setup];
            games.add(std::move(*game));
        }
    }
    return games;
}

}  // namespace

std::vector<PairRecord> pair_records(const Ledger& ledger) {
    const auto is_new = formats::new_matches(ledger.results);
    std::map<std::pair<std::size_t, std::size_t>, KeptPair> kept;
    for (std::size_t i = 0; i < ledger.results.size(); ++i) {
        const auto& match = ledger.results[i];
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
            for (std::size_t other = seat + 1; other < match.seats.size(); ++other) {
                if (!came(match, seat) || !came(match, other)) continue;
                const bool turned = match.seats[seat] > match.seats[other];
                const auto a = turned ? other : seat;
                const auto b = turned ? seat : other;
                note_match(kept[{match.seats[a], match.seats[b]}], match, a, b, is_new[i]);
            }
        }
    }
    std::vector<PairRecord> records;
    for (const auto& [pair, one] : kept) records.push_back(one.record);
    return records;
}

Certainty certainty_of(const Ledger& ledger) {
    Certainty certainty;
    certainty.pairs = pair_records(ledger);
    const bool of_two = std::ranges::all_of(
        ledger.results, [](const auto& match) { return match.seats.size() == 2; });
    if (of_two) certainty.cycles = certainty::find_cycles(ledger.entries.size(), certainty.pairs);
    const auto games = seat_games(ledger);
    certainty.seats =
        certainty::seat_table(ledger.entries.size(), ledger.config.match.setups, games);
    certainty.seeds = seed_order_of(ledger);
    return certainty;
}

std::string seats_sentence(const Certainty& certainty) {
    const SeatEffect* surest = nullptr;
    std::size_t real = 0;
    for (const auto& effect : certainty.seats.effects) {
        if (!effect.real) continue;
        ++real;
        if (surest == nullptr || effect.p < surest->p) surest = &effect;
    }
    if (surest == nullptr) return {};
    auto text =
        "Warning: where a bot sits matters: " + what_is_told(*surest) + " gets " +
        signed_percent(*surest->advantage) +
        " of a game's points beside an even share (95%: " + signed_percent(surest->interval.low) +
        " to " + signed_percent(surest->interval.high) + "; by chance: " + chance_text(surest->p) +
        ')';
    if (real > 1) text += fmt::format("; standings.json has {} more", real - 1);
    return text + '.';
}

}  // namespace referee::report
