#include "referee/net/control/control_server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>

#include "protocol/address.h"
#include "protocol/json/writer.h"
#include "referee/net/control/control_listener.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
namespace json = protocol::json;
using boost::system::error_code;
using local = asio::local::stream_protocol;
using asio::ip::tcp;

constexpr mode_t others_bits = 0177;

// Whether somebody answers there.
bool answered(const asio::any_io_executor& loop, const std::string& path) {
    local::socket probe(loop);
    error_code error;
    probe.connect(local::endpoint(path), error);
    return !error;
}

}  // namespace

bool is_plain_text(const error_code& error) {
    if (error.category() != asio::error::get_ssl_category()) return false;
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    return reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST;
}

std::string refusal(const std::string& message) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("ok", false).member("error", message).end_object();
    return line + '\n';
}

class ControlServer::Impl {
 public:
    Impl(asio::any_io_executor executor, loop::Timers& timers, ControlCommands& orders,
         lobby::GuessNews::Tell on_guessing)
        : loop(std::move(executor)),
          guesses(timers, std::move(on_guessing)),
          terms{timers, guesses, nullptr},
          commands(std::make_shared<ControlCommands*>(&orders)) {}

    asio::any_io_executor loop;
    lobby::Guesses guesses;
    ControlContext terms;
    CommandsNow commands;
    std::unique_ptr<UnixDoor> unix_door;
    std::unique_ptr<TcpDoor<tcp::socket>> tcp_door;
    std::unique_ptr<TcpDoor<TlsStream>> tls_door;
    Encryption encryption;  // of tls_door
    std::string path;
};

ControlServer::ControlServer(const asio::any_io_executor& loop, loop::Timers& timers,
                             ControlCommands& commands, OnGuessing on_guessing)
    : impl_(std::make_unique<Impl>(loop, timers, commands, std::move(on_guessing))) {}

ControlServer::~ControlServer() {
    close();
}

base::Result<void, ControlError> ControlServer::listen_unix(const std::string& path) {
    const auto failed = [&path](const std::string& why) {
        return base::failure(ControlError{"can't listen for ctl on " + path + ": " + why});
    };
    if (path.size() >= sizeof(sockaddr_un::sun_path)) {
        return failed("the path is longer than the " +
                      std::to_string(sizeof(sockaddr_un::sun_path) - 1) +
                      " bytes that a Unix socket may have; give a shorter one as \"control\": "
                      "{\"socket\": ...}");
    }
    struct stat there {};
    if (lstat(path.c_str(), &there) == 0) {
        if (!S_ISSOCK(there.st_mode))
            return failed("there is a file of that name, which is no socket");
        if (answered(impl_->loop, path)) return failed("another daemon listens there");
        unlink(path.c_str());
    }
    error_code error;
    local::acceptor acceptor(impl_->loop);
    acceptor.open(local(), error);
    const auto mask = umask(others_bits);
    if (!error) acceptor.bind(local::endpoint(path), error);
    umask(mask);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return failed(error.message());
    impl_->path = path;
    impl_->unix_door =
        std::make_unique<UnixDoor>(std::move(acceptor), impl_->terms, impl_->commands);
    impl_->unix_door->accept();
    return {};
}

base::Result<void, ControlError> ControlServer::listen_tcp(const std::string& address,
                                                           std::uint16_t port,
                                                           const std::string& token,
                                                           loop::TimeShare& strangers_time,
                                                           std::optional<Encryption> encryption) {
    auto listening = transport::Listener::open(impl_->loop, address, port);
    if (!listening)
        return base::failure(ControlError{"can't listen for ctl on " + address + ":" +
                                          std::to_string(port) + ": " + listening.error().why});
    const ControlContext terms{impl_->terms.timers, impl_->guesses, &strangers_time};
    if (!encryption) {
        impl_->tcp_door = std::make_unique<TcpDoor<tcp::socket>>(
            *std::move(listening), terms, impl_->commands, token,
            [](tcp::socket socket) { return socket; });
        return {};
    }
    const auto make_stream = [context = encryption->context](tcp::socket socket) {
        auto* const native = context()->native();
        SSL_CTX_up_ref(native);  // what follows takes a share of it
        asio::ssl::context shared(native);
        return TlsStream(std::move(socket), shared);
    };
    impl_->encryption = *std::move(encryption);
    impl_->tls_door = std::make_unique<TcpDoor<TlsStream>>(*std::move(listening), terms,
                                                           impl_->commands, token, make_stream);
    return {};
}

std::string ControlServer::tcp_endpoint() const {
    if (impl_->tcp_door == nullptr && impl_->tls_door == nullptr) return {};
    return impl_->tcp_door != nullptr ? impl_->tcp_door->endpoint() : impl_->tls_door->endpoint();
}

std::string ControlServer::tcp_address() const {
    if (impl_->tls_door == nullptr) return tcp_endpoint();
    const auto endpoint = impl_->tls_door->endpoint();
    return protocol::to_text({.host = impl_->encryption.host,
                              .port = endpoint.substr(endpoint.rfind(':') + 1),
                              .tls = true,
                              .fingerprint = impl_->encryption.context()->fingerprint()});
}

void ControlServer::close() {
    *impl_->commands = nullptr;
    if (impl_->unix_door != nullptr) impl_->unix_door->close();
    if (impl_->tcp_door != nullptr) impl_->tcp_door->close();
    if (impl_->tls_door != nullptr) impl_->tls_door->close();
    if (!impl_->path.empty()) unlink(impl_->path.c_str());
    impl_->path.clear();
}

}  // namespace referee::control
