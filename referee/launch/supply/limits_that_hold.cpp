#include "referee/launch/supply/limits_that_hold.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>

#include "referee/launch/supply/bot_limits.h"

namespace referee::supply {
namespace {

using sandbox::Tier;

std::uint64_t number_in(const char* file) {
    std::uint64_t number = 0;
    std::ifstream(file) >> number;
    return number;
}

std::string in_mb(std::uint64_t number) {
    return std::to_string(number) + " MB";
}

// The bots of which it is true, as "ann", "bob"; empty where there are none.
std::string names_where(const config::Config& config,
                        const std::function<bool(const config::BotConfig&)>& is_so) {
    std::string names;
    for (const auto& bot : config.bots) {
        if (bot.launched() && is_so(bot))
            names += std::string(names.empty() ? "" : ", ") + "\"" + bot.name + "\"";
    }
    return names;
}

}  // namespace

LimitingMachine this_machine() {
    LimitingMachine machine;
    struct sysinfo found = {};
    if (::sysinfo(&found) == 0)
        machine.memory_bytes = std::uint64_t{found.totalram} * found.mem_unit;
    const auto ids = number_in("/proc/sys/kernel/pid_max");
    const auto threads = number_in("/proc/sys/kernel/threads-max");
    machine.processes = std::min(ids, threads);
    return machine;
}

Holding holding_of(const process::Launcher& launcher) {
    const auto tier = launcher.sandbox().tier;
    const bool own_users = ::geteuid() == 0;
    return {tier, tier >= Tier::b || own_users || launcher.holds_process_limit()};
}

std::vector<std::string> remarks_on_limits(const config::Config& config, const Holding& holding,
                                           const LimitingMachine& machine) {
    std::vector<std::string> remarks;
    const auto remark = [&remarks](const std::string& names, const std::string& text) {
        if (!names.empty()) remarks.push_back(text + ": " + names);
    };
    if (holding.tier == Tier::none) return remarks;
    const auto all = [](const auto& /*bot*/) { return true; };
    const auto memory_here = machine.memory_bytes / bytes_a_mb;
    if (memory_here > 0) {
        remark(
            names_where(config, [&](const auto& bot) { return memory_mb_of(bot) >= memory_here; }),
            "the machine has " + in_mb(memory_here) +
                " of memory, and these bots may have as much or more: when memory runs out, the "
                "kernel kills a bot, and perhaps another one than took it; expected a "
                "\"memory_mb\" below " +
                in_mb(memory_here));
        remark(names_where(config,
                           [&](const auto& bot) {
                               return holding.tier >= Tier::b && disk_mb_of(bot) > memory_here / 2;
                           }),
               "what a bot keeps in /tmp is memory, of which the machine has " +
                   in_mb(memory_here) +
                   ", and these bots may keep more than half of it there; expected a \"disk_mb\" "
                   "of at most " +
                   in_mb(memory_here / 2));
    }
    remark(
        names_where(config,
                    [&](const auto& bot) {
                        return holding.tier == Tier::a && disk_mb_of(bot) >= memory_mb_of(bot);
                    }),
        "what a bot keeps in /tmp counts as its memory, so these bots are ended by \"memory_mb\" "
        "before they have \"disk_mb\" there; expected a \"memory_mb\" that is larger than "
        "\"disk_mb\"");
    if (machine.processes > 0) {
        remark(
            names_where(config,
                        [&](const auto& bot) { return processes_of(bot) > machine.processes; }),
            "the kernel makes at most " + std::to_string(machine.processes) +
                " processes and threads in all, and these bots may have more, so one of them can "
                "take them all; expected fewer \"processes\"");
    }
    if (!holding.processes) {
        remark(
            names_where(config, all),
            "nothing bounds how many processes these bots make: in tier C an ordinary user's bots "
            "have the referee's own user, so the kernel can't count them apart, and "
            "\"processes\" is not held; expected a better tier, or a referee that runs as root, "
            "where each bot has a user of its own");
    }
    return remarks;
}

}  // namespace referee::supply
