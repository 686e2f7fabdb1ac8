#include "referee/launch/supply/launch_spec_of.h"

#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <functional>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/program/program.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/visible_files.h"

namespace referee::supply {
namespace {

using sandbox::Offer;
using sandbox::Tier;

static_assert(static_cast<Tier>(config::SandboxTier::none) == Tier::none);
static_assert(static_cast<Tier>(config::SandboxTier::c) == Tier::c);
static_assert(static_cast<Tier>(config::SandboxTier::b) == Tier::b);
static_assert(static_cast<Tier>(config::SandboxTier::a) == Tier::a);

// From this tier on a bot sees nothing of others.
constexpr Tier tier_apart = Tier::b;

// "; not A: bubblewrap is not installed (install it: apt install bubblewrap)"
std::string passed_over(const Offer& offer) {
    std::string text;
    for (const auto& better : offer.passed_over) {
        text += "; not tier " + std::string(name_of(better.tier)) + ": " + better.found;
        if (!better.advice.empty()) text += " (" + better.advice + ")";
    }
    return text;
}

std::string tier_text(Tier tier) {
    return "tier " + std::string(name_of(tier));
}

}  // namespace

base::Result<SandboxTerms, std::string> terms_of(const config::Config& config, bool unsandboxed,
                                                 Tier tier_min) {
    SandboxTerms terms;
    terms.sandboxed = !unsandboxed;
    const auto named = config.min_tier ? static_cast<Tier>(*config.min_tier) : Tier::none;
    const auto member =
        "\"sandbox\": {\"min_tier\": \"" + std::string(name_of(named)) + "\"} in the config";
    if (unsandboxed && named > Tier::none) {
        return base::failure("--unsandboxed launches bots without any sandbox, and " + member +
                             " asks for one: expected one of both; leave out --unsandboxed, or say "
                             "\"min_tier\": \"none\"");
    }
    if (unsandboxed) return terms;
    terms.tier_min = config.min_tier ? named : tier_min;
    terms.asked_by = config.min_tier ? member : "referee serve";
    return terms;
}

base::Result<void, std::string> accept(const SandboxTerms& terms, const Offer& offer,
                                       bool as_root) {
    if (!terms.sandboxed) return {};
    if (offer.tier < terms.tier_min) {
        return base::failure(
            "launched bots would run in " +
            (offer.tier == Tier::none ? "no sandbox" : "the sandbox's " + tier_text(offer.tier)) +
            ", and " + terms.asked_by + " asks for " + tier_text(terms.tier_min) + " at least" +
            passed_over(offer) + ". To launch them all the same: \"sandbox\": {\"min_tier\": \"" +
            std::string(name_of(offer.tier)) + "\"} in the config");
    }
    if (as_root && offer.tier == Tier::none) {
        return base::failure(
            "launched bots would run as root without a sandbox: each could change the results, "
            "the other bots and the machine" +
            passed_over(offer) +
            ". Run the referee as an ordinary user, or, where you trust every bot as yourself, "
            "with --unsandboxed");
    }
    return {};
}

std::string describe(const SandboxTerms& terms, const Offer& offer) {
    const std::string means =
        ": each can read and change what the referee's user can, the results and the other bots "
        "too";
    if (!terms.sandboxed) return "bots run without a sandbox (--unsandboxed)" + means;
    if (offer.tier == Tier::none) return "bots run without a sandbox" + means + passed_over(offer);
    return "bots run in the sandbox, " + tier_text(offer.tier) + passed_over(offer);
}

bool worth_a_warning(const SandboxTerms& terms, const Offer& offer) {
    return !terms.sandboxed || offer.tier < tier_apart;
}

base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, bool sandboxed) {
    process::LauncherOptions options;
    options.search_path = process::program_search_path();
    options.sandbox = sandboxed;
    options.version_of = [](const std::string& program) {
        const auto line = program::version_line(program);
        return line && *line ? base::visible_line(**line) : std::string();
    };
    auto created = process::Launcher::create(executor, std::move(options));
    if (!created) return base::failure(std::move(created.error().message));
    return *std::move(created);
}

base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, const SandboxTerms& terms) {
    auto opened = open_launcher(executor, terms.sandboxed);
    if (!opened) return opened;
    if (auto good = accept(terms, (*opened)->sandbox(), ::geteuid() == 0); !good)
        return base::failure(std::move(good.error()));
    return opened;
}

std::uint64_t memory_mb_of(const config::BotConfig& bot) {
    return bot.memory_mb_max > 0 ? bot.memory_mb_max
                                 : sandbox::SandboxAllowance::memory_bytes_default / bytes_a_mb;
}

std::uint64_t disk_mb_of(const config::BotConfig& bot) {
    return bot.disk_mb_max > 0 ? bot.disk_mb_max
                               : sandbox::SandboxAllowance::disk_bytes_default / bytes_a_mb;
}

