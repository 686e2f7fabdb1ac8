#include "referee/office/control/server.h"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <deque>
#include <type_traits>

#include "protocol/base/secret.h"
#include "protocol/json/writer.h"
#include "referee/connections/net/peer_watch.h"
#include "referee/connections/runtime/life.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
namespace json = protocol::json;
using boost::system::error_code;
using local = asio::local::stream_protocol;
using asio::ip::tcp;

// An order is short: a longer request is not from ctl.
constexpr std::size_t request_bytes_max = 16 * 1024;
// Enough, since instructors are few.
constexpr std::size_t connections_max = 32;
constexpr mode_t others_bits = 0177;
// When descriptors have run out, the server waits so long before it accepts again.
constexpr auto accept_pause = std::chrono::milliseconds(200);

// Points to null once the daemon is stopping.
using CommandsNow = std::shared_ptr<Commands*>;

// One connection of a ctl: a request, its answer, the next request.
template <typename Socket>
class Connection : public std::enable_shared_from_this<Connection<Socket>> {
 public:
    Connection(Socket socket, CommandsNow commands, std::string token)
        : socket_(std::move(socket)), commands_(std::move(commands)), token_(std::move(token)) {}

    void read() {
        auto self = this->shared_from_this();
        asio::async_read_until(socket_, asio::dynamic_buffer(in_, request_bytes_max), '\n',
                               [self](const error_code& error, std::size_t bytes) {
                                   if (!error) self->handle(bytes);
                               });
    }
    void close() {
        error_code ignored;
        socket_.close(ignored);
    }

 private:
    void handle(std::size_t bytes) {
        const std::string line = in_.substr(0, bytes);
        in_.erase(0, bytes);
        json::Document request;
        if (!request.parse(line) || !request.root().is_object()) {
            return write(
                refusal("expected a request such as {\"command\":\"status\"} on one line"));
        }
        if (!token_.empty() &&
            !base::same_secret(token_, request.root().find("token").string().value_or(""))) {
            return write(
                refusal("the admin token is missing or wrong; expected the one of the daemon's "
                        "config, in --token"));
        }
        if (*commands_ == nullptr) return write(refusal("the daemon is stopping"));
        (*commands_)
            ->carry_out(request.root(), [self = this->shared_from_this()](std::string answer) {
                self->write(std::move(answer));
            });
    }
    void write(std::string answer) {
        auto self = this->shared_from_this();
        out_ = std::move(answer);
        asio::async_write(socket_, asio::buffer(out_),
                          [self](const error_code& error, std::size_t /*bytes*/) {
                              if (!error) self->read();
                          });
    }

    Socket socket_;
    CommandsNow commands_;
    std::string token_;
    std::string in_;
    std::string out_;
};

// Accepts on one address.
template <typename Protocol>
class Door {
 public:
    using Socket = typename Protocol::socket;

    Door(const asio::any_io_executor& loop, std::string token)
        : acceptor_(loop), pause_(loop), token_(std::move(token)) {}

    typename Protocol::acceptor& acceptor() { return acceptor_; }
    void accept(const CommandsNow& commands) {
        acceptor_.async_accept(life_.while_it_lasts([this, commands](const error_code& error,
                                                                     Socket socket) {
            if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
            if (error) {
                pause_.expires_after(accept_pause);
                pause_.async_wait(life_.while_it_lasts([this, commands](const error_code& gone) {
                    if (!gone) accept(commands);
                }));
                return;
            }
            std::erase_if(open_, [](const auto& connection) { return connection.expired(); });
            // Otherwise connections from machines that are gone would use up the limit.
            if constexpr (std::is_same_v<Protocol, tcp>) net::watch_peer(socket.native_handle());
            if (open_.size() < connections_max) {
                const auto connection =
                    std::make_shared<Connection<Socket>>(std::move(socket), commands, token_);
                open_.push_back(connection);
                connection->read();
            }
            accept(commands);
        }));
    }
    void close() {
        error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        for (const auto& weak : open_) {
            if (const auto connection = weak.lock()) connection->close();
        }
    }

 private:
    typename Protocol::acceptor acceptor_;
    asio::steady_timer pause_;
    std::string token_;
    std::deque<std::weak_ptr<Connection<Socket>>> open_;
    runtime::Life life_;
};

// Whether somebody answers there.
bool answered(const asio::any_io_executor& loop, const std::string& path) {
    local::socket probe(loop);
    error_code error;
    probe.connect(local::endpoint(path), error);
    return !error;
}

}  // namespace

std::string refusal(const std::string& message) {
    std::string line;
    json::Writer writer(line);
    writer.begin_object().member("ok", false).member("error", message).end_object();
    return line + '\n';
}

class Server::Impl {
 public:
    Impl(asio::any_io_executor executor, Commands& orders)
        : loop(std::move(executor)), commands(std::make_shared<Commands*>(&orders)) {}

    asio::any_io_executor loop;
    CommandsNow commands;
    std::unique_ptr<Door<local>> unix_door;
    std::unique_ptr<Door<tcp>> tcp_door;
    std::string path;
};

Server::Server(const asio::any_io_executor& loop, Commands& commands)
    : impl_(std::make_unique<Impl>(loop, commands)) {}

Server::~Server() {
    close();
}

base::Result<void, ControlError> Server::listen_unix(const std::string& path) {
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
    auto door = std::make_unique<Door<local>>(impl_->loop, std::string());
    error_code error;
    auto& acceptor = door->acceptor();
    acceptor.open(local(), error);
    const auto mask = umask(others_bits);
    if (!error) acceptor.bind(local::endpoint(path), error);
    umask(mask);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return failed(error.message());
    impl_->path = path;
    impl_->unix_door = std::move(door);
    impl_->unix_door->accept(impl_->commands);
    return {};
}

base::Result<void, ControlError> Server::listen_tcp(const std::string& address, std::uint16_t port,
                                                    const std::string& token) {
    const auto failed = [&](const std::string& why) {
        return base::failure(ControlError{"can't listen for ctl on " + address + ":" +
                                          std::to_string(port) + ": " + why});
    };
    error_code error;
    const auto parsed = asio::ip::make_address(address, error);
    if (error) return failed("expected an address such as \"127.0.0.1\"");
    auto door = std::make_unique<Door<tcp>>(impl_->loop, token);
    const tcp::endpoint endpoint(parsed, port);
    auto& acceptor = door->acceptor();
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return failed(error.message());
    impl_->tcp_door = std::move(door);
    impl_->tcp_door->accept(impl_->commands);
    return {};
}

std::string Server::tcp_endpoint() const {
    if (impl_->tcp_door == nullptr) return {};
    const auto endpoint = impl_->tcp_door->acceptor().local_endpoint();
    return endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

void Server::close() {
    *impl_->commands = nullptr;
    if (impl_->unix_door != nullptr) impl_->unix_door->close();
    if (impl_->tcp_door != nullptr) impl_->tcp_door->close();
    if (!impl_->path.empty()) unlink(impl_->path.c_str());
    impl_->path.clear();
}

}  // namespace referee::control
