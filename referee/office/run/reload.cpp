#include <algorithm>
#include <filesystem>

#include "referee/office/log/log.h"
#include "referee/office/run/host.h"

// What a config that was read again needs of the machine: folders, another port, a launcher. The
// referee does the rest.

namespace referee::run {
namespace {

// The folders of new tournaments. Those that were made here are removed again unless they are kept.
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

    // An error says why the folder can't be made.
    base::Result<void, std::string> make(const std::filesystem::path& folder) {
        std::error_code error;
        const bool made = std::filesystem::create_directory(folder, error);
        if (error)
            return base::failure("can't make the folder " + folder.string() + ": " +
                                 error.message());
        if (made) made_.push_back(folder);
        return {};
    }
    void keep() { made_.clear(); }

 private:
    std::vector<std::filesystem::path> made_;
};

}  // namespace

base::Result<Host::Change, std::string> Host::prepare_change(const config::Config& config) {
    auto of_referee = referee_->prepare_change(config);
    if (!of_referee) return base::failure(std::move(of_referee.error()));
    Change change;
    change.of_referee = std::move(*of_referee);
    const bool launches = std::any_of(config.bots.begin(), config.bots.end(),
                                      [](const auto& bot) { return bot.launched(); });
    if (launches && !supply_->has_launcher()) {
        auto opened = open_launcher();
        if (!opened) return base::failure(std::move(opened.error().message));
        change.launcher = *std::move(opened);
    }
    if (config.address != this->config().address || config.port != this->config().port) {
        auto opened = net::Listener::open_beside(*listener_, config.address, config.port);
        if (!opened) return base::failure(std::move(opened.error().message));
        change.listener = *std::move(opened);
    }
    NewFolders folders;
    for (const auto& tournament : change.of_referee.added) {
        const std::filesystem::path folder = folder_.folder_of(tournament.contest->config().id);
        if (auto made = folders.make(folder); !made) return base::failure(std::move(made.error()));
        if (auto made = folders.make(folder / "games"); !made)
            return base::failure(std::move(made.error()));
    }
    folders.keep();
    return change;
}

void Host::commit(config::Config config, Change change) {
    if (change.listener != nullptr) {
        listener_->close();
        old_listeners_.push_back(std::exchange(listener_, std::move(change.listener)));
        listen();
        supply_->set_dial_in_address(endpoint());
        log::info("listening on {}", endpoint());
    }
    if (change.launcher != nullptr) supply_->launch_by(std::move(change.launcher));
    std::vector<std::string> added;
    for (const auto& tournament : change.of_referee.added)
        added.push_back(tournament.contest->config().id);
    referee_->commit(std::move(config), std::move(change.of_referee));
    for (const auto& id : added) publisher_.changed(id);
}

base::Result<void, std::string> Host::reload(config::Config config) {
    auto prepared = prepare_change(config);
    if (!prepared) return base::failure(std::move(prepared.error()));
    commit(std::move(config), std::move(*prepared));
    return {};
}

}  // namespace referee::run
