#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
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

// The port on which bots speak TLS, and the certificate of all that does: orders over TCP use the
// same. Runs on the loop's thread.
class TlsEntrance {
 public:
    // `out` is the folder in which a certificate is made where the config names none.
    TlsEntrance(const boost::asio::any_io_executor& executor, const loop::Timers& timers,
                std::string out)
        : executor_(executor), timers_(timers), out_(std::move(out)) {}

    // What a config needs: made before anything is changed.
    struct Change {
        std::optional<config::TlsPort> port;
        std::shared_ptr<const tls::Context> context;  // null where nobody speaks TLS
        std::unique_ptr<transport::Listener>
            listener;                   // null: the old one stays, or none is needed
        std::vector<std::string> news;  // of what was made
        std::vector<std::string> warnings;
    };
    // An error has exit_bad_input where the certificate is wrong, exit_trouble where the port is.
    base::Result<Change, Ending> prepare(const config::Config& config);
    // Connections that are open keep the certificate that they began with.
    void commit(Change change);
    // From now on, bots are let in.
    void start(transport::Listener::OnAccepted on_accepted, transport::Listener::OnPaused on_paused,
               loop::TimeShare& strangers_time);
    void close();

    // Somebody speaks TLS at the plain port, which is at `endpoint`.
    void tell_of_tls_at_plain_port(const loop::Transport& peer, const std::string& endpoint);

    // What students are given: "tls://lab-server:7778#sha256=..."; empty where there is no such
    // port.
    std::string address() const;
    const std::shared_ptr<const tls::Context>& context() const { return context_; }

 private:
    void listen();
    // Once for each address: a program that tries again and again must not fill the log.
    void tell(const loop::Transport& peer, const std::string& news);

    boost::asio::any_io_executor executor_;
    const loop::Timers& timers_;
    std::string out_;
    std::optional<config::TlsPort> port_;
    std::shared_ptr<const tls::Context> context_;
    std::unique_ptr<transport::Listener> listener_;
    std::vector<std::unique_ptr<transport::Listener>>
        old_listeners_;                            // closed; the loop may know them
    transport::Listener::OnAccepted on_accepted_;  // null until start()
    transport::Listener::OnPaused on_paused_;
    loop::TimeShare* strangers_time_ = nullptr;
    std::set<std::string, std::less<>> told_of_;  // addresses
    loop::Life life_;
};

}  // namespace referee::server
