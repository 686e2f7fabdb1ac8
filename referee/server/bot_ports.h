#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/exit_code.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/transport/listener.h"

namespace referee::server {

// Which certificate a config means, in a run that writes to `out`: its own one, or the one that the
// referee makes there, beside the store.
tls::CertificateFiles certificate_files(const config::Config& config, const std::string& out);
// How other machines call an address that is listened on: it, or this machine's name where it
// stands for all of them.
std::string host_seen_from_outside(const std::string& address);

// Files that were made for a change; they go again where it isn't made after all.
class MadeFiles {
 public:
    MadeFiles() = default;
    MadeFiles(MadeFiles&&) noexcept = default;
    MadeFiles& operator=(MadeFiles&&) = delete;
    ~MadeFiles() {
        std::error_code ignored;
        for (const auto& file : files_) std::filesystem::remove(file, ignored);
    }
    // What is added first goes first.
    void add(std::string file) { files_.push_back(std::move(file)); }
    void keep() { files_.clear(); }

 private:
    std::vector<std::string> files_;
};

// Where bots dial in: a port for plain text, another for TLS where the config has one; and the
// certificate of all that speaks TLS, which orders over TCP use too. Runs on the loop's thread.
class BotPorts {
 public:
    // `out` is the folder in which a certificate is made where the config names none.
    BotPorts(const boost::asio::any_io_executor& executor, loop::Timers& timers, std::string out)
        : executor_(executor), timers_(timers), out_(std::move(out)) {}

    // What a config needs: made before anything is changed.
    struct Change {
        std::string address;  // of the plain port
        std::uint16_t port = 0;
        std::unique_ptr<transport::Listener> plain;  // null: the old one stays
        std::optional<config::TlsPort> tls_port;
        std::unique_ptr<transport::Listener> tls;     // null: the old one stays, or none is needed
        std::shared_ptr<const tls::Context> context;  // null where nobody speaks TLS
        std::string certificate;                      // the file that it is of
        MadeFiles made;                               // for the certificate
        std::vector<std::string> news;                // of what was made
        std::vector<std::string> warnings;
    };
    // An error has exit_bad_input where the certificate is wrong, exit_trouble where a port is.
    base::Result<Change, Ending> prepare(const config::Config& config);
    // Connections that are open keep the certificate that they began with.
    void commit(Change change);
    // From now on, bots are let in.
    void start(transport::Listener::OnAccepted on_accepted, loop::TimeShare& strangers_time);
    void close();

    // Of the plain port: "127.0.0.1:7777". Requires, as the next: commit() was called.
    std::string endpoint() const { return plain_->endpoint(); }
    // What students are given: "lab-server:7777", or as tls_address() where there is one.
    std::string bots_dial_in_at() const;
    // "tls://lab-server:7778#sha256=..."; empty where there is no such port.
    std::string tls_address() const;
    const std::shared_ptr<const tls::Context>& tls_context() const { return context_; }

 private:
    base::Result<void, Ending> prepare_tls(const config::Config& config, Change& change);
    // Takes the place of the listener, which is closed.
    void replace(std::unique_ptr<transport::Listener>& listener,
                 std::unique_ptr<transport::Listener> by);
    void listen_plain();
    void listen_tls();
    void tell_of_tls_at_plain_port(const transport::Transport& peer);
    // Each day, that the certificate ends soon or has ended.
    void look_at_certificate();
    // Once for each address: a program that tries again and again must not fill the log.
    void tell(const transport::Transport& peer, const std::string& news);

    boost::asio::any_io_executor executor_;
    loop::Timers& timers_;
    std::string out_;
    std::string address_;  // of the plain port, as the config has it
    std::uint16_t port_ = 0;
    std::unique_ptr<transport::Listener> plain_;
    std::optional<config::TlsPort> tls_port_;
    std::unique_ptr<transport::Listener> tls_;  // null: there is none
    std::shared_ptr<const tls::Context> context_;
    std::string certificate_;  // its file
    std::vector<std::unique_ptr<transport::Listener>>
        old_listeners_;                            // closed; the loop may know them
    transport::Listener::OnAccepted on_accepted_;  // null until start()
    loop::TimeShare* strangers_time_ = nullptr;
    std::set<std::string, std::less<>> told_of_;  // addresses
    loop::Life life_;
};

}  // namespace referee::server
