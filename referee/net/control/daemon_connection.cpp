#include "referee/net/control/daemon_connection.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <optional>

#include "referee/net/tls/client.h"
#include "referee/net/transport/tcp_socket.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Socket = asio::generic::stream_protocol::socket;
using TlsStream = asio::ssl::stream<Socket>;

// The list of all bots is a daemon's longest answer; this is room enough for it.
constexpr std::size_t answer_bytes_max = 64 * 1024 * 1024;
// What a referee says first to whoever dials in where bots do.
constexpr std::string_view hello_to_bots = R"({"type":"hello",)";

// Shakes hands, and looks who answers.
base::Result<void, std::string> begin_tls(TlsStream& stream,
                                          const protocol::ServerAddress& address) {
    tls::expect(stream, address);
    error_code error;
    stream.handshake(asio::ssl::stream_base::client, error);
    if (error) {
        return base::failure(
            to_text(address) + " does not begin TLS: " + error.message() +
            (!address.fingerprint.empty()
                 ? "; look whether the port is right, and whether \"control\" has "
                   "\"tls\": true"
                 : "; a certificate that the referee made itself needs its fingerprint: "
                   "expected the address as the daemon's log tells it, with #sha256="));
    }
    if (auto known = tls::look_who_answers(stream.native_handle(), address); !known)
        return base::failure(
            known.error() +
            "; nothing was sent. Look in the daemon's log whether it has a new one");
    return {};
}

std::string plain_text_refused(const protocol::ServerAddress& address) {
    return host_and_port(address) +
           " is another machine, and whoever sees the way there could read the token: nothing was "
           "sent. Expected the address as the daemon's log tells it, with tls:// before it and "
           "#sha256= behind";
}

}  // namespace

// Plain until it is encrypted.
struct DaemonConnection::Stream {
    asio::io_context loop;
    Socket socket{loop};
    asio::ssl::context context{asio::ssl::context::tls_client};
    std::optional<TlsStream> encrypted;
    std::string read;  // and not asked for yet
};

base::Result<DaemonConnection, std::string> DaemonConnection::dial(const std::string& unix_socket) {
    auto stream = std::make_shared<Stream>();
    error_code error;
    stream->socket.connect(asio::local::stream_protocol::endpoint(unix_socket), error);
    if (!error) return DaemonConnection(std::move(stream));
    return base::failure(
        error == asio::error::access_denied
            ? unix_socket + ": " + error.message() +
                  "; only the user that runs the daemon may give it orders"
            : "no daemon answers at " + unix_socket + " (" + error.message() +
                  "); expected the folder of a running `referee serve` in --out, or its socket in "
                  "--socket");
}

base::Result<DaemonConnection, std::string> DaemonConnection::dial(
    const protocol::ServerAddress& address, PlainText plain_text) {
    auto stream = std::make_shared<Stream>();
    error_code error;
    asio::ip::tcp::resolver resolver(stream->loop);
    asio::ip::tcp::socket socket(stream->loop);
    const auto found = resolver.resolve(address.host, address.port, error);
    if (!error) asio::connect(socket, found, error);
    if (error)
        return base::failure("no daemon answers at " + host_and_port(address) + ": " +
                             error.message());
    transport::watch_peer(socket.native_handle());
    const auto peer = socket.remote_endpoint(error);
    const bool is_ours = !error && protocol::is_loopback(peer.address().to_string());
    stream->socket = std::move(socket);
    if (!address.tls) {
        if (plain_text == PlainText::to_this_machine_alone && !is_ours)
            return base::failure(plain_text_refused(address));
        return DaemonConnection(std::move(stream));
    }
    tls::set_up_client(stream->context);
    stream->encrypted.emplace(std::move(stream->socket), stream->context);
    if (auto begun = begin_tls(*stream->encrypted, address); !begun)
        return base::failure(std::move(begun.error()));
    return DaemonConnection(std::move(stream));
}

base::Result<void, std::string> DaemonConnection::write(std::string_view bytes) {
    error_code error;
    if (stream_->encrypted)
        asio::write(*stream_->encrypted, asio::buffer(bytes), error);
    else
        asio::write(stream_->socket, asio::buffer(bytes), error);
    if (error) return base::failure("the daemon is gone: " + error.message());
    return {};
}

base::Result<std::string, std::string> DaemonConnection::read_line(std::size_t bytes_max) {
    error_code error;
    auto& read = stream_->read;
    const auto buffer = asio::dynamic_buffer(read, bytes_max);
    const auto bytes = stream_->encrypted
                           ? asio::read_until(*stream_->encrypted, buffer, '\n', error)
                           : asio::read_until(stream_->socket, buffer, '\n', error);
    if (error) return base::failure("the daemon gave no answer: " + error.message());
    auto line = read.substr(0, bytes - 1);
    read.erase(0, bytes);
    return line;
}

base::Result<std::string, std::string> ask(const Daemon& daemon, const std::string& request) {
    using PlainText = DaemonConnection::PlainText;
    auto dialled = daemon.address
                       ? DaemonConnection::dial(*daemon.address, PlainText::to_this_machine_alone)
                       : DaemonConnection::dial(daemon.socket);
    if (!dialled) return base::failure(std::move(dialled.error()));
    if (auto written = dialled->write(request + '\n'); !written)
        return base::failure(std::move(written.error()));
    auto line = dialled->read_line(answer_bytes_max);
    if (!line || !line->starts_with(hello_to_bots)) return line;
    return base::failure(
        to_text(*daemon.address) +
        " is where bots dial in, and takes no orders: expected the address after \"orders are "
        "taken "
        "on\" in the daemon's log, which is there where its config has \"control\" (on its own "
        "machine --out with its folder does)");
}

}  // namespace referee::control
