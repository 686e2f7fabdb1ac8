#include "referee/report/certainty.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "engines/registry.h"
#include "engines/score.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"
#include "referee/files/text_table.h"

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
    if (match.seats.size() == 2) return standings::share_of(match, seat);
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

// Nothing where games aren't played alone, or none was. Who played a seed in several matches has
// the mean.
std::optional<certainty::SeedOrder> seed_order_of(const Ledger& ledger) {
    if (!ledger.config.match.solo) return std::nullopt;
    constexpr double halves_of_score = 2;
    std::vector<std::vector<std::optional<double>>> scores;
    for (const auto& game : listed_games(ledger, [](auto /*entrant*/) { return true; })) {
        std::map<std::size_t, std::pair<double, double>> sums;  // scores, and how many
        for (const auto& [entrant, halves] : game) {
            sums[entrant].first += halves / halves_of_score;
            ++sums[entrant].second;
        }
        auto& row = scores.emplace_back(ledger.entries.size());
        for (const auto& [entrant, sum] : sums) row[entrant] = sum.first / sum.second;
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
    const auto is_new = standings::new_matches(ledger.results);
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

namespace json = protocol::json;

constexpr int chance_decimals = 6;
constexpr int advantage_decimals = 4;
constexpr int difference_decimals = 2;
constexpr std::array<std::string_view, 3> effect_names{"seat", "setup", "first_move"};

std::string_view name_of(certainty::EffectKind kind) {
    return effect_names[static_cast<std::size_t>(kind)];
}

// A member that may have no value.
void write_known(json::Writer& writer, std::string_view key, const std::optional<double>& value,
                 int decimals) {
    writer.key(key).raw(value ? files::fixed_text(*value, decimals) : "null");
}

// How likely the first is stronger; nothing where it isn't known.
std::optional<double> superiority_of(const Ratings& ratings, std::size_t a, std::size_t b) {
    if (ratings.elo) {
        const auto& of_a = ratings.elo->ratings[a];
        const auto& of_b = ratings.elo->ratings[b];
        if (!of_a.elo || !of_b.elo || of_a.group != of_b.group) return std::nullopt;
        return ratings.elo->superiority(a, b);
    }
    if (ratings.skills.empty() || ratings.rated[a] == 0 || ratings.rated[b] == 0)
        return std::nullopt;
    const auto& one = ratings.skills[a];
    const auto& other = ratings.skills[b];
    const double spread = std::hypot(one.deviation, other.deviation);
    return std::erfc((other.mean - one.mean) / spread / std::numbers::sqrt2) / 2;
}

certainty::PairRecord turned(const certainty::PairRecord& pair) {
    auto other = pair;
    const auto distinct = static_cast<double>(pair.distinct);
    std::swap(other.a, other.b);
    std::swap(other.won, other.lost);
    other.share = distinct - pair.share;
    other.squares = distinct - 2 * pair.share + pair.squares;
    return other;
}

void write_pair(json::Writer& writer, const Ledger& ledger, const Ratings& ratings,
                const certainty::PairRecord& pair) {
    const auto superiority = superiority_of(ratings, pair.a, pair.b);
    const bool met = pair.distinct > 0;
    writer.begin_object()
        .member("a", ledger.name(pair.a))
        .member("b", ledger.name(pair.b))
        .member("matches", pair.matches)
        .member("distinct", pair.distinct);
    if (met) {
        const auto [low, high] = certainty::share_interval(pair);
        files::write_fixed(writer, "share", pair.share / static_cast<double>(pair.distinct),
                           share_decimals);
        files::write_span(writer, "share95", low, high, share_decimals);
    } else {
        writer.key("share").null().key("share95").null();
    }
    write_known(writer, "superiority", superiority, share_decimals);
    writer.member("method", !superiority ? "nothing" : met ? "matches" : "model").end_object();
}

void write_matrix(json::Writer& writer, const Ledger& ledger, std::span<const Row> rows,
                  const Ratings& ratings, const Certainty& certainty) {
    const bool all = rows.size() <= matrix_bots_most;
    writer.key("superiority").begin_object().member("all_pairs", all).key("pairs").begin_array();
    std::vector<std::size_t> place(ledger.entries.size());
    for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i].entrant] = i;
    std::map<std::pair<std::size_t, std::size_t>, certainty::PairRecord> by_place;
    for (const auto& pair : certainty.pairs) {
        const auto its = place[pair.a] < place[pair.b] ? pair : turned(pair);
        by_place[{place[its.a], place[its.b]}] = its;
    }
    if (all)
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t j = i + 1; j < rows.size(); ++j)
                by_place.try_emplace(
                    {i, j}, certainty::PairRecord{.a = rows[i].entrant, .b = rows[j].entrant});
    for (const auto& [key, pair] : by_place) write_pair(writer, ledger, ratings, pair);
    writer.end_array().end_object();
}

