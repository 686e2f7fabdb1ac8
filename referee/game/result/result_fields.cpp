#include "referee/game/result/result_fields.h"

namespace referee::fields {
namespace {

// 2^53: doubles count in ones up to here, and a thousand of it can be summed up.
constexpr std::int64_t used_us_max = 9007199254740992;

}  // namespace

bool has_outcome(const GameResult& result) {
    return counts(result.status);
}

std::string check_size(std::size_t size, const GameResult& result) {
    if (size == 0 || size == result.bots.size()) return {};
    return "an entry for each of " + std::to_string(result.bots.size()) + " seats";
}

std::string check_times(const std::vector<std::int64_t>& times, const GameResult& result) {
    if (auto wrong = check_size(times.size(), result); !wrong.empty()) return wrong;
    for (const auto time : times) {
        if (time < 0 || time > used_us_max)
            return "microseconds by seat, 0 or more, such as [1200, 90]";
    }
    return {};
}

std::string check_outcome(const GameResult& result) {
    auto wrong = check_size(result.outcome.scores.size(), result);
    return wrong.empty() ? check_size(result.outcome.placing.size(), result) : wrong;
}

std::string id_of(const GameResult& result) {
    return game_id(result.key);
}

}  // namespace referee::fields
