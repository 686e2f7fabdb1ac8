#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "protocol/base/text.h"
#include "referee/cluster/machines/coordinator.h"
#include "referee/launch/supply/launch_remarks.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"

// What a config that was read again needs of the machine: folders, another port, a launcher. The
// referee does the rest.

namespace referee::server {
namespace {

// Makes folders, all or none; or only looks whether they can be made.
base::Result<void, std::string> make_folders(const std::vector<std::filesystem::path>& wanted,
                                             bool previews) {
    std::vector<std::filesystem::path> made;
    std::string wrong;
    for (auto folder = wanted.begin(); folder != wanted.end() && wrong.empty(); ++folder) {
        std::error_code error;
        if (std::filesystem::create_directory(*folder, error)) made.push_back(*folder);
        if (error) wrong = "can't make the folder " + folder->string() + ": " + error.message();
    }
    if (wrong.empty() && !previews) return {};
    std::error_code ignored;
    for (auto one = made.rbegin(); one != made.rend(); ++one)
        std::filesystem::remove(*one, ignored);
    if (wrong.empty()) return {};
    return base::failure(wrong);
}

}  // namespace

base::Result<Server::Change, std::string> Server::prepare_change(const config::Config& config) {
    Change change;
    std::vector<std::string> refused;
    if (auto of_referee = referee_->prepare_change(config)) {
        change.of_referee = *std::move(of_referee);
    } else {
        refused.push_back(std::move(of_referee.error()));
    }
    for (const auto& checked :
         {prepare_launches(config, change), check_machines(config), check_web(config)})
        if (!checked) refused.push_back(checked.error());
    if (config.address != this->config().address || config.port != this->config().port) {
        auto opened = transport::Listener::open_beside(*listener_, config.address, config.port);
        if (!opened) {
            refused.push_back(std::move(opened.error().message));
        } else {
            change.listener = *std::move(opened);
        }
    }
    auto tls = tls_.prepare(config);
    if (!tls) refused.push_back(std::move(tls.error().message));
    // Makes a file: of what is refused nothing is left.
    if (refused.empty())
        if (auto secret = secret_of_names(config); !secret)
            refused.push_back(std::move(secret.error()));
    if (!refused.empty()) return base::failure(base::joined(refused, "; also: "));
    change.tls = *std::move(tls);
    return change;
}

base::Result<void, std::string> Server::prepare_launches(const config::Config& config,
                                                         Change& change) {
    auto terms = supply::terms_of(config, options_.unsandboxed, options_.tier_min);
    if (!terms) return base::failure(std::move(terms.error()));
    change.terms = *std::move(terms);
    const bool launches =
        config.submissions ||
        std::ranges::any_of(config.bots, [](const auto& bot) { return bot.launched(); });
    if (!launches) return {};
    const auto secrets = supply::secrets_of(config, options_.out);
    if (auto checked = supply::reads_no_secret(config, secrets); !checked) return checked;
    if (const auto* launcher = supply_->launcher(); launcher != nullptr)
        return supply::accept(change.terms, launcher->sandbox(), ::geteuid() == 0);
    auto opened = supply::open_launcher(loop_.get_executor(), change.terms);
    if (!opened) return base::failure(std::move(opened.error()));
    change.launcher = *std::move(opened);
    return {};
}

void Server::commit(config::Config config, Change change) {
    if (change.listener != nullptr) {
        listener_->close();
        old_listeners_.push_back(std::exchange(listener_, std::move(change.listener)));
        listen();
        supply_->set_dial_in_address(endpoint());
        log::info("listening on {}", endpoint());
    }
    tls_.commit(std::move(change.tls));
    if (web_) web_->set_config(config, tls_.context());
    terms_ = std::move(change.terms);
    allow_connections(config);
    const bool first_launches = change.launcher != nullptr;
    if (first_launches) supply_->launch_by(std::move(change.launcher));
    std::vector<std::string> added;
    for (const auto& tournament : change.of_referee.added)
        added.push_back(tournament.contest->config().id);
    note_launches(config);
    if (coordinator_) coordinator_->change(job_terms(config));
    submissions_->set_terms(config.submissions);
    referee_->commit(std::move(config), std::move(change.of_referee));
    if (first_launches) tell_sandbox();
    if (!added.empty()) {
        std::vector<pages::FolderLink> all;
        for (const auto& contest : scheduler().statuses())
            all.push_back(report::link_to(*contest.config));
        publisher_.folders(std::move(all));
    }
    for (const auto& id : added) publisher_.changed(id);
    if (web_) {
        for (const auto& contest : scheduler().statuses()) web_->tournament(contest);
    }
    registration_news_.changed();
}

void Server::note_launches(const config::Config& config) {
    auto changes = supply::LaunchChanges(options_.out).take(config);
    if (!changes) return log::warn("{}", changes.error());
    for (auto& change : *changes) {
        log::warn("{}", change);
        launch_changes_.push_back(std::move(change));
    }
}

void Server::tell_registrations() {
    const auto text =
        report::registrations_state(referee_->roster(), this->config().registration).text;
    if (!text.empty()) log::info("{}", text);
}

base::Result<void, std::string> Server::reload(config::Config config, bool previews) {
    auto prepared = prepare_change(config);
    if (!prepared) return base::failure(std::move(prepared.error()));
    std::vector<std::filesystem::path> folders;
    for (const auto& tournament : prepared->of_referee.added) {
        const std::filesystem::path folder = folder_.folder_of(tournament.contest->config().id);
        folders.insert(folders.end(),
                       {folder, folder / "games", folder / "page", folder / "page" / "games"});
    }
    if (auto made = make_folders(folders, previews); !made || previews) return made;
    commit(std::move(config), std::move(*prepared));
    return {};
}

}  // namespace referee::server
