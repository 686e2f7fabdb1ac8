#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/net/tls/certificate.h"
#include "referee/watch/web/site.h"

namespace referee::web {

// Serves a site to browsers, on a thread of its own that the kernel prefers to nobody. What goes to
// it or comes from it is handed over whole; a spectator costs the loop nothing.
class WebServer {
 public:
    struct Place {
        std::string address;
        std::uint16_t port = 0;
        std::shared_ptr<const tls::Context> context;  // null: plain HTTP
        // Open at once, of all networks; and of one, so that nobody alone takes them all.
        std::size_t connections_max = 0;
        std::size_t connections_of_network_max = 0;
    };
    // Opens the port; an error says why it can't be.
    static base::Result<std::unique_ptr<WebServer>, std::string> open(const Place& place);
    // Ends the thread, and all connections.
    ~WebServer();
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    // Begins to serve. `loop` outlives the server; its functions are called on the server's thread.
    void start(SiteTerms terms, LoopQuestions& loop, RunFiles files,
               std::function<std::string()> fresh);
    // From any thread: done on the server's, in the order of the calls. Requires: start().
    void post(std::function<void(Site&)> work);
    // Connections that come from now on use this certificate. Requires: it was opened with one.
    void use(std::shared_ptr<const tls::Context> context);
    // "127.0.0.1:8777"
    std::string endpoint() const;

 private:
    class Impl;
    explicit WebServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace referee::web
