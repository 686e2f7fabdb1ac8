#include "referee/bots/supply/launch_spec_of.h"

namespace referee::supply {
namespace {

constexpr std::uint64_t bytes_a_mb = 1024 * 1024;

}  // namespace

launcher::LaunchSpec launch_spec_of(const config::BotConfig& bot, const std::string& token,
                                    const std::string& address) {
    launcher::LaunchSpec spec;
    spec.command = bot.launch;
    spec.working_directory = bot.directory;
    spec.environment = bot.environment;
    spec.environment.emplace_back("REFEREE_NAME", bot.name);
    spec.environment.emplace_back("REFEREE_TOKEN", token);
    if (bot.speaks == config::Speaks::tcp) {
        spec.environment.emplace_back("REFEREE_ADDRESS", address);
        spec.stdio = launcher::Stdio::dial_in;
    }
    if (bot.standard_output == config::StandardOutput::pipe) spec.output = launcher::Output::pipe;
    if (bot.memory_mb_max > 0) spec.limits.address_space_bytes = bot.memory_mb_max * bytes_a_mb;
    return spec;
}

}  // namespace referee::supply
