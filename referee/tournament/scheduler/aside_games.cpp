#include "referee/tournament/scheduler/aside_games.h"

#include <algorithm>

#include "referee/tournament/scheduler/tables.h"

namespace referee::scheduler {
namespace {

// A machine must have been calm for a while. In that time it is looked at this many times.
constexpr int calm_looks = 10;

}  // namespace

bool AsideGames::has(const contests::GamePlan& plan) {
    return plan.try_alone > 0 && std::ranges::none_of(plan.entrants, [&](const auto entrant) {
               return contest_.plays_no_more(entrant, plan.round) ||
                      (contest_.withdrawn(entrant) && !field_.bot(entrant).connected());
           });
}

bool AsideGames::is_given_up(const contests::GamePlan& plan) const {
    return !settings_.stays && plan.try_alone > tries_alone_max;
}

void AsideGames::note() {
    if (contest_.matches().aside().empty()) return;
    for (const auto& plan : contest_.waiting()) {
        if (!has(plan) || is_given_up(plan)) continue;
        const auto rest = doubled(rest_before_try, plan.try_alone, rest_before_try_max);
        tries_at_.emplace(plan.key, context_.timers.now() + rest);
    }
}

bool AsideGames::is_calm() const {
    const auto now = context_.timers.now();
    const auto rest = rest_before_try;
    const auto lost = context_.stalls.stalled(loop::StallsOf::process, now - rest, now);
    return static_cast<double>(lost.count()) <= calm_share * static_cast<double>(rest.count());
}

bool AsideGames::may_try(const contests::GamePlan& plan) {
    if (is_given_up(plan)) return false;
    const auto now = context_.timers.now();
    const auto at = tries_at_.at(plan.key);
    const auto at_last = at + unrest_waited_max;
    if (now < at) {
        looks_.wake_by(at);
        return false;
    }
    if (!tables_.empty()) {
        if (now < at_last) looks_.wake_by(at_last);
        return false;
    }
    if (now < at_last && !is_calm()) {
        looks_.wake_by(now + rest_before_try / calm_looks);
        return false;
    }
    return true;
}

// Whether all its bots are here, or on their way.
bool AsideGames::can_be_played(const contests::GamePlan& plan) {
    return std::ranges::all_of(plan.entrants, [&](const auto entrant) {
        auto& bot = field_.bot(entrant);
        if (bot.connected()) return bot.plays(contest_.config().game);
        context_.supply.want(bot);
        const auto coming = context_.supply.coming(bot);
        return coming.until.has_value() && !coming.failing;
    });
}

bool AsideGames::hold_others_back() {
    if (contest_.matches().aside().empty()) return false;
    const auto now = context_.timers.now();
    const auto& waiting = contest_.waiting();
    return std::ranges::any_of(waiting, [&](const auto& plan) {
        if (!has(plan) || is_given_up(plan)) return false;
        const auto at = tries_at_.find(plan.key);
        return at != tries_at_.end() && now >= at->second + unrest_waited_max &&
               can_be_played(plan);
    });
}

bool AsideGames::hopeless() {
    const auto& waiting = contest_.waiting();
    return !waiting.empty() && contest_.state() == records::TournamentState::running &&
           std::ranges::all_of(waiting,
                               [&](const auto& plan) { return has(plan) && is_given_up(plan); });
}

void AsideGames::add_waits(std::vector<Wait>& found) {
    for (const auto& plan : contest_.waiting()) {
        const auto aside = contest_.matches().aside().find({plan.key.match, plan.key.number});
        if (!has(plan) || aside == contest_.matches().aside().end()) continue;
        Wait wait{.kind = Wait::Kind::for_calm,
                  .tournament = contest_.config().id,
                  .game = game_id(plan.key),
                  .count = aside->second.annulled,
                  .detail = aside->second.why};
        for (const auto entrant : plan.entrants) wait.bots.push_back(contest_.name(entrant));
        const auto at = tries_at_.find(plan.key);
        if (at != tries_at_.end()) {
            const bool over = context_.timers.now() >= at->second;
            wait.until = over ? at->second + unrest_waited_max : at->second;
        }
        found.push_back(std::move(wait));
    }
}

}  // namespace referee::scheduler
