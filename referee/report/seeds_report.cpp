#include "referee/report/seeds_report.h"

#include <map>
#include <set>

#include "referee/contest/formats/evidence.h"
#include "referee/report/cells.h"

namespace referee::report {
namespace {

constexpr int difference_decimals = 2;
constexpr int seed_chance_decimals = 6;
constexpr double halves_of_score = 2;

// What was played on one seed, by entrant. Who played it in several matches has the mean.
struct OnSeed {
    std::map<std::size_t, std::pair<double, double>> sums;  // scores, and how many
    std::set<std::string> fingerprints;
};

}  // namespace

std::optional<certainty::SeedOrder> seed_order_of(const Ledger& ledger) {
    if (!ledger.config.match.solo) return std::nullopt;
    std::map<std::uint32_t, OnSeed> by_seed;
    for (const auto& match : ledger.results) {
        const auto seats = static_cast<std::uint32_t>(match.seats.size());
        for (const auto& game : match.counted) {
            auto& seed = by_seed[(game.number - 1) / seats];
            for (std::size_t seat = 0; seat < seats; ++seat) {
                if (!game.scores[seat] || (!match.absent.empty() && match.absent[seat])) continue;
                auto& [sum, times] = seed.sums[match.seats[seat]];
                sum += static_cast<double>(game.scores[seat]->in_halves()) / halves_of_score;
                ++times;
                seed.fingerprints.insert(game.fingerprint);
            }
        }
    }
    formats::Evidence evidence;
    std::vector<std::vector<std::optional<double>>> scores;
    for (auto& [number, seed] : by_seed) {
        if (seed.sums.empty() || !evidence.is_new(seed.fingerprints)) continue;
        auto& row = scores.emplace_back(ledger.entries.size());
        for (const auto& [entrant, sum] : seed.sums) row[entrant] = sum.first / sum.second;
    }
    if (scores.empty()) return std::nullopt;
    return certainty::order_on_seeds(ledger.entries.size(), scores);
}

void write_seed_order(protocol::json::Writer& writer, const Ledger& ledger,
                      const std::optional<certainty::SeedOrder>& order) {
    if (!order) return;
    writer.key("common_seeds")
        .begin_object()
        .member("seeds", order->seeds)
        .member("alpha", certainty::seeds_alpha)
        .member("pairs", order->pairs)
        .member("told_pairs", order->told_pairs)
        .key("bots")
        .begin_array();
    for (const auto entrant : order->order)
        writer.begin_object()
            .member("name", ledger.entries[entrant].name)
            .member("place", static_cast<std::uint64_t>(order->places[entrant]))
            .key("mean")
            .raw(fixed_text(order->means[entrant], difference_decimals))
            .end_object();
    writer.end_array().key("neighbours").begin_array();
    for (const auto& pair : order->next) {
        writer.begin_object()
            .member("better", ledger.entries[pair.better].name)
            .member("worse", ledger.entries[pair.worse].name)
            .member("seeds", pair.seeds)
            .key("difference")
            .raw(fixed_text(pair.difference, difference_decimals));
        if (pair.interval)
            writer.key("difference95")
                .begin_array()
                .raw(fixed_text(pair.interval->low, difference_decimals))
                .raw(fixed_text(pair.interval->high, difference_decimals))
                .end_array();
        writer.key("p")
            .raw(fixed_text(pair.p, seed_chance_decimals))
            .member("told", pair.told)
            .member("needed_seeds", pair.needed)
            .end_object();
    }
    writer.end_array().end_object();
}

}  // namespace referee::report
