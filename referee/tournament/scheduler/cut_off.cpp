#include "referee/tournament/scheduler/contest.h"

// Plays that came to no end.

namespace referee::scheduler {

std::vector<GamePlan> Contest::cut_off() const {
    std::vector<GamePlan> plans;
    for (const auto& [key, plan] : matches_.in_play()) plans.push_back(plan);
    return plans;
}

records::GameRecord Contest::interrupted(const GamePlan& plan, const std::string& reason) const {
    records::GameRecord game;
    game.result.key = plan.key;
    game.result.game = config_.game;
    game.result.params = config_.setups[plan.setup];
    game.result.seed = plan.seed;
    for (const auto entrant : plan.entrants) game.result.bots.push_back(name(entrant));
    game.result.status = GameStatus::interrupted;
    game.result.reason = reason;
    game.result.clock_kind = clock::name_in_results(config_.clock);
    game.result.measure = clock::name_of(config_.clock.measure);
    game.result.used_us.assign(plan.entrants.size(), 0);
    return game;
}

}  // namespace referee::scheduler
