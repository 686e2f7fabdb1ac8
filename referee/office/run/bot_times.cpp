#include "referee/office/run/bot_times.h"

namespace referee::run {

void BotTimes::game_began(const std::vector<std::string>& bots, Instant now) {
    for (const auto& bot : bots) {
        if (limits_.contains(bot)) spans_.try_emplace(bot, Span{now, now});
    }
}

void BotTimes::game_ended(const GameResult& game, Instant now) {
    for (std::size_t seat = 0; seat < game.bots.size(); ++seat) {
        const auto limit = limits_.find(game.bots[seat]);
        if (limit == limits_.end()) continue;
        if (const auto span = spans_.find(limit->first); span != spans_.end())
            span->second.ended = now;
        if (counts(game.status) && seat < game.used_us.size())
            limit->second.used += std::chrono::microseconds(game.used_us[seat]);
    }
}

bool BotTimes::is_over(const std::string& bot, Instant now) const {
    const auto found = limits_.find(bot);
    if (found == limits_.end()) return false;
    const auto& limit = found->second;
    if (limit.used >= limit.its_own) return true;
    const auto span = spans_.find(bot);
    return span != spans_.end() && now - span->second.begun >= limit.in_all;
}

std::vector<std::string> BotTimes::over(Instant now) const {
    std::vector<std::string> found;
    for (const auto& [bot, limit] : limits_) {
        if (is_over(bot, now)) found.push_back(bot);
    }
    return found;
}

std::map<std::string, Duration> BotTimes::spans() const {
    std::map<std::string, Duration> found;
    for (const auto& [bot, span] : spans_) found.emplace(bot, span.ended - span.begun);
    return found;
}

}  // namespace referee::run
