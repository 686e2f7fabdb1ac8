#include "referee/office/cli/measured_ways.h"

namespace referee::cli {
namespace {

clock::AllowedBy allowed_by_named(std::string_view name) {
    using clock::AllowedBy;
    for (const auto by : {AllowedBy::range, AllowedBy::peers}) {
        if (clock::name_of(by) == name) return by;
    }
    return AllowedBy::nothing;
}

}  // namespace

void MeasuredWays::take(const journal::Record& record, std::int64_t time_ms) {
    if (const auto* game = std::get_if<journal::GameRecord>(&record)) {
        take_game(game->result, time_ms);
    } else if (const auto* entry = std::get_if<journal::EntryRecord>(&record)) {
        auto& [here, withdrawn] = attendances_[entry->tournament];
        here.insert(entry->bot);
        withdrawn.erase(entry->bot);
    } else if (const auto* withdrawal = std::get_if<journal::WithdrawalRecord>(&record)) {
        auto& [here, withdrawn] = attendances_[withdrawal->tournament];
        here.erase(withdrawal->bot);
        withdrawn.insert(withdrawal->bot);
    }
}

// The lists are empty where nobody of the game dialled in, and a round trip is 0 where it was not
// known.
void MeasuredWays::take_game(const GameResult& result, std::int64_t time_ms) {
    for (std::size_t seat = 0; seat < result.round_trip_us.size(); ++seat) {
        if (result.round_trip_us[seat] <= 0) continue;
        auto& way = ways_[result.bots[seat]];
        way.round_trip = std::chrono::microseconds(result.round_trip_us[seat]);
        way.bound = std::chrono::microseconds(result.allowance_us[seat]);
        way.by = allowed_by_named(result.allowed_by[seat]);
        if (measurements_ == 0) first_ms_ = time_ms;
        last_ms_ = time_ms;
        ++measurements_;
    }
}

const std::set<std::string>& MeasuredWays::entrants(std::string_view tournament) const {
    static const std::set<std::string> nobody;
    const auto found = attendances_.find(tournament);
    return found == attendances_.end() ? nobody : found->second.here;
}

bool MeasuredWays::is_withdrawn(std::string_view tournament, const std::string& bot) const {
    const auto found = attendances_.find(tournament);
    return found != attendances_.end() && found->second.withdrawn.contains(bot);
}

}  // namespace referee::cli
