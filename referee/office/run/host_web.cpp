#include "referee/exit_code.h"
#include "referee/office/log/log.h"
#include "referee/office/run/host.h"

// The web server of a real machine.

namespace referee::run {

base::Result<void, HostFailure> Host::open_web() {
    if (!config_.web) return {};
    auto opened = WebFeed::open(config_, tls_.context(),
                                {loop_.get_executor(), timers_, *referee_, tokens_, filed_games_,
                                 folder_, [](const std::string& news) { log::warn("{}", news); }});
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

base::Result<void, std::string> Host::check_web(const config::Config& config) const {
    const bool same = web_ == nullptr ? !config.web : web_->serves_at(config.web);
    if (same) return {};
    return base::failure(std::string(
        "listen.web: its address, port and tls, and whether there is one, can only be changed by "
        "another start of the daemon; expected them as they were"));
}

}  // namespace referee::run
