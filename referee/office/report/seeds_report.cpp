#include "referee/office/report/seeds_report.h"

#include <map>
#include <set>

#include "referee/contests/tournament/evidence.h"
#include "referee/office/report/cells.h"

namespace referee::report {
namespace {

constexpr int difference_decimals = 2;
constexpr int seed_chance_decimals = 6;
constexpr double halves_of_score = 2;
constexpr std::size_t neighbours_told_most = 30;  // in the text; the JSON has all

// What was played on one seed, by entrant. Who played it in several matches has the mean.
struct OnSeed {
    std::map<std::size_t, std::pair<double, double>> sums;  // scores, and how many
    std::set<std::string> fingerprints;
};

std::string difference_text(const Ledger& ledger, const certainty::SeedComparison& pair) {
    std::string text = ledger.entries[pair.better].name + " - " + ledger.entries[pair.worse].name +
                       ": " + fixed_text(pair.difference, difference_decimals);
    if (pair.interval)
        text += " (95%: " + fixed_text(pair.interval->low, difference_decimals) + " to " +
                fixed_text(pair.interval->high, difference_decimals) + ")";
    text += pair.told ? ", told apart" : ", not told apart";
    if (!pair.told && pair.needed > pair.seeds)
        text += "; these two alone would take about " + std::to_string(pair.needed) + " seeds";
    return text + '.';
}

// How many seeds it takes before any of so many pairs can be told apart by the signs of its
// differences.
std::uint64_t seeds_least(std::uint64_t pairs) {
    std::uint64_t seeds = 1;
    for (double p = 1; p * static_cast<double>(pairs) > certainty::seeds_alpha; p /= 2) ++seeds;
    return seeds;
}

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
    tournament::Evidence evidence;
    std::vector<std::vector<std::optional<double>>> scores;
    for (auto& [number, seed] : by_seed) {
        if (seed.sums.empty() || !evidence.is_new(seed.fingerprints)) continue;
        auto& row = scores.emplace_back(ledger.entries.size());
        for (const auto& [entrant, sum] : seed.sums) row[entrant] = sum.first / sum.second;
    }
    if (scores.empty()) return std::nullopt;
    return certainty::order_on_seeds(ledger.entries.size(), scores);
}

std::string seeds_sentence(const Ledger& ledger, const std::optional<certainty::SeedOrder>& order) {
    if (!order || order->next.empty()) return {};
    std::string text = "Compared seed by seed, on " + std::to_string(order->seeds) +
                       (order->seeds == 1 ? " distinct seed: " : " distinct seeds: ") +
                       std::to_string(order->told_pairs) + " of " + std::to_string(order->pairs) +
                       " pairs are told apart by their scores, with a chance of 5% for any error "
                       "among them. ";
    if (const auto least = seeds_least(order->pairs); order->seeds < least)
        text += "So few seeds tell none apart, however they end: it takes " +
                std::to_string(least) + " at least. ";
    text += "Places by that, and each with the next, with an interval of that pair alone:";
    for (std::size_t i = 0; i < order->next.size() && i < neighbours_told_most; ++i)
        text += "\nplace " + std::to_string(order->places[order->order[i]]) + ", " +
                difference_text(ledger, order->next[i]);
    if (order->next.size() <= neighbours_told_most) {
        const auto last = order->order.back();
        return text + "\nplace " + std::to_string(order->places[last]) + ", " +
               ledger.entries[last].name + '.';
    }
    return text + "\nand so on (standings.json).";
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
