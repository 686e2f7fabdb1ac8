#include "referee/launch/supply/foresee_launch.h"

#include <unistd.h>

#include <cerrno>

#include "referee/launch/process/launch_error.h"
#include "referee/launch/supply/command_files.h"
#include "referee/launch/supply/launch_spec_of.h"
#include "referee/launch/supply/student_program.h"
#include "referee/launch/supply/visible_files.h"

namespace referee::supply {
namespace {

std::string given(const HiddenFile& hidden) {
    return "give it \"reads\": [\"" + hidden.reads + "\"]";
}

}  // namespace

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