std::uint64_t processes_of(const config::BotConfig& bot) {
    return bot.processes_max > 0 ? bot.processes_max
                                 : std::uint64_t{sandbox::SandboxAllowance::processes_default};
}

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
            names += (names.empty() ? "" : ", ") + base::quoted(bot.name);
    }
    return names;
}

using sandbox::SandboxAllowance;

SandboxAllowance allowance_of(const config::BotConfig& bot, const std::string& search_path) {
    SandboxAllowance allowance;
    allowance.memory_bytes = memory_mb_of(bot) * bytes_a_mb;
    allowance.disk_bytes = disk_mb_of(bot) * bytes_a_mb;
    allowance.processes = processes_of(bot);
    allowance.reads = visible_files(bot, search_path).reads;
    return allowance;
}

// Of "0.0.0.0:7777" the 7777; of nothing, nothing.
std::string port_text(const std::string& address) {
    const auto colon = address.rfind(':');
    return colon == std::string::npos ? std::string() : address.substr(colon + 1);
}

std::uint16_t port_of(const std::string& address) {
    std::uint16_t port = 0;
    const auto text = port_text(address);
    std::from_chars(text.data(), text.data() + text.size(), port);
    return port;
}

// With namespaces a bot has a network of its own, in which the referee's port is at this address.
std::string address_inside(const std::string& address) {
    return "127.0.0.1:" + port_text(address);
}

std::string given(const HiddenFile& hidden) {
    return "give it \"reads\": [\"" + hidden.reads + "\"]";
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
        remark(names_where(config,
                           [&](const auto& bot) { return processes_of(bot) > machine.processes; }),
               fmt::format(
                   "the kernel makes at most {} processes and threads in all, and these bots may "
                   "have more, so one of them can take them all; expected fewer \"processes\"",
                   machine.processes));
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

process::LaunchSpec launch_spec_of(const config::BotConfig& bot, const LaunchPlace& place) {
    const bool namespaces = place.tier >= sandbox::Tier::b;
    process::LaunchSpec spec;
    spec.command = bot.launch;
    spec.working_directory = bot.directory;
    spec.environment = bot.environment;
    spec.environment.emplace_back("REFEREE_NAME", bot.name);
    spec.environment.emplace_back("REFEREE_TOKEN", place.token);
    if (bot.speaks == config::Speaks::tcp) {
        spec.environment.emplace_back("REFEREE_ADDRESS",
                                      namespaces ? address_inside(place.address) : place.address);
        spec.stdio = process::Stdio::dial_in;
        spec.dial_in_port = port_of(place.address);
    }
    if (bot.standard_output == config::StandardOutput::pipe) spec.output = process::Output::pipe;
    if (place.tier > sandbox::Tier::none) {
        spec.sandbox = allowance_of(bot, place.search_path);
        spec.path = path_inside(bot, place.search_path);
    } else if (bot.memory_mb_max > 0) {
        spec.limits.address_space_bytes = bot.memory_mb_max * bytes_a_mb;
    }
    return spec;
}

base::Result<void, process::LaunchError> foresee_launch(const config::BotConfig& bot,
                                                        const std::string& search_path,
                                                        sandbox::Tier tier) {
    using Kind = process::LaunchError::Kind;
    const auto spec = launch_spec_of(bot, {{}, {}, search_path, tier});
    if (auto mistake = mistake_in_program(bot, search_path); !mistake.empty())
        return base::failure(process::LaunchError{Kind::not_found, std::move(mistake), ENOENT});
    if (auto foreseen = process::foresee_launch(spec, search_path); !foreseen) return foreseen;
    if (auto mistake = mistake_in_files(bot, search_path); !mistake.empty())
        return base::failure(process::LaunchError{Kind::not_found, std::move(mistake), ENOENT});
    if (tier == sandbox::Tier::none) return {};
    if (::geteuid() == 0) {
        if (auto closed = closed_to_its_user(bot, search_path, tier); !closed.empty())
            return base::failure(
                process::LaunchError{Kind::not_executable, std::move(closed), EACCES});
    }
    const auto hidden = hidden_file(bot, search_path);
    if (!hidden) return {};
    const auto cure = hidden->reads.empty()
                          ? std::string(
                                "no link is followed out of a bot's folder; look at what it "
                                "leads to, and put a copy there if the bot may have it")
                          : given(*hidden);
    return base::failure(
        process::LaunchError{Kind::interpreter_missing,
                             "would not see " + hidden->what + " in the sandbox; " + cure, ENOENT});
}

std::string unseen_in_sandbox(const config::BotConfig& bot, const std::string& search_path) {
    const auto hidden = hidden_file(bot, search_path);
    if (!hidden || hidden->reads.empty()) return {};
    return "the sandbox does not show it " + hidden->what + "; " + given(*hidden) +
           " in the config (for a single game or grade: --reads)";
}

}  // namespace referee::supply
