#include "referee/launch/supply/running_bot.h"

#include "referee/launch/supply/sandbox_hints.h"

namespace referee::supply {

std::optional<Duration> RunningBot::cpu_time() {
    const auto* its = launched();
    if (its == nullptr) return std::nullopt;
    return from_us(static_cast<std::int64_t>(its->process->cpu_time_us()));
}

std::string_view RunningBot::cpu_means() const {
    const auto* its = launched();
    return its == nullptr ? "no process" : process::name_of(its->process->accounting());
}

void RunningBot::begin_turn() {
    if (auto* its = launched()) its->process->begin_turn();
}

Duration RunningBot::core_wait_min(Duration wall) {
    auto* its = launched();
    return its == nullptr ? Duration::zero() : its->process->core_wait_min(wall);
}

std::optional<Duration> RunningBot::worked_in_turn() {
    auto* its = launched();
    return its == nullptr ? std::nullopt : its->process->worked_in_turn();
}

Duration RunningBot::core_wait_max(Duration wall) {
    auto* its = launched();
    return its == nullptr ? Duration::zero() : its->process->core_wait_max(wall);
}

bool RunningBot::freeze() {
    auto* its = launched();
    return its == nullptr || its->process->freeze() == 0;
}

void RunningBot::thaw() {
    if (auto* its = launched()) its->process->thaw();
}

std::optional<lobby::Process::Exit> RunningBot::exited() const {
    const auto* its = launched();
    const auto status = its == nullptr ? std::nullopt : its->process->exit_status();
    if (!status) return std::nullopt;
    Exit exit;
    if (status->how == process::ExitStatus::How::exited) exit.status = status->code;
    if (status->how == process::ExitStatus::How::signalled) exit.signal = status->code;
    exit.stderr_tail = its->process->error_tail();
    exit.hint = hint();
    return exit;
}

std::string RunningBot::met() const {
    const auto* its = launched();
    if (its == nullptr) return {};
    const auto now = its->process->limits_met();
    ProcessEnding met;
    met.out_of_memory = now.memory;
    met.out_of_processes = now.processes;
    met.stopped = now.stopped;
    return hint_of(config, its->process->tier(), met);
}

std::string RunningBot::hint() const {
    const auto* its = launched();
    if (its == nullptr) return {};
    if (!its->came() && !refused.empty()) return refused;
    if (!unseen.empty()) return unseen;
    const auto tail = its->process->error_tail();
    ProcessEnding ending{.printed = tail};
    if (const auto status = its->process->exit_status()) {
        const auto met = its->process->limits_met();
        ending.out_of_memory = met.memory;
        ending.out_of_processes = met.processes;
        ending.machine_out_of_memory = met.machine_memory;
        if (status->how == process::ExitStatus::How::signalled) ending.signal = status->code;
    }
    return hint_of(config, its->process->tier(), ending);
}

}  // namespace referee::supply