void write_cycles(json::Writer& writer, const Ledger& ledger,
                  const certainty::CycleSearch& search) {
    writer.key("cycles")
        .begin_object()
        .member("alpha", certainty::cycles_alpha)
        .member("triples", search.triples)
        .member("tested_pairs", search.pairs)
        .member("found", search.found)
        .member("too_few", search.too_few())
        .member("needed", search.needed)
        .key("told")
        .begin_array();
    for (const auto& cycle : search.cycles) {
        writer.begin_object().key("bots").texts(
            cycle.players, [&ledger](const auto player) { return ledger.name(player); });
        files::write_fixed(writer, "p", cycle.p, chance_decimals);
        writer.end_object();
    }
    writer.end_array().end_object();
}

void write_effect(json::Writer& writer, const certainty::SeatEffect& effect) {
    writer.begin_object().member("kind", name_of(effect.kind));
    if (effect.kind != certainty::EffectKind::first_move) writer.member("seat", effect.seat);
    if (effect.kind == certainty::EffectKind::setup) writer.member("setup", effect.setup);
    writer.member("games", effect.games)
        .member("matches", effect.matches)
        .member("method", effect.paired ? "swapped_seats" : "model");
    write_known(writer, "advantage", effect.advantage, advantage_decimals);
    if (effect.advantage) {
        files::write_span(writer, "advantage95", effect.interval.low, effect.interval.high,
                          advantage_decimals);
        files::write_fixed(writer, "p", effect.p, chance_decimals);
        writer.member("needed_matches", effect.needed);
    }
    writer.member("real", effect.real).end_object();
}

void write_seats(json::Writer& writer, const Ledger& ledger, const certainty::SeatTable& table) {
    writer.key("seats")
        .begin_object()
        .member("games", table.games)
        .member("matches", table.matches)
        .member("alpha", certainty::seats_alpha)
        .key("effects")
        .begin_array();
    for (const auto& effect : table.effects) write_effect(writer, effect);
    writer.end_array().key("rotation").begin_array();
    for (const auto& left : table.left) {
        writer.begin_object().member("kind", name_of(left.kind));
        files::write_fixed(writer, "alone", left.alone, advantage_decimals);
        writer.member("most_left_with", ledger.name(left.player));
        files::write_fixed(writer, "left", left.gained, advantage_decimals);
        writer.member("alike", left.alike).end_object();
    }
    writer.end_array().end_object();
}

void write_seed_order(json::Writer& writer, const Ledger& ledger,
                      const certainty::SeedOrder& order) {
    writer.key("common_seeds")
        .begin_object()
        .member("seeds", order.seeds)
        .member("alpha", certainty::seeds_alpha)
        .member("pairs", order.pairs)
        .member("told_pairs", order.told_pairs)
        .key("bots")
        .begin_array();
    for (const auto entrant : order.order) {
        writer.begin_object()
            .member("name", ledger.name(entrant))
            .member("place", order.places[entrant]);
        files::write_fixed(writer, "mean", order.means[entrant], difference_decimals);
        writer.end_object();
    }
    writer.end_array().key("neighbours").begin_array();
    for (const auto& pair : order.next) {
        writer.begin_object()
            .member("better", ledger.name(pair.better))
            .member("worse", ledger.name(pair.worse))
            .member("seeds", pair.seeds);
        files::write_fixed(writer, "difference", pair.difference, difference_decimals);
        if (pair.interval)
            files::write_span(writer, "difference95", pair.interval->low, pair.interval->high,
                              difference_decimals);
        files::write_fixed(writer, "p", pair.p, chance_decimals);
        writer.member("told", pair.told).member("needed_seeds", pair.needed).end_object();
    }
    writer.end_array().end_object();
}

}  // namespace

std::vector<PairRecord> pair_records(const Ledger& ledger) {
    const auto is_new = standings::new_matches(ledger.results);
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

// The figures, for programs.

void write_certainty(json::Writer& writer, const Ledger& ledger, std::span<const Row> rows,
                     const Ratings& ratings, const Certainty& certainty) {
    if (certainty.seeds) write_seed_order(writer, ledger, *certainty.seeds);
    if (!ratings.elo && ratings.skills.empty()) return;
    write_matrix(writer, ledger, rows, ratings, certainty);
    if (ratings.elo) write_cycles(writer, ledger, certainty.cycles);
    if (certainty.seats.games > 0) write_seats(writer, ledger, certainty.seats);
}

}  // namespace referee::report
