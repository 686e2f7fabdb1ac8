#include <algorithm>
#include <filesystem>

#include "referee/office/log/log.h"
#include "referee/office/run/config_limits.h"
#include "referee/office/run/host.h"

// A config that is read again while tournaments are played. First all that can fail, then the
// change, which can't: a refusal leaves everything as it was.

namespace referee::run {
namespace {

constexpr std::string_view new_start =
    " can't be changed by a reload; expected it as it was until a new start of the daemon";

// The folders of tournaments that are new; those that were made go again unless they are kept.
class NewFolders {
 public:
    NewFolders() = default;
    ~NewFolders() {
        std::error_code ignored;
        for (auto made = made_.rbegin(); made != made_.rend(); ++made)
            std::filesystem::remove(*made, ignored);
    }
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;
    NewFolders(NewFolders&&) = delete;
    NewFolders& operator=(NewFolders&&) = delete;

    // Why not, where it can't be made.
    std::optional<std::string> make(const std::filesystem::path& folder) {
        std::error_code error;
        const bool made = std::filesystem::create_directory(folder, error);
        if (error) return "can't make the folder " + folder.string() + ": " + error.message();
        if (made) made_.push_back(folder);
        return std::nullopt;
    }
    void keep() { made_.clear(); }

 private:
    std::vector<std::filesystem::path> made_;
};

}  // namespace

// What can't be changed while tournaments are played.
std::optional<std::string> Host::cannot_change(const config::Config& config) const {
    for (const auto& old : config_.tournaments) {
        const auto same = [&old](const auto& other) { return other.id == old.id; };
        const auto now = std::find_if(config.tournaments.begin(), config.tournaments.end(), same);
        if (now == config.tournaments.end()) {
            const auto contest = scheduler_->status_of(old.id);
            if (!contest || journal::ended(contest->state)) continue;
            return "tournament " + old.id + " is gone from the config; `referee ctl abort` ends it";
        }
        if (now->text != old.text)
            return "tournament " + old.id +
                   " is another one in the config, and it is being played; expected it as it was";
    }
    for (const auto& tournament : config.tournaments) {
        if (resting_.contains(tournament.id))
            return "tournament " + tournament.id +
                   " was begun by a former daemon, and the store has it; it goes on with a new "
                   "start of the daemon";
    }
    if (config.control != config_.control) return "\"control\"" + std::string(new_start);
    if (thinking_cores(config) != thinking_cores(config_))
        return "\"cores\"" + std::string(new_start);
    return cannot_change_bots(config);
}

std::optional<std::string> Host::cannot_change_bots(const config::Config& config) const {
    for (const auto& old : config_.bots) {
        const auto same = [&old](const auto& other) { return other.name == old.name; };
        const auto now = std::find_if(config.bots.begin(), config.bots.end(), same);
        if (now == config.bots.end())
            return "bot " + old.name +
                   " is gone from the config; `referee ctl withdraw` ends its part";
        if (now->launch != old.launch)
            return "bot " + old.name +
                   " has another launch command; expected it as it was until the daemon begins "
                   "anew";
    }
    return std::nullopt;
}

std::variant<Host::Change, std::string> Host::prepare_change(const config::Config& config) {
    if (auto wrong = cannot_change(config)) return std::move(*wrong);
    Change change;
    for (const auto& tournament : config.tournaments) {
        if (scheduler_->status_of(tournament.id)) continue;
        auto opened = open_tournament(tournament, config.bots);
        if (auto* refused = std::get_if<CannotGoOn>(&opened)) return std::move(refused->message);
        change.added.push_back(std::get<OpenTournament>(std::move(opened)));
    }
    const bool launches = std::any_of(config.bots.begin(), config.bots.end(),
                                      [](const auto& bot) { return bot.launched(); });
    if (launches && !supply_->has_launcher()) {
        auto created = open_launcher();
        if (!created) return std::move(created.error().message);
        change.launcher = *std::move(created);
    }
    if (config.address != config_.address || config.port != config_.port) {
        auto opened = net::Listener::open_beside(*listener_, config.address, config.port);
        if (!opened) return std::move(opened.error().message);
        change.listener = *std::move(opened);
    }
    NewFolders folders;
    for (const auto& tournament : change.added) {
        const std::filesystem::path folder = folder_.folder_of(tournament.contest->config().id);
        if (auto wrong = folders.make(folder)) return std::move(*wrong);
        if (auto wrong = folders.make(folder / "games")) return std::move(*wrong);
    }
    folders.keep();
    return change;
}

void Host::commit(config::Config config, Change change) {
    config_ = std::move(config);
    roster_.set_config(config_);
    lobby_.set_games(games_of(config_));
    lobby_.set_limits(lobby_limits_of(config_));
    scheduler_->set_settings(scheduler_settings());
    if (change.listener != nullptr) {
        listener_->close();
        old_listeners_.push_back(std::exchange(listener_, std::move(change.listener)));
        listen();
        supply_->set_dial_in_address(endpoint());
        log::info("listening on {}", endpoint());
    }
    if (change.launcher != nullptr) supply_->launch_by(std::move(change.launcher));
    if (supply_->has_launcher()) know_launched_bots();
    for (auto& tournament : change.added) add(std::move(tournament));
    scheduler_->pump();
}

std::optional<std::string> Host::reload(config::Config config) {
    auto prepared = prepare_change(config);
    if (auto* wrong = std::get_if<std::string>(&prepared)) return std::move(*wrong);
    commit(std::move(config), std::get<Change>(std::move(prepared)));
    return std::nullopt;
}

}  // namespace referee::run
