#include "referee/server/tls_entrance.h"

#include <unistd.h>

#include <array>
#include <boost/asio/ip/address.hpp>

#include "protocol/address.h"
#include "protocol/codec.h"
#include "referee/limits.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/tls/tls_transport.h"
#include "referee/report/log/log.h"

namespace referee::server {
namespace {

// Who speaks TLS says its first word at once; this is far beyond the way to anybody.
constexpr Duration first_word_time = std::chrono::seconds(2);

std::string machine_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') return "localhost";
    return name.data();
}

std::string port_of(const std::string& endpoint) {
    return endpoint.substr(endpoint.rfind(':') + 1);
}

// What a peer that speaks plain text gets, as plain text.
std::string tls_expected_lines(const std::string& address) {
    protocol::ProtocolError error;
    error.code = protocol::ErrorCode::tls_expected;
    error.message = "this port expects TLS; dial " + address +
                    ", or the plain port, whose address has no tls:// before it";
    std::string line;
    protocol::encode(line, error);
    protocol::encode(line, protocol::Bye{protocol::name_of(protocol::ByeReason::refused),
                                         "the error before this says why, and what was expected"});
    return line;
}

}  // namespace

tls::CertificateFiles certificate_files(const config::Config& config, const std::string& out) {
    if (config.tls_certificate.empty()) return tls::own_files_in(out);
    return {config.tls_certificate, config.tls_key};
}

std::string host_seen_from_outside(const std::string& address) {
    boost::system::error_code error;
    const auto parsed = boost::asio::ip::make_address(address, error);
    return error || parsed.is_unspecified() ? machine_name() : address;
}

base::Result<TlsEntrance::Change, Ending> TlsEntrance::prepare(const config::Config& config) {
    Change change;
    change.port = config.tls;
    if (!config.speaks_tls()) return change;
    const auto failed = [](const std::string& message) {
        return base::failure(Ending{exit_bad_input, message});
    };
    const auto now = std::chrono::system_clock::now();
    const auto files = certificate_files(config, out_);
    bool made = false;
    if (config.tls_certificate.empty()) {
        const auto making = tls::make_own_certificate(files, machine_name(), now);
        if (!making) return failed(making.error());
        made = *making;
    }
    auto certificate = tls::read_certificate(files, now);
    if (!certificate) return failed(certificate.error());
    if (made)
        change.news.push_back(
            "made a certificate for TLS, " + files.certificate +
            ", which is used from now on; its fingerprint is sha256=" + certificate->fingerprint);
    change.warnings = certificate->warnings;
    auto context = tls::Context::of(*std::move(certificate));
    if (!context) return failed(files.certificate + ": " + context.error());
    change.context = *std::move(context);
    if (!config.tls || config.tls == port_) return change;
    const auto& port = *config.tls;
    auto opened = listener_ != nullptr
                      ? transport::Listener::open_beside(*listener_, port.address, port.port)
                      : transport::Listener::open(executor_, port.address, port.port);
    if (!opened) return base::failure(Ending{exit_trouble, "TLS: " + opened.error().message});
    change.listener = *std::move(opened);
    return change;
}

void TlsEntrance::commit(Change change) {
    const auto before = address();
    context_ = std::move(change.context);
    if (listener_ != nullptr && (change.listener != nullptr || !change.port)) {
        listener_->close();
        old_listeners_.push_back(std::move(listener_));
    }
    port_ = change.port;
    if (change.listener != nullptr) {
        listener_ = std::move(change.listener);
        if (on_accepted_ != nullptr) listen();
    }
    for (const auto& news : change.news) log::info("{}", news);
    for (const auto& warning : change.warnings) log::warn("{}", warning);
    if (on_accepted_ == nullptr || address() == before) return;
    if (listener_ == nullptr) return log::info("bots dial in by TLS no more");
    log::info("bots dial in by TLS at {}", address());
}

void TlsEntrance::start(transport::Listener::OnAccepted on_accepted,
                        transport::Listener::OnPaused on_paused, loop::TimeShare& strangers_time) {
    strangers_time_ = &strangers_time;
    on_accepted_ = std::move(on_accepted);
    on_paused_ = std::move(on_paused);
    if (listener_ != nullptr) listen();
}

void TlsEntrance::listen() {
    const auto shake_hands = [this](std::unique_ptr<loop::Transport> carrier) {
        tls::PlainPeers plain_peers;
        plain_peers.plain_answer = tls_expected_lines(address());
        plain_peers.had_time = [lasts = life_.watch(), &timers = timers_, since = timers_.now()] {
            return lasts() && timers.now() - since >= first_word_time;
        };
        plain_peers.on_refused =
            life_.while_it_lasts([this](const loop::Transport& peer, const std::string& why) {
                tell(peer, why + "; it dialled " + address());
            });
        on_accepted_(std::make_unique<tls::TlsTransport>(std::move(carrier), *context_, executor_,
                                                         std::move(plain_peers)));
    };
    listener_->start(shake_hands, on_paused_, strangers_time_, transport::StreamOf::tls_records);
}

void TlsEntrance::close() {
    if (listener_ != nullptr) listener_->close();
}

void TlsEntrance::tell_of_tls_at_plain_port(const loop::Transport& peer,
                                            const std::string& endpoint) {
    tell(peer, "it speaks TLS at " + endpoint + ", where plain text is expected; " +
                   (listener_ != nullptr ? "TLS is at " + address()
                                         : std::string("\"listen\": {\"tls\": {}} in the config "
                                                       "opens a port for it")));
}

void TlsEntrance::tell(const loop::Transport& peer, const std::string& news) {
    if (told_of_.size() >= limits::plain_peers_told_max) return;
    if (!told_of_.insert(peer.peer_address()).second) return;
    log::warn("{}: {} (told once for each address)", peer.peer(), news);
}

std::string TlsEntrance::address() const {
    if (listener_ == nullptr || context_ == nullptr) return {};
    return protocol::to_text({.host = host_seen_from_outside(port_->address),
                              .port = port_of(listener_->endpoint()),
                              .tls = true,
                              .fingerprint = context_->fingerprint()});
}

}  // namespace referee::server
