#include "referee/net/control/client.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

namespace referee::control {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// The list of all bots is a daemon's longest answer; this is room enough for it.
constexpr std::size_t answer_bytes_max = 64 * 1024 * 1024;

base::Result<std::string, NoAnswer> exchange(asio::local::stream_protocol::socket& stream,
                                             const std::string& request) {
    error_code error;
    asio::write(stream, asio::buffer(request + '\n'), error);
    std::string answer;
    if (!error)
        asio::read_until(stream, asio::dynamic_buffer(answer, answer_bytes_max), '\n', error);
    if (error) return base::failure(NoAnswer{"the daemon gave no answer: " + error.message()});
    answer.resize(answer.find('\n'));
    return answer;
}

base::Result<std::string, NoAnswer> ask_by_tcp(const protocol::ServerAddress& address,
                                               const std::string& request) {
    auto dialled =
        DialledConnection::dial(address, DialledConnection::PlainText::to_this_machine_alone);
    if (!dialled) return base::failure(std::move(dialled.error()));
    if (auto written = dialled->write(request + '\n'); !written)
        return base::failure(std::move(written.error()));
    return dialled->read_line(answer_bytes_max);
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
