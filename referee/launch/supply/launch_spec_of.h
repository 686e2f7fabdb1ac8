#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/launch/process/launch_spec.h"
#include "referee/launch/process/launcher.h"
#include "referee/launch/sandbox/tier.h"

// What is asked of the sandbox of launched bots, and what is said of the one that a machine gives.

namespace referee::supply {

// What `serve` asks for where the config says nothing: students' programs come to it. No other
// command asks for any.
inline constexpr sandbox::Tier tier_min_of_serve = sandbox::Tier::b;

struct SandboxTerms {
    bool sandboxed = true;  // false: --unsandboxed, bots run as other programs do
    // Below it no bot is launched.
    sandbox::Tier tier_min = sandbox::Tier::none;
    // Who asks for tier_min: "\"sandbox\": {\"min_tier\": \"B\"} in the config", "referee serve".
    std::string asked_by;
};

// For a command that asks for `tier_min` where the config says nothing. An error says that config
// and command line contradict each other, and which of both to drop.
base::Result<SandboxTerms, std::string> terms_of(const config::Config& config, bool unsandboxed,
                                                 sandbox::Tier tier_min);

// An error says why no bot may be launched under these terms on a machine that offers this sandbox:
// what was found there, and what helps. `as_root`: whether the referee runs as root.
base::Result<void, std::string> accept(const SandboxTerms& terms, const sandbox::Offer& offer,
                                       bool as_root);

// In which sandbox bots run, in one line; where it isn't the best one, why, and how to get a better
// one.
std::string describe(const SandboxTerms& terms, const sandbox::Offer& offer);
// Whether that line must not be overlooked: bots see each other's files.
bool worth_a_warning(const SandboxTerms& terms, const sandbox::Offer& offer);

// A launcher, with whatever sandbox the machine gives, or why there is none.
base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, bool sandboxed);
// A launcher that is good enough for these terms, or why there is none.
base::Result<std::unique_ptr<process::Launcher>, std::string> open_launcher(
    const boost::asio::any_io_executor& executor, const SandboxTerms& terms);

inline constexpr std::uint64_t bytes_a_mb = 1024 * 1024;

// Its limits in the sandbox: the config's, or the defaults.
std::uint64_t memory_mb_of(const config::BotConfig& bot);
std::uint64_t disk_mb_of(const config::BotConfig& bot);
std::uint64_t processes_of(const config::BotConfig& bot);

// What limits are measured against; 0: not known.
struct LimitingMachine {
    std::uint64_t memory_bytes = 0;
    std::uint64_t processes = 0;  // and threads, that the kernel makes at most
};
LimitingMachine this_machine();

// What holds the limits here.
struct Holding {
    sandbox::Tier tier = sandbox::Tier::none;
    bool processes = false;  // whether anything bounds how many a bot makes
};

Holding holding_of(const process::Launcher& launcher);

// Of each limit that can't hold: what was found, what it means, what to do.
std::vector<std::string> remarks_on_limits(const config::Config& config, const Holding& holding,
                                           const LimitingMachine& machine);

// What a launch depends on beside the bot's config.
struct LaunchPlace {
    std::string token;        // what it logs in with
    std::string address;      // where the referee listens, for a bot that dials in
    std::string search_path;  // where programs without a slash are looked for
    // The sandbox that it runs in; none: with the rights of the referee's own user.
    sandbox::Tier tier = sandbox::Tier::none;
};

// How the launcher starts a bot of the config.
process::LaunchSpec launch_spec_of(const config::BotConfig& bot, const LaunchPlace& place);

// An error says how the launch of this bot in such a sandbox would fail as things are now, as far
// as that can be seen without launching it; or what its command needs and would not see there.
base::Result<void, process::LaunchError> foresee_launch(const config::BotConfig& bot,
                                                        const std::string& search_path,
                                                        sandbox::Tier tier);

// Of a bot whose process ended before its login in the sandbox: what its command needs and does not
// see there, so that it may well start outside; with what helps. Empty: nothing, or what its author
// has linked to, which is its own matter.
std::string unseen_in_sandbox(const config::BotConfig& bot, const std::string& search_path);

}  // namespace referee::supply
