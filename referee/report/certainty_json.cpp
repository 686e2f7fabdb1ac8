#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "referee/report/certainty.h"
#include "referee/report/text_table.h"

// The figures, for programs.

namespace referee::report {
namespace {

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
    writer.key(key).raw(value ? fixed_text(*value, decimals) : "null");
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
        .member("a", ledger.entries[pair.a].name)
        .member("b", ledger.entries[pair.b].name)
        .member("matches", pair.matches)
        .member("distinct", pair.distinct);
    if (met) {
        const auto [low, high] = certainty::share_interval(pair);
        write_fixed(writer, "share", pair.share / static_cast<double>(pair.distinct),
                    share_decimals);
        write_span(writer, "share95", low, high, share_decimals);
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
            cycle.players, [&ledger](const auto player) { return ledger.entries[player].name; });
        write_fixed(writer, "p", cycle.p, chance_decimals);
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
        write_span(writer, "advantage95", effect.interval.low, effect.interval.high,
                   advantage_decimals);
        write_fixed(writer, "p", effect.p, chance_decimals);
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
        write_fixed(writer, "alone", left.alone, advantage_decimals);
        writer.member("most_left_with", ledger.entries[left.player].name);
        write_fixed(writer, "left", left.gained, advantage_decimals);
        writer.member("alike", left.alike).end_object();
    }
    writer.end_array().end_object();
}

void write_seed_order(json::Writer& writer, const Ledger& ledger,
                      const certainty::SeedOrder& order) {
    const auto name = [&ledger](std::size_t entrant) { return ledger.entries[entrant].name; };
    writer.key("common_seeds")
        .begin_object()
        .member("seeds", order.seeds)
        .member("alpha", certainty::seeds_alpha)
        .member("pairs", order.pairs)
        .member("told_pairs", order.told_pairs)
        .key("bots")
        .begin_array();
    for (const auto entrant : order.order) {
        writer.begin_object().member("name", name(entrant)).member("place", order.places[entrant]);
        write_fixed(writer, "mean", order.means[entrant], difference_decimals);
        writer.end_object();
    }
    writer.end_array().key("neighbours").begin_array();
    for (const auto& pair : order.next) {
        writer.begin_object()
            .member("better", name(pair.better))
            .member("worse", name(pair.worse))
            .member("seeds", pair.seeds);
        write_fixed(writer, "difference", pair.difference, difference_decimals);
        if (pair.interval)
            write_span(writer, "difference95", pair.interval->low, pair.interval->high,
                       difference_decimals);
        write_fixed(writer, "p", pair.p, chance_decimals);
        writer.member("told", pair.told).member("needed_seeds", pair.needed).end_object();
    }
    writer.end_array().end_object();
}

}  // namespace

void write_certainty(json::Writer& writer, const Ledger& ledger, std::span<const Row> rows,
                     const Ratings& ratings, const Certainty& certainty) {
    if (certainty.seeds) write_seed_order(writer, ledger, *certainty.seeds);
    if (!ratings.elo && ratings.skills.empty()) return;
    write_matrix(writer, ledger, rows, ratings, certainty);
    if (ratings.elo) write_cycles(writer, ledger, certainty.cycles);
    if (certainty.seats.games > 0) write_seats(writer, ledger, certainty.seats);
}

}  // namespace referee::report
