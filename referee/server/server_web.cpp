#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "protocol/base/result.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/report/log/log.h"
#include "referee/server/server.h"
#include "referee/tournament/token.h"

// The web server of a real machine.

namespace referee::server {

namespace {

// Who makes one by hand may make it longer than we do.
constexpr std::size_t secret_bytes_max = 1024;
constexpr std::size_t secret_bytes_min = 32;  // 128 bits as hexadecimal digits
constexpr mode_t secret_mode = S_IRUSR | S_IWUSR;

base::Result<std::string, std::string> make_secret(const std::string& file) {
    const auto secret = tournament::fresh_token();
    if (auto kept = files::keep_file(file, secret, secret_mode); !kept)
        return base::failure("can't write " + file + ": " + kept.error());
    return secret;
}

// The secret that a file has, which only its owner may read (mode 0600); where there is no such
// file, it is made with a new one. An error says what is wrong with the file.
base::Result<std::string, std::string> secret_in(const std::string& file) {
    if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return make_secret(file);
    auto secret = files::read_named_file(file, secret_bytes_max);
    if (!secret) return base::failure(file + " " + secret.error());
    if (secret->size() < secret_bytes_min)
        return base::failure(
            fmt::format("{}: expected a secret of at least {} bytes; remove the file, and the "
                        "referee makes a new one, with which all bots get new pseudonyms",
                        file, secret_bytes_min));
    return *std::move(secret);
}

}  // namespace

base::Result<void, Ending> Server::open_web() {
    if (!config_.web) return {};
    if (auto secret = secret_of_names(config_); !secret)
        return base::failure(Ending{exit_trouble, std::move(secret.error())});
    auto opened = WebFeed::open(*this);
    if (!opened) return base::failure(Ending{exit_trouble, std::move(opened.error())});
    web_ = *std::move(opened);
    publisher_.on_standings([this](const std::string& tournament) {
        const auto contest = scheduler().status_of(tournament);
        if (web_ != nullptr && contest) web_->standings(*contest);
    });
    return {};
}

void Server::carry_out(protocol::json::View request, control::ControlCommands::Answer answer) {
    if (commands_ != nullptr) return commands_->carry_out(request, std::move(answer));
    answer(control::refusal("this run takes no orders; expected `referee serve`"));
}

std::string Server::bots_dial_in_at() const {
    const auto endpoint = listener_->endpoint();
    const auto tls = tls_.address();
    return !tls.empty() ? tls
                        : host_seen_from_outside(referee_->config().address) +
                              endpoint.substr(endpoint.rfind(':'));
}

void Server::start_web() {
    if (web_ == nullptr) return;
    web_->start();
    log::info("pages are served at {}", web_->url());
}

base::Result<void, std::string> Server::secret_of_names(const config::Config& config) {
    const bool hides = config.pseudonyms || (config.web && config.web->pseudonyms);
    if (!hides || !names_secret_.empty()) return {};
    auto secret = secret_in(options_.out + "/names.secret");
    if (!secret) return base::failure(std::move(secret.error()));
    names_secret_ = *std::move(secret);
    return {};
}

base::Result<void, std::string> Server::check_web(const config::Config& config) {
    const bool same = web_ == nullptr ? !config.web : web_->serves_at(config.web);
    if (same) return {};
    return base::failure(std::string(
        "listen.web: its address, port and tls, and whether there is one, can only be changed by "
        "another start of the daemon; expected them as they were"));
}

}  // namespace referee::server
