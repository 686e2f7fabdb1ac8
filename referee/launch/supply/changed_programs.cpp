#include <utility>

#include "referee/launch/supply/launched_bots.h"

// Bots that are launched in another way, or not any more, while the referee runs: none of them is
// taken out of a match.

namespace referee::supply {

bool LaunchedBots::is_in_match(const RunningBot& running) {
    return running.mid_match || !running.place.places().empty();
}

void LaunchedBots::launch_anew(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    const bool launching = std::holds_alternative<RunningBot::Launching>(found->phase);
    if (!launching && found->launched() == nullptr) return;
    found->outdated = launching || is_in_match(*found);
    if (!found->outdated) start_again(*found);
}

void LaunchedBots::retire(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->retired = true;
    found->outdated = is_in_match(*found);
    if (!found->outdated) release(*found);
}

void LaunchedBots::name_programs(const std::vector<std::string>& bots,
                                 ProgramLaunches::OnNamed call) {
    std::vector<config::BotConfig> launched;
    for (const auto& bot : bots) {
        const auto found = bots_.find(bot);
        if (found != bots_.end() && !found->second->retired)
            launched.push_back(found->second->config);
    }
    programs_.name(launched, std::move(call));
}

void LaunchedBots::leave_for(const std::map<std::string, std::string>& programs) {
    for (const auto& [bot, program] : programs) {
        const auto found = bots_.find(bot);
        if (found == bots_.end() || found->second->launched() == nullptr) continue;
        if (found->second->its_program.program != program) launch_anew(found->second->place);
    }
}

void LaunchedBots::match_dropped(lobby::Bot& bot) {
    auto* const found = running(bot);
    if (found == nullptr) return;
    found->mid_match = false;
    if (found->launched() == nullptr || !std::exchange(found->outdated, false)) return;
    if (found->retired)
        release(*found);
    else
        start_again(*found);
}

}  // namespace referee::supply
