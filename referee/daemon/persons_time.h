#pragma once

#include "referee/net/lobby/bot.h"

namespace referee::daemon {

// What a game is told of a person's time: a person thinks without a processor. So the games that
// have a rule of time of their own (Light Cycles' mean, Superball's pace) leave a person alone,
// where the clock measures processor time.
class PersonsTime final : public lobby::Process {
 public:
    std::optional<Duration> cpu_time() override { return Duration::zero(); }
    std::string_view cpu_means() const override { return "a person at the terminal"; }
    void begin_turn() override {}
    Duration core_wait_min(Duration /*wall*/) override { return Duration::zero(); }
    Duration core_wait_max(Duration /*wall*/) override { return Duration::zero(); }
    bool freeze() override { return true; }
    void thaw() override {}
    std::optional<bool> freezes_between_turns() const override { return false; }
    std::optional<Exit> exited() const override { return std::nullopt; }
    LaunchedProgram program() const override { return {}; }
};

}  // namespace referee::daemon
