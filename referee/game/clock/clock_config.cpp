#include "referee/game/clock/clock_config.h"

namespace referee::clock {

std::string_view name_in_results(const ClockConfig& config) {
    return config.kind == ClockKind::none ? name_of(config.measure) : name_of(config.kind);
}

ClockConfig default_clock(const engines::GameInfo& game) {
    ClockConfig config;
    config.kind = game.clock.kind;
    config.measure = game.clock.measure;
    config.budget = from_us(game.clock.budget_us);
    config.hard_limit = from_us(game.clock.hard_limit_us);
    config.waits_for_late = game.clock.waits_for_late;
    if (game.clock.hung_after_us > 0) config.hung_after = from_us(game.clock.hung_after_us);
    return completed(config);
}

ClockConfig completed(ClockConfig config) {
    if (config.hard_limit > Duration::zero()) return config;
    if (config.budget == Duration::zero()) {
        config.hard_limit = hard_limit_default;
    } else if (config.measure == Measure::cpu) {
        config.hard_limit = wall_backstop(config.budget);
    } else {
        config.hard_limit = config.kind == ClockKind::none ? hard_limit_default : config.budget;
    }
    return config;
}

std::vector<std::string> mistakes(const ClockConfig& config) {
    std::vector<std::string> found;
    const bool needs_budget = config.kind != ClockKind::none;
    if (config.budget < Duration::zero() || (needs_budget && config.budget == Duration::zero())) {
        found.emplace_back("budget: expected a time above zero, such as \"1s\" or \"50ms\"");
    }
    if (config.increment < Duration::zero()) {
        found.emplace_back("increment: expected zero or more, such as \"100ms\"");
    }
    if (config.increment > Duration::zero() && config.kind != ClockKind::game) {
        found.emplace_back("increment: only a clock of kind \"game\" has one");
    }
    if (config.hard_limit < Duration::zero()) {
        found.emplace_back("hard_limit: expected a time above zero, such as \"10s\"");
    }
    if (config.kind == ClockKind::turn && config.hard_limit > Duration::zero() &&
        config.hard_limit < config.budget) {
        found.emplace_back(
            "hard_limit: expected no less than the turn's budget, which could never be used up");
    }
    if (config.waits_for_late && config.kind != ClockKind::turn) {
        found.emplace_back(
            "waits_for_late: only a clock of kind \"turn\" can wait for late answers");
    }
    if (config.waits_for_late && config.hung_after <= Duration::zero()) {
        found.emplace_back("hung_after: expected a time above zero, such as \"60s\"");
    }
    if (config.allowance_max < Duration::zero()) {
        found.emplace_back("allowance_max: expected zero or more, such as \"250ms\"");
    }
    if (config.jitter_max.value_or(Duration::zero()) < Duration::zero()) {
        found.emplace_back("jitter_max: expected zero or more, such as \"25ms\"");
    }
    return found;
}

}  // namespace referee::clock
