#include <algorithm>

#include "referee/tournament/referee/config_limits.h"
#include "referee/tournament/referee/referee.h"

// Takes over a config that is read again while tournaments are played.

namespace referee::tournament {
namespace {

constexpr std::string_view new_start =
    " can't be changed by a reload; expected it as it was until a new start of the daemon";

base::Result<void, std::string> check_change_of_bots(const std::vector<config::BotConfig>& was,
                                                     const std::vector<config::BotConfig>& is) {
    for (const auto& old : was) {
        const auto same = [&old](const auto& other) { return other.name == old.name; };
        const auto now = std::find_if(is.begin(), is.end(), same);
        if (now == is.end())
            return base::failure("bot " + old.name +
                                 " is gone from the config; `referee ctl withdraw` ends its part");
        if (now->launch != old.launch)
            return base::failure(
                "bot " + old.name +
                " has another launch command; expected it as it was until the daemon begins "
                "anew");
    }
    return {};
}

}  // namespace

// An error says which change of the config can't be made while tournaments are played.
base::Result<void, std::string> Referee::check_change(const config::Config& config) const {
    for (const auto& old : config_.tournaments) {
        const auto same = [&old](const auto& other) { return other.id == old.id; };
        const auto now = std::find_if(config.tournaments.begin(), config.tournaments.end(), same);
        if (now == config.tournaments.end()) {
            const auto status = scheduler_->status_of(old.id);
            if (!status || records::ended(status->state)) continue;
            return base::failure("tournament " + old.id +
                                 " is gone from the config; `referee ctl abort` ends it");
        }
        if (now->text != old.text)
            return base::failure(
                "tournament " + old.id +
                " is another one in the config, and it is being played; expected it as it was");
    }
    for (const auto& tournament : config.tournaments) {
        if (unnamed_.contains(tournament.id))
            return base::failure(
                "tournament " + tournament.id +
                " was begun by a former daemon, and the store has it; it goes on with a new "
                "start of the daemon");
    }
    if (config.control != config_.control)
        return base::failure("\"control\"" + std::string(new_start));
    if (thinking_cores(config) != thinking_cores(config_))
        return base::failure("\"cores\"" + std::string(new_start));
    if (config.high_priority != config_.high_priority)
        return base::failure("\"priority\"" + std::string(new_start));
    for (const auto& bot : config.bots) {
        if (bot.launched() && hosted_.contains(bot.name))
            return base::failure("bot " + bot.name +
                                 " is launched by the config, and a program that was handed in "
                                 "plays in its name; expected that it is withdrawn before");
    }
    return check_change_of_bots(config_.bots, config.bots);
}

base::Result<Referee::Change, std::string> Referee::prepare_change(
    const config::Config& config) const {
    if (auto checked = check_change(config); !checked)
        return base::failure(std::move(checked.error()));
    Change change;
    for (const auto& tournament : config.tournaments) {
        if (scheduler_->status_of(tournament.id)) continue;
        auto opened = open_tournament(tournament, config.bots, terms_.version);
        if (!opened) return base::failure(std::move(opened.error()));
        change.added.push_back(std::move(*opened));
    }
    return change;
}

void Referee::commit(config::Config config, Change change) {
    config_ = std::move(config);
    roster_.set_config(config_);
    lobby_.set_games(games_of(config_));
    lobby_.set_limits(lobby_limits_of(config_, terms_.descriptors_max));
    scheduler_->set_settings(scheduler_settings());
    know_launched_bots();
    for (auto& tournament : change.added) add(std::move(tournament));
    all_enter_ladders();
    scheduler_->pump();
}

}  // namespace referee::tournament
