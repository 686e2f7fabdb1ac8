#include "referee/server/bot_ports.h"

#include <unistd.h>

#include <array>
#include <boost/asio/ip/address.hpp>

#include "protocol/address.h"
#include "protocol/codec.h"
#include "referee/files/log/log.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/tls/tls_transport.h"

namespace referee::server {
namespace {

// Addresses of peers that the log has told to speak TLS at a plain port, or plain text where TLS is
// expected: more than a class has machines. Scanners of the whole internet must not fill the log.
constexpr std::size_t plain_peers_told_max = 1000;

// Who speaks TLS says its first word at once; this is far beyond the way to anybody.
constexpr Duration first_word_time = std::chrono::seconds(2);

std::string machine_name() {
    std::array<char, 256> name{};
    if (gethostname(name.data(), name.size() - 1) != 0 || name.front() == '\0') return "localhost";
    return name.data();
}

void tell_pause(const std::string& reason) {
    log::warn("accepting pauses: {}", reason);
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

base::Result<BotPorts::Change, Ending> BotPorts::prepare(const config::Config& config) {
    Change change;
    change.address = config.address;
    change.port = config.port;
    std::string refused;
    if (plain_ == nullptr || config.address != address_ || config.port != port_) {
        auto opened = transport::Listener::open(executor_, config.address, config.port, "listen",
                                                plain_.get());
        if (opened) {
            change.plain = *std::move(opened);
        } else {
            refused = opened.error();
        }
    }
    if (!refused.empty() && plain_ == nullptr) return base::failure(Ending{exit_trouble, refused});
    if (auto tls = prepare_tls(config, change); !tls) {
        tls.error().message.insert(0, refused + (refused.empty() ? "" : "; also: "));
        return base::failure(std::move(tls.error()));
    }
    if (!refused.empty()) return base::failure(Ending{exit_trouble, refused});
    return change;
}

base::Result<void, Ending> BotPorts::prepare_tls(const config::Config& config, Change& change) {
    change.tls_port = config.tls;
    if (!config.speaks_tls()) return {};
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
        // A certificate whose key is gone is refused, a key alone is not.
        if (made)
            for (const auto& file : {files.certificate, files.key}) change.made.add(file);
    }
    auto certificate = tls::read_certificate(files, now);
    if (!certificate) return failed(certificate.error());
    if (made)
        change.news.push_back(
            "made a certificate for TLS, " + files.certificate +
            ", which is used from now on; its fingerprint is sha256=" + certificate->fingerprint);
    change.warnings = certificate->warnings;
    change.certificate = files.certificate;
    auto context = tls::Context::of(*std::move(certificate));
    if (!context) return failed(files.certificate + ": " + context.error());
    change.context = *std::move(context);
    if (!config.tls || config.tls == tls_port_) return {};
    const auto& port = *config.tls;
    auto opened = transport::Listener::open(executor_, port.address, port.port, "tls", tls_.get());
    if (!opened) return base::failure(Ending{exit_trouble, "TLS: " + opened.error()});
    change.tls = *std::move(opened);
    return {};
}

void BotPorts::replace(std::unique_ptr<transport::Listener>& listener,
                       std::unique_ptr<transport::Listener> by) {
    if (listener != nullptr) {
        listener->close();
        old_listeners_.push_back(std::move(listener));
    }
    listener = std::move(by);
}

void BotPorts::commit(Change change) {
    const bool started = on_accepted_ != nullptr;
    change.made.keep();
    address_ = std::move(change.address);
    port_ = change.port;
    if (change.plain != nullptr) {
        replace(plain_, std::move(change.plain));
        if (started) {
            listen_plain();
            log::info("listening on {}", endpoint());
        }
    }
    const auto before = tls_address();
    context_ = std::move(change.context);
    certificate_ = std::move(change.certificate);
    tls_port_ = change.tls_port;
    if (change.tls != nullptr || !tls_port_) {
        replace(tls_, std::move(change.tls));
        if (started && tls_ != nullptr) listen_tls();
    }
    for (const auto& news : change.news) log::info("{}", news);
    for (const auto& warning : change.warnings) log::warn("{}", warning);
    if (!started || tls_address() == before) return;
    if (tls_ == nullptr) return log::info("bots dial in by TLS no more");
    log::info("bots dial in by TLS at {}", tls_address());
}

void BotPorts::start(transport::Listener::OnAccepted on_accepted, loop::TimeShare& strangers_time) {
    strangers_time_ = &strangers_time;
    on_accepted_ = std::move(on_accepted);
    listen_plain();
    if (tls_ != nullptr) listen_tls();
    look_at_certificate();
}

void BotPorts::look_at_certificate() {
    timers_.schedule(timers_.now() + std::chrono::hours(24), life_.while_it_lasts([this] {
        const auto warning =
            context_ ? tls::warning_of_end(*SSL_CTX_get0_certificate(context_->native()),
                                           certificate_, std::chrono::system_clock::now())
                     : std::string();
        if (!warning.empty()) log::warn("{}", warning);
        look_at_certificate();
    }));
}

void BotPorts::listen_plain() {
    plain_->start(on_accepted_, tell_pause, strangers_time_, transport::StreamOf::lines,
                  [this](const auto& peer) { tell_of_tls_at_plain_port(peer); });
}

void BotPorts::listen_tls() {
    const auto shake_hands = [this](std::unique_ptr<transport::Transport> carrier) {
        tls::PlainPeers plain_peers;
        plain_peers.plain_answer = tls_expected_lines(tls_address());
        plain_peers.had_time = [lasts = life_.watch(), &timers = timers_, since = timers_.now()] {
            return lasts() && timers.now() - since >= first_word_time;
        };
        plain_peers.on_refused =
            life_.while_it_lasts([this](const transport::Transport& peer, const std::string& why) {
                tell(peer, why + "; it dialled " + tls_address());
            });
        on_accepted_(std::make_unique<tls::TlsTransport>(std::move(carrier), *context_, executor_,
                                                         std::move(plain_peers)));
    };
    tls_->start(shake_hands, tell_pause, strangers_time_, transport::StreamOf::tls_records);
}

void BotPorts::close() {
    plain_->close();
    if (tls_ != nullptr) tls_->close();
}

void BotPorts::tell_of_tls_at_plain_port(const transport::Transport& peer) {
    tell(peer, "it speaks TLS at " + endpoint() + ", where plain text is expected; " +
                   (tls_ != nullptr ? "TLS is at " + tls_address()
                                    : std::string("\"listen\": {\"tls\": {}} in the config "
                                                  "opens a port for it")));
}

void BotPorts::tell(const transport::Transport& peer, const std::string& news) {
    if (told_of_.size() >= plain_peers_told_max) return;
    if (!told_of_.insert(peer.peer_address()).second) return;
    log::warn("{}: {} (told once for each address)", peer.peer(), news);
}

std::string BotPorts::bots_dial_in_at() const {
    const auto tls = tls_address();
    return !tls.empty() ? tls : host_seen_from_outside(address_) + ":" + port_of(endpoint());
}

std::string BotPorts::tls_address() const {
    if (tls_ == nullptr || context_ == nullptr) return {};
    return protocol::to_text({.host = host_seen_from_outside(tls_port_->address),
                              .port = port_of(tls_->endpoint()),
                              .tls = true,
                              .fingerprint = context_->fingerprint()});
}

}  // namespace referee::server
