#include <algorithm>

#include "referee/tournament/contests/arbiter.h"
#include "tests/sim/instructor.h"

// The orders of an arbiter. What an order is about follows from how the tournament stands.

namespace tests::sim {
namespace {

constexpr std::string_view arbiters_reason = "simulated";
constexpr std::string_view arbiter = "ada";
constexpr std::size_t ways_to_end = 3;

}  // namespace

// Of a match that is on, or else of one that is over.
void Instructor::set_result(const PlannedOrder& order) {
    const auto now = scheduler().contest(plan_.tournament.id).snapshot();
    std::uint64_t match = 0;
    std::vector<referee::formats::Entrant> seats;
    if (!now.open.empty() && order.bot % 2 == 0) {
        const auto& picked = now.open[order.bot % now.open.size()];
        match = picked.match;
        seats = picked.seats;
    } else if (!now.results.empty()) {
        match = now.results.back().match;
        seats = now.results.back().seats;
    } else {
        return;
    }
    referee::contests::BotsByPlace places;
    for (const auto entrant : seats) places.push_back({now.name(entrant)});
    if (order.bot % ways_to_end == 1) std::ranges::reverse(places);
    if (order.bot % ways_to_end == 2) {
        for (std::size_t place = 1; place < places.size(); ++place)
            places.front().push_back(places[place].front());
        places.resize(1);
    }
    rule(match, places);
}

void Instructor::rule(std::uint64_t match, const referee::contests::BotsByPlace& places) {
    ask_before_end([=](auto& orders, const auto& call, auto on_ordered) {
        orders.rule(call, match, places, std::string(arbiter), std::move(on_ordered));
    });
}

// Any of an arbiter's orders but a result, which is how that of a contest is called.
void Instructor::wish(const Orders::Order& wish) {
    ask_before_end([wish](auto& orders, const auto& call, auto on_ordered) {
        orders.take(call, wish, std::move(on_ordered));
    });
}

void Instructor::take_result_back() {
    const auto now = scheduler().contest(plan_.tournament.id).snapshot();
    std::uint64_t match = 0;
    for (const auto& [ordinal, result] : now.results) {
        if (result.ruled) match = ordinal;
    }
    if (match == 0) return;
    rule(match, {});
}

void Instructor::forbid(const PlannedOrder& order) {
    const auto other = (order.bot + 1) % plan_.bots.size();
    const referee::records::ForbiddenPairsRecord pairs{
        plan_.tournament.id,
        {plan_.bots[order.bot].name, plan_.bots[other].name},
        1,
        UINT32_MAX,
        referee::records::PairOrder::forbidden,
        std::string(arbiters_reason),
        std::string(arbiter)};
    wish([pairs](const auto& contest) { return referee::contests::forbid(contest, pairs); });
}

void Instructor::grant_bye(const PlannedOrder& order) {
    const referee::records::RequestedByeRecord bye{
        plan_.tournament.id,          plan_.bots[order.bot].name,
        status().round + 1,           referee::records::ByeOrder::half_point,
        std::string(arbiters_reason), std::string(arbiter)};
    wish([bye](const auto& contest) { return referee::contests::wish_bye(contest, bye); });
}

void Instructor::pair_by_hand(const PlannedOrder& order) {
    const auto other = (order.bot + 1 + status().round) % plan_.bots.size();
    const referee::records::HandPairingRecord pairing{
        plan_.tournament.id,          {plan_.bots[order.bot].name, plan_.bots[other].name},
        status().round + 1,           referee::records::HandPairingOrder::paired,
        std::string(arbiters_reason), std::string(arbiter)};
    wish([pairing, anyway = order.bot % 2 == 0](const auto& contest) {
        return referee::contests::pair_by_hand(contest, pairing, anyway);
    });
}

}  // namespace tests::sim
