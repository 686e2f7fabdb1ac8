#include "referee/launch/supply/launch_spec_of.h"

#include <unistd.h>

#include "protocol/base/text.h"
#include "referee/launch/supply/command_files.h"

namespace referee::supply {
namespace {

std::string given(const HiddenFile& hidden) {
    return "give it \"reads\": [\"" + hidden.reads + "\"]";
}

}  // namespace

process::LaunchSpec launch_spec_of(const config::BotConfig& bot, const LaunchPlace& place) {
    process::LaunchSpec spec;
    spec.command = bot.launch;
    spec.working_directory = bot.directory;
    spec.environment = bot.environment;
    spec.environment.emplace_back("REFEREE_NAME", bot.name);
    spec.environment.emplace_back("REFEREE_TOKEN", place.token);
    if (bot.speaks == config::Speaks::tcp) {
        const auto port = place.address.substr(place.address.rfind(':') + 1);
        // With namespaces it has a network of its own, in which the referee's port is there.
        spec.environment.emplace_back("REFEREE_ADDRESS", place.tier >= sandbox::Tier::b
                                                             ? "127.0.0.1:" + port
                                                             : place.address);
        spec.speaks = process::Speaks::tcp;
        spec.dial_in_port = base::whole_number<std::uint16_t>(port).value_or(0);
    }
    spec.output = bot.standard_output;
    if (place.tier > sandbox::Tier::none) {
        spec.sandbox = {memory_mb_of(bot) * bytes_a_mb, disk_mb_of(bot) * bytes_a_mb,
                        visible_files({bot, place.search_path}).reads};
        spec.limits.processes = processes_of(bot);
        spec.path = path_inside({bot, place.search_path});
    } else if (bot.memory_mb_max > 0) {
        spec.limits.address_space_bytes = bot.memory_mb_max * bytes_a_mb;
    }
    return spec;
}

base::Result<void, process::LaunchError> foresee_launch_of(const config::BotConfig& bot,
                                                           const std::string& search_path,
                                                           sandbox::Tier tier) {
    using Kind = process::LaunchError::Kind;
    const auto spec = launch_spec_of(bot, {{}, {}, search_path, tier});
    const BotCommand command(bot, search_path);
    if (auto mistake = mistake_in_program(command); !mistake.empty())
        return base::failure(process::LaunchError{Kind::not_found, std::move(mistake)});
    if (auto foreseen = process::foresee_launch(spec, search_path); !foreseen) return foreseen;
    if (auto mistake = mistake_in_files(command); !mistake.empty())
        return base::failure(process::LaunchError{Kind::not_found, std::move(mistake)});
    if (tier == sandbox::Tier::none) return {};
    if (::geteuid() == 0) {
        if (auto closed = closed_to_its_user(command, tier); !closed.empty())
            return base::failure(process::LaunchError{Kind::not_executable, std::move(closed)});
    }
    const auto hidden = hidden_file(command);
    if (!hidden) return {};
    const auto cure = hidden->reads.empty()
                          ? std::string(
                                "no link is followed out of a bot's folder; look at what it "
                                "leads to, and put a copy there if the bot may have it")
                          : given(*hidden);
    return base::failure(process::LaunchError{
        Kind::interpreter_missing, "would not see " + hidden->what + " in the sandbox; " + cure});
}

std::string unseen_in_sandbox(const config::BotConfig& bot, const std::string& search_path) {
    const auto hidden = hidden_file({bot, search_path});
    if (!hidden || hidden->reads.empty()) return {};
    return "the sandbox does not show it " + hidden->what + "; " + given(*hidden) +
           " in the config (for a single game or grade: --reads)";
}

}  // namespace referee::supply
