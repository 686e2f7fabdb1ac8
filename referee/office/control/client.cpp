#include "referee/office/control/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "referee/connections/net/peer_watch.h"
#include "referee/connections/tls/certificate.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The list of all bots is a daemon's longest answer; this is room enough for it.
constexpr std::size_t answer_bytes_max = 64 * 1024 * 1024;

template <typename Stream>
base::Result<std::string, NoAnswer> exchange(Stream& stream, const std::string& request) {
    error_code error;
    asio::write(stream, asio::buffer(request + '\n'), error);
    std::string answer;
    if (!error)
        asio::read_until(stream, asio::dynamic_buffer(answer, answer_bytes_max), '\n', error);
    if (error) return base::failure(NoAnswer{"the daemon gave no answer: " + error.message()});
    answer.resize(answer.find('\n'));
    return answer;
}

// Shakes hands, and looks who answers.
base::Result<void, NoAnswer> begin_tls(asio::ssl::stream<asio::ip::tcp::socket>& stream,
                                       const protocol::ServerAddress& address) {
    error_code error;
    const bool by_fingerprint = !address.fingerprint.empty();
    stream.set_verify_mode(by_fingerprint ? asio::ssl::verify_none : asio::ssl::verify_peer, error);
    if (!by_fingerprint) {
        stream.set_verify_callback(asio::ssl::host_name_verification(address.host), error);
        SSL_set_tlsext_host_name(stream.native_handle(), address.host.c_str());
    }
    stream.handshake(asio::ssl::stream_base::client, error);
    if (error) {
        return base::failure(NoAnswer{
            to_text(address) + " does not begin TLS: " + error.message() +
            (by_fingerprint ? "; look whether the port is right, and whether \"control\" has "
                              "\"tls\": true"
                            : "; a certificate that the referee made itself needs its fingerprint: "
                              "expected the address as the daemon's log tells it, with #sha256=")});
    }
    if (!by_fingerprint) return {};
    const tls::X509Certificate found(SSL_get1_peer_certificate(stream.native_handle()));
    const auto fingerprint = found != nullptr ? tls::fingerprint_of(*found) : std::string("none");
    if (fingerprint != address.fingerprint) {
        return base::failure(NoAnswer{
            "another certificate than the address names answers at " + address.host + ":" +
            address.port + ": expected sha256=" + address.fingerprint + ", found sha256=" +
            fingerprint + "; nothing was sent. Look in the daemon's log whether it has a new one"});
    }
    return {};
}

std::string plain_text_refused(const protocol::ServerAddress& address) {
    return address.host + ":" + address.port +
           " is another machine, and whoever sees the way there could read the token: nothing was "
           "sent. Expected the address as the daemon's log tells it, with tls:// before it and "
           "#sha256= behind";
}

base::Result<std::string, NoAnswer> ask_by_tcp(const protocol::ServerAddress& address,
                                               const std::string& request) {
    asio::io_context loop;
    error_code error;
    asio::ip::tcp::socket socket(loop);
    asio::ip::tcp::resolver resolver(loop);
    const auto found = resolver.resolve(address.host, address.port, error);
    if (!error) asio::connect(socket, found, error);
    if (error)
        return base::failure(NoAnswer{"no daemon answers at " + address.host + ":" + address.port +
                                      ": " + error.message()});
    net::watch_peer(socket.native_handle());
    if (!address.tls) {
        if (const auto peer = socket.remote_endpoint(error); error || !peer.address().is_loopback())
            return base::failure(NoAnswer{plain_text_refused(address)});
        return exchange(socket, request);
    }
    asio::ssl::context context(asio::ssl::context::tls_client);
    SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
    context.set_default_verify_paths(error);
    asio::ssl::stream<asio::ip::tcp::socket> stream(std::move(socket), context);
    if (auto begun = begin_tls(stream, address); !begun)
        return base::failure(std::move(begun.error()));
    return exchange(stream, request);
}

}  // namespace

base::Result<std::string, NoAnswer> ask(const Daemon& daemon, const std::string& request) {
    if (daemon.address) return ask_by_tcp(*daemon.address, request);
    asio::io_context loop;
    error_code error;
    asio::local::stream_protocol::socket socket(loop);
    socket.connect(asio::local::stream_protocol::endpoint(daemon.socket), error);
    if (error == asio::error::access_denied) {
        return base::failure(NoAnswer{daemon.socket + ": " + error.message() +
                                      "; only the user that runs the daemon may give it orders"});
    }
    if (error) {
        return base::failure(
            NoAnswer{"no daemon answers at " + daemon.socket + " (" + error.message() +
                     "); expected the folder of a running `referee serve` in --out, or its "
                     "socket in --socket"});
    }
    return exchange(socket, request);
}

}  // namespace referee::control
