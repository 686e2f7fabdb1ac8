#include "referee/watch/web/web_server.h"

#include <sched.h>
#include <sys/resource.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <thread>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/timers.h"
#include "referee/net/transport/listener.h"
#include "referee/watch/web/browser_connection.h"
#include "referee/watch/web/request.h"

namespace referee::web {
namespace {

// The server looks so often what is due: held frames, silent streams.
constexpr std::chrono::milliseconds look_every{200};
// What the kernel keeps for it beside that.
constexpr int kernel_bytes = 256 * 1024;

namespace asio = boost::asio;
using asio::ip::tcp;

constexpr int nice_worst = 19;

// The thread has no class and no value that takes a core from a bot or from the loop, whatever the
// thread has that made it; and no signal is for it.
void lower_priority() {
    sched_param param{};
    ::sched_setscheduler(0, SCHED_BATCH, &param);
    // Linux counts it for each thread. A kernel that refuses leaves the thread as it was.
    ::setpriority(PRIO_PROCESS, 0, nice_worst);
}

}  // namespace

class WebServer::Impl {
 public:
    explicit Impl(const Place& place)
        : request_rate(place.connections_max, place.connections_of_network_max),
          inbox(io.get_executor()),
          acceptor(io),
          pause(io),
          ticks(io),
          context(place.context) {}
    ~Impl() {
        io.stop();
        if (thread.joinable()) thread.join();
        // Connections that wait in the loop hold on to this.
        boost::system::error_code ignored;
        acceptor.close(ignored);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void run() {
        thread = std::thread([this] {
            lower_priority();
            accept();
            look();
            io.run();
        });
    }

    void accept() {
        acceptor.async_accept([this](const boost::system::error_code& error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (error) {
                pause.expires_after(transport::accept_pause);
                pause.async_wait([this](const auto& gone) {
                    if (!gone) accept();
                });
                return;
            }
            admit(std::move(socket));
            accept();
        });
    }

    // Where there is no room, the connection is closed without a word: words cost what is short.
    void admit(tcp::socket socket) {
        boost::system::error_code error;
        const auto address = socket.remote_endpoint(error).address().to_string(error);
        const auto network = lobby::network_of(address);
        if (error || !request_rate.open(network)) return;
        socket.set_option(tcp::no_delay(true), error);
        // The kernel would keep megabytes for a reader that sleeps.
        socket.set_option(asio::socket_base::send_buffer_size(kernel_bytes), error);
        const ServerContext server_context{*site, request_rate, loop::monotonic_now};
        if (context == nullptr) {
            std::make_shared<BrowserConnection<tcp::socket>>(std::move(socket), server_context,
                                                             address, network)
                ->begin();
            return;
        }
        auto* const native = context->native();
        SSL_CTX_up_ref(native);  // what follows takes a share of it
        asio::ssl::context shared(native);
        std::make_shared<BrowserConnection<TlsStream>>(TlsStream(std::move(socket), shared),
                                                       server_context, address, network)
            ->begin();
    }

    void look() {
        site->look();
        ticks.expires_after(look_every);
        ticks.async_wait([this](const auto& error) {
            if (!error) look();
        });
    }

    // The order matters: connections that the loop drops at its end still know these.
    RequestRate request_rate;
    std::unique_ptr<Site> site;
    asio::io_context io{1};
    loop::LoopInbox inbox;
    tcp::acceptor acceptor;
    asio::steady_timer pause;
    asio::steady_timer ticks;
    std::shared_ptr<const tls::Context> context;
    std::thread thread;
};

WebServer::WebServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WebServer::~WebServer() = default;

base::Result<std::unique_ptr<WebServer>, std::string> WebServer::open(const Place& place) {
    auto impl = std::make_unique<Impl>(place);
    boost::system::error_code error;
    const auto address = asio::ip::make_address(place.address, error);
    auto& acceptor = impl->acceptor;
    const tcp::endpoint endpoint(address, place.port);
    if (!error) acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
        return base::failure(
            fmt::format("can't serve pages at {}:{}: {}; another \"port\" in listen.web, or 0, "
                        "takes a free one",
                        place.address, place.port, error.message()));
    return std::unique_ptr<WebServer>(new WebServer(std::move(impl)));
}

void WebServer::start(SiteTerms terms, LoopQuestions& loop, RunFiles files,
                      std::function<std::string()> fresh) {
    REFEREE_ASSERT(impl_->site == nullptr);
    impl_->site = std::make_unique<Site>(
        std::move(terms),
        Site::Dependencies{loop, std::move(files), loop::monotonic_now, std::move(fresh)});
    impl_->run();
}

void WebServer::post(std::function<void(Site&)> work) {
    impl_->inbox.post([site = impl_->site.get(), work = std::move(work)] { work(*site); });
}

void WebServer::use(std::shared_ptr<const tls::Context> context) {
    impl_->inbox.post(
        [impl = impl_.get(), context = std::move(context)] { impl->context = context; });
}

std::string WebServer::endpoint() const {
    boost::system::error_code error;
    const auto at = impl_->acceptor.local_endpoint(error);
    const auto host = at.address().to_string();
    return fmt::format("{}:{}", at.address().is_v6() ? "[" + host + "]" : host, at.port());
}

}  // namespace referee::web
