#include "referee/game/result/told_end.h"

#include <algorithm>

namespace referee {
namespace {

namespace json = protocol::json;

// As deep as params and outcomes of a game are.
constexpr std::size_t depth_max = 64;

std::string last_fault_of(const GameResult& result, engines::Seat seat) {
    const auto found = std::find_if(result.faults.rbegin(), result.faults.rend(),
                                    [&](const Fault& fault) { return fault.seat == seat; });
    if (found == result.faults.rend()) return {};
    return "; the last fault, in turn " + std::to_string(found->turn) + ": " + found->message;
}

}  // namespace

std::string told_by_rules(const engines::Game& rules, const GameResult& result,
                          engines::Seat seat) {
    if (result.status != GameStatus::played) return {};
    json::Document params;
    json::Document detail;
    const json::ParseOptions options{.depth_max = depth_max};
    if (!params.parse(result.params, options) || !detail.parse(result.outcome.detail, options))
        return {};
    return rules.tell_end(params.root(), detail.root(), seat);
}

std::string told_end(const engines::Game& rules, const GameResult& result, engines::Seat seat) {
    if (result.status != GameStatus::played) return result.reason;
    const auto words = told_by_rules(rules, result, seat);
    return (words.empty() ? result.reason : words) + last_fault_of(result, seat);
}

}  // namespace referee
