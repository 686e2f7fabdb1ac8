#include "referee/office/control/client.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "referee/connections/net/peer_watch.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The list of all bots is a daemon's longest answer; this is room enough for it.
constexpr std::size_t answer_bytes_max = 64 * 1024 * 1024;

template <typename Socket>
base::Result<std::string, NoAnswer> exchange(Socket& socket, const std::string& request) {
    error_code error;
    asio::write(socket, asio::buffer(request + '\n'), error);
    std::string answer;
    if (!error)
        asio::read_until(socket, asio::dynamic_buffer(answer, answer_bytes_max), '\n', error);
    if (error) return base::failure(NoAnswer{"the daemon gave no answer: " + error.message()});
    answer.resize(answer.find('\n'));
    return answer;
}

}  // namespace

base::Result<std::string, NoAnswer> ask(const Daemon& daemon, const std::string& request) {
    asio::io_context loop;
    error_code error;
    if (daemon.host.empty()) {
        asio::local::stream_protocol::socket socket(loop);
        socket.connect(asio::local::stream_protocol::endpoint(daemon.socket), error);
        if (error == asio::error::access_denied) {
            return base::failure(
                NoAnswer{daemon.socket + ": " + error.message() +
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
    asio::ip::tcp::socket socket(loop);
    asio::ip::tcp::resolver resolver(loop);
    const auto found = resolver.resolve(daemon.host, daemon.port, error);
    if (!error) asio::connect(socket, found, error);
    if (error)
        return base::failure(NoAnswer{"no daemon answers at " + daemon.host + ":" + daemon.port +
                                      ": " + error.message()});
    net::watch_peer(socket.native_handle());
    return exchange(socket, request);
}

}  // namespace referee::control
