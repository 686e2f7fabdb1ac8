#include "referee/daemon/host.h"
#include "referee/daemon/secret_file.h"
#include "referee/exit_code.h"
#include "referee/report/log/log.h"

// The web server of a real machine.

namespace referee::daemon {

base::Result<void, HostFailure> Host::open_web() {
    if (!config_.web) return {};
    if (auto secret = secret_of_names(config_); !secret)
        return base::failure(HostFailure{exit_trouble, std::move(secret.error())});
    auto opened = WebFeed::open(
        config_, tls_.context(),
        {loop_.get_executor(), timers_, *referee_, tokens_, filed_games_, folder_,
         [this](const GameKey& key, std::function<void(std::string)> then) {
             filed_games_.stored(key, std::move(then));
         },
         [](const std::string& news) { log::warn("{}", news); }, [this] { return names_secret_; }});
    if (!opened) return base::failure(HostFailure{exit_trouble, std::move(opened.error())});
    web_ = *std::move(opened);
    publisher_.on_standings([this](const std::string& tournament) {
        const auto contest = scheduler().status_of(tournament);
        if (web_ != nullptr && contest) web_->standings(*contest);
    });
    return {};
}

void Host::start_web() {
    if (web_ == nullptr) return;
    web_->start();
    log::info("pages are served at {}", web_->url());
}

base::Result<void, std::string> Host::secret_of_names(const config::Config& config) {
    const bool hides = config.pseudonyms || (config.web && config.web->pseudonyms);
    if (!hides || !names_secret_.empty()) return {};
    auto secret = secret_in(options_.out + "/names.secret");
    if (!secret) return base::failure(std::move(secret.error()));
    names_secret_ = *std::move(secret);
    return {};
}

base::Result<void, std::string> Host::check_web(const config::Config& config) {
    const bool same = web_ == nullptr ? !config.web : web_->serves_at(config.web);
    if (same) return secret_of_names(config);
    return base::failure(std::string(
        "listen.web: its address, port and tls, and whether there is one, can only be changed by "
        "another start of the daemon; expected them as they were"));
}

}  // namespace referee::daemon
