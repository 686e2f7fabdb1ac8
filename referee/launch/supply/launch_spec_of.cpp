#include "referee/launch/supply/launch_spec_of.h"

#include <charconv>

#include "referee/launch/supply/bot_limits.h"
#include "referee/launch/supply/visible_files.h"

namespace referee::supply {
namespace {

using sandbox::SandboxAllowance;

// The config knows nothing of the sandbox, so it has these numbers a second time.
static_assert(config::memory_mb_least * bytes_a_mb == SandboxAllowance::memory_bytes_min);
static_assert(config::disk_mb_least * bytes_a_mb == SandboxAllowance::disk_bytes_min);
static_assert(config::processes_least == SandboxAllowance::processes_min);

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

}  // namespace

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

}  // namespace referee::supply
