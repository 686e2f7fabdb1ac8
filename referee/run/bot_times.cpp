#include "referee/run/bot_times.h"

#include <algorithm>

namespace referee::run {

bool ended_unanswered(const GameResult& game, const std::string& bot) {
    const auto is_its_own = [&](const Fault& fault) { return game.bots[fault.seat] == bot; };
    const auto last = std::find_if(game.faults.rbegin(), game.faults.rend(), is_its_own);
    if (last == game.faults.rend()) return false;
    const bool of_time = last->code == FaultCode::late || last->code == FaultCode::hung ||
                         last->code == FaultCode::over_budget;
    // The others may have had their turns behind it.
    const auto turns_behind = game.turns - last->turn;
    return of_time && !last->evidence.received_us &&
           turns_behind < static_cast<std::int64_t>(game.bots.size());
}

void BotTimes::game_began(const std::vector<std::string>& bots, Instant now) {
    for (const auto& bot : bots) {
        if (limits_.contains(bot)) playing_[bot] = now;
    }
}

void BotTimes::game_ended(const GameResult& game, Instant now) {
    for (std::size_t seat = 0; seat < game.bots.size(); ++seat) {
        const auto limit = limits_.find(game.bots[seat]);
        if (limit == limits_.end()) continue;
        if (const auto since = playing_.find(limit->first); since != playing_.end()) {
            spans_[limit->first] += now - since->second;
            playing_.erase(since);
        }
        if (counts(game.status) && seat < game.used_us.size())
            limit->second.used += std::chrono::microseconds(game.used_us[seat]);
    }
}

bool BotTimes::is_over(const std::string& bot, Instant now) const {
    const auto found = limits_.find(bot);
    if (found == limits_.end()) return false;
    const auto& limit = found->second;
    const auto before = spans_.find(bot);
    const auto since = playing_.find(bot);
    const auto in_all = (before == spans_.end() ? Duration::zero() : before->second) +
                        (since == playing_.end() ? Duration::zero() : now - since->second);
    return limit.used >= limit.its_own || in_all >= limit.in_all;
}

std::vector<std::string> BotTimes::over(Instant now) const {
    std::vector<std::string> found;
    for (const auto& [bot, limit] : limits_) {
        if (is_over(bot, now)) found.push_back(bot);
    }
    return found;
}

}  // namespace referee::run
