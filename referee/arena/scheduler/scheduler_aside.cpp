#include <algorithm>
#include <utility>

#include "referee/arena/scheduler/scheduler.h"
#include "referee/limits.h"

// Games that were annulled again and again: they are set aside, and tried again alone.

namespace referee::scheduler {
namespace {

using journal::TournamentState;

// How often a machine that is not calm is looked at in the time that it must have been.
constexpr int calm_looks = 10;

Duration rest_before(unsigned try_alone) {
    auto rest = limits::rest_before_try;
    for (unsigned i = 1; i < try_alone && rest < limits::rest_before_try_max; ++i) rest *= 2;
    return std::min(rest, limits::rest_before_try_max);
}

}  // namespace

bool Scheduler::plays_alone() const {
    return std::any_of(tables_.begin(), tables_.end(),
                       [](const auto& table) { return table.second.plan.try_alone > 0; });
}

// A game that somebody is to forfeit is not played: nothing can disturb it.
bool Scheduler::is_set_aside(Slot& slot, const GamePlan& plan) {
    const auto& contest = *slot.contest;
    return plan.try_alone > 0 &&
           std::none_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
               return contest.plays_no_more(entrant, plan.round) ||
                      (contest.withdrawn(entrant) && !bot_of(slot, entrant).connected());
           });
}

bool Scheduler::is_given_up(const GamePlan& plan) const {
    return !settings_.stays && plan.try_alone > limits::tries_alone_max;
}

// The rest before the next try of each game that was set aside begins as soon as it is.
void Scheduler::note_tries(Slot& slot) {
    for (const auto& plan : slot.contest->waiting()) {
        if (!is_set_aside(slot, plan) || is_given_up(plan)) continue;
        const auto at = with_.timers.now() + rest_before(plan.try_alone);
        slot.tries_alone_at.emplace(plan.key, at);
    }
}

bool Scheduler::is_calm() const {
    const auto now = with_.timers.now();
    const auto rest = limits::rest_before_try;
    const auto lost = with_.stalls.stalled(runtime::StallsOf::process, now - rest, now);
    return static_cast<double>(lost.count()) <=
           limits::calm_share * static_cast<double>(rest.count());
}

// When nothing else is played and the machine is calm, as far as the watch sees.
bool Scheduler::may_try_alone(const Slot& slot, const GamePlan& plan) {
    if (is_given_up(plan)) return false;
    const auto now = with_.timers.now();
    const auto at = slot.tries_alone_at.at(plan.key);
    const auto at_last = at + limits::unrest_waited_max;
    if (now < at) {
        pump_later(at);
        return false;
    }
    if (!tables_.empty()) {
        if (now < at_last) pump_later(at_last);
        return false;
    }
    if (now < at_last && !is_calm()) {
        pump_later(now + limits::rest_before_try / calm_looks);
        return false;
    }
    return true;
}

// Its bots are here, or on their way.
bool Scheduler::can_be_played(Slot& slot, const GamePlan& plan) {
    return std::all_of(plan.entrants.begin(), plan.entrants.end(), [&](const auto entrant) {
        auto& bot = bot_of(slot, entrant);
        if (bot.connected()) return bot.plays(slot.contest->config().game);
        with_.supply.want(bot);
        const auto coming = with_.supply.coming(bot);
        return coming.until.has_value() && !coming.failing;
    });
}

// A game was waited with for so long that no other begins before it: where there is always
// something to play nothing would ever be alone.
bool Scheduler::holds_others_back() {
    const auto now = with_.timers.now();
    for (const auto& slot : slots_) {
        if (slot->contest->state() != TournamentState::running || slot->preparing) continue;
        for (const auto& plan : slot->contest->waiting()) {
            if (!is_set_aside(*slot, plan) || is_given_up(plan)) continue;
            const auto at = slot->tries_alone_at.find(plan.key);
            if (at != slot->tries_alone_at.end() && now >= at->second + limits::unrest_waited_max &&
                can_be_played(*slot, plan))
                return true;
        }
    }
    return false;
}

// Nothing is left of it but games that were tried alone often enough.
bool Scheduler::hopeless(Slot& slot) {
    const auto& contest = *slot.contest;
    const auto& waiting = contest.waiting();
    return !slot.preparing && !waiting.empty() && contest.state() == TournamentState::running &&
           std::all_of(waiting.begin(), waiting.end(), [&](const auto& plan) {
               return is_set_aside(slot, plan) && is_given_up(plan);
           });
}

void Scheduler::add_asides(Slot& slot, std::vector<Waiting>& found) {
    const auto& contest = *slot.contest;
    for (const auto& plan : contest.waiting()) {
        const auto aside = contest.aside().find({plan.key.match, plan.key.number});
        if (!is_set_aside(slot, plan) || aside == contest.aside().end()) continue;
        Waiting wait{.kind = Waiting::Kind::for_calm,
                     .tournament = contest.config().id,
                     .game = game_id(plan.key),
                     .count = aside->second.annulled,
                     .detail = aside->second.why};
        for (const auto entrant : plan.entrants) wait.bots.push_back(contest.name(entrant));
        const auto at = slot.tries_alone_at.find(plan.key);
        if (at != slot.tries_alone_at.end()) {
            const bool over = with_.timers.now() >= at->second;
            wait.until = over ? at->second + limits::unrest_waited_max : at->second;
        }
        found.push_back(std::move(wait));
    }
}

}  // namespace referee::scheduler
