#include "referee/net/control/control_server.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <deque>
#include <span>
#include <string_view>
#include <utility>

#include "protocol/address.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "protocol/json/writer.h"
#include "protocol/limits.h"
#include "referee/net/tls/tls_transport.h"
#include "referee/net/transport/listener.h"
#include "referee/net/transport/transports.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
using Status = transport::Transport::Status;

// Of an answer, before others have their turn.
constexpr std::size_t piece_bytes_max = 64 * 1024;

using boost::system::error_code;
using local = asio::local::stream_protocol;

constexpr mode_t others_bits = 0177;

// Whether somebody answers there.
bool answered(const asio::any_io_executor& loop, const std::string& path) {
    local::socket probe(loop);
    error_code error;
    probe.connect(local::endpoint(path), error);
    return !error;
}

std::unique_ptr<transport::Transport> local_link(const asio::any_io_executor& executor,
                                                 files::Descriptor socket) {
    const int to = ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0);
    auto link =
        std::make_unique<transport::PipeTransport>(executor, socket.release(), to, "this machine");
    // No descriptor is left: an order that can't be answered isn't carried out.
    if (to < 0) link->close();
    return link;
}

std::unique_ptr<transport::Transport> tcp_link(const asio::any_io_executor& executor,
                                               files::Descriptor socket) {
    return std::make_unique<transport::TcpTransport>(executor, std::move(socket));
}

std::unique_ptr<transport::Transport> tls_link(const asio::any_io_executor& executor,
                                               files::Descriptor socket,
                                               const tls::Context& context) {
    return std::make_unique<tls::TlsTransport>(
        std::make_unique<transport::TcpTransport>(executor, std::move(socket),
                                                  transport::StreamOf::tls_records),
        context, executor,
        tls::PlainPeers{
            refusal("this port expects TLS; give its address to ctl as the daemon's log tells it: "
                    "--address tls://HOST:PORT#sha256=..."),
            nullptr, nullptr});
}

}  // namespace

ControlConnection::ControlConnection(std::unique_ptr<transport::Transport> link,
                                     ControlContext context)
    : link_(std::move(link)),
      context_(std::move(context)),
      tried_{lobby::network_of(link_->peer_address()), "the admin token"} {}

void ControlConnection::begin() {
    close_after(order_time_max);
    read();
}

void ControlConnection::close() {
    if (std::exchange(phase_, Phase::closed) == Phase::closed) return;
    context_.timers.cancel(std::exchange(timer_, 0));
    place_.reset();
    link_->close();
}

void ControlConnection::refuse(const std::string& why) {
    if (phase_ != Phase::closed && phase_ != Phase::answers) link_->write(refusal(why));
    close();
}

int ControlConnection::idleness() const {
    if (phase_ != Phase::waits) return 0;
    return trusted_ ? 1 : 2;
}

void ControlConnection::read() {
    asio::co_spawn(context_.executor, read_request(shared_from_this()), asio::detached);
}

asio::awaitable<void> ControlConnection::read_request(Self /*keeps this alive*/) {
    while (phase_ != Phase::closed) {
        if (context_.strangers_time != nullptr && !trusted_)
            piece_.emplace(co_await context_.strangers_time->turn(tried_.network));
        const bool is_over = phase_ == Phase::closed || take_request();
        piece_.reset();
        if (is_over) co_return;
        co_await link_->readable();
    }
}

bool ControlConnection::take_request() {
    auto end = in_.find('\n');
    while (end == std::string::npos && in_.size() < order_bytes_max) {
        std::array<char, 4096> buffer;
        const auto most = std::min(buffer.size(), order_bytes_max - in_.size());
        const auto read = link_->read(std::span(buffer).first(most));
        if (read.status == Status::would_block) return false;
        if (read.status != Status::good) {
            close();
            return true;
        }
        in_.append(buffer.data(), read.bytes);
        end = in_.find('\n');
    }
    if (end != std::string::npos) {
        handle(end + 1);
    } else {
        // The last answer: where the next request begins is not known.
        refuse(
            fmt::format("expected a request of at most {} bytes on one line, such as "
                        "{{\"command\":\"status\"}}",
                        order_bytes_max));
    }
    return true;
}

void ControlConnection::close_after(Duration time) {
    context_.timers.cancel(timer_);
    timer_ = context_.timers.schedule(context_.timers.now() + time, [this] {
        timer_ = 0;
        refuse(
            "no whole request came in time; expected one such as {\"command\":\"status\"} on one "
            "line");
    });
}

void ControlConnection::handle(std::size_t bytes) {
    line_ = in_.substr(0, bytes);
    in_.erase(0, bytes);
    if (context_.token.empty()) return judge();
    const auto wait = context_.guesses.wait_of(tried_);
    if (wait == Duration::zero()) return judge();
    place_ = context_.guesses.take_place(tried_);
    if (place_ == nullptr) {
        return refuse(
            "too many requests from your address wait for an answer, because a wrong admin token "
            "was sent again and again; come back in some seconds");
    }
    phase_ = Phase::delayed;
    context_.timers.cancel(timer_);
    timer_ = context_.timers.schedule(context_.timers.now() + wait, [self = shared_from_this()] {
        self->timer_ = 0;
        self->place_.reset();
        self->judge();
    });
}

void ControlConnection::judge() {
    phase_ = Phase::carries_out;
    context_.timers.cancel(std::exchange(timer_, 0));
    protocol::json::Document request;
    if (!request.parse(line_, {.depth_max = protocol::limits::depth_max}) ||
        !request.root().is_object())
        return write(refusal("expected a request such as {\"command\":\"status\"} on one line"));
    if (request.root().find("type"))
        return write(
            refusal("this port takes orders of `referee ctl`; bots dial in at another one, which "
                    "the daemon's log tells"));
    if (!context_.token.empty()) {
        const auto token = request.root().find("token").text();
        if (!base::same_secret(context_.token, token)) {
            context_.guesses.was_wrong(tried_);
            return write(
                refusal("the admin token is missing or wrong; expected the one of the daemon's "
                        "config, in --token"));
        }
        context_.guesses.was_right(tried_);
    }
    trusted_ = true;
    if (piece_) context_.strangers_time->give_back(tried_.network, piece_->end());
    auto* const commands = *context_.commands;
    if (commands == nullptr) return write(refusal("the daemon is stopping"));
    commands->carry_out(request.root(), [self = shared_from_this()](std::string answer) {
        self->write(std::move(answer));
    });
}

void ControlConnection::write(std::string answer) {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::answers;
    close_after(order_time_max);
    out_ = std::move(answer);
    asio::co_spawn(context_.executor, write_answer(shared_from_this()), asio::detached);
}

asio::awaitable<void> ControlConnection::write_answer(Self /*keeps this alive*/) {
    for (std::string_view rest = out_; !rest.empty() && phase_ != Phase::closed;) {
        const auto written = link_->write(rest.substr(0, piece_bytes_max));
        rest.remove_prefix(written.bytes);
        if (written.status == Status::would_block) {
            co_await link_->writable();
        } else if (written.status == Status::good) {
            co_await asio::post(context_.executor, asio::use_awaitable);
        } else {
            close();
        }
    }
    if (phase_ == Phase::closed) co_return;
    phase_ = Phase::waits;
    close_after(order_time_max);
    read();
}

// Where orders come in: an address, and the connections that were made to it.
class ControlServer::Acceptor {
 public:
    // What a new connection speaks through.
    using MakeLink = std::function<std::unique_ptr<transport::Transport>(
        const asio::any_io_executor& executor, files::Descriptor socket)>;

    Acceptor(std::unique_ptr<transport::Listener> listener, ControlContext context,
             MakeLink make_link)
        : listener_(std::move(listener)),
          context_(std::move(context)),
          make_link_(std::move(make_link)) {
        listener_->start_with_sockets(
            [this](const auto& executor, auto socket) {
                admit(make_link_(executor, std::move(socket)));
            },
            [](const std::string& /*reason*/) {}, context_.strangers_time, "newcomers with orders");
    }

    std::string endpoint() const { return listener_->endpoint(); }
    void close() {
        listener_->close();
        for (const auto& weak : open_) {
            if (const auto connection = weak.lock()) connection->close();
        }
    }

 private:
    void admit(std::unique_ptr<transport::Transport> link) {
        make_room();
        const auto connection = std::make_shared<ControlConnection>(std::move(link), context_);
        open_.push_back(connection);
        connection->begin();
    }
    void make_room() {
        std::erase_if(open_, [](const auto& weak) {
            const auto connection = weak.lock();
            return connection == nullptr || connection->closed();
        });
        if (open_.size() < order_connections_max) return;
        // The oldest of the most idle ones.
        const auto first_to_go =
            std::max_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
                return a.lock()->idleness() < b.lock()->idleness();
            });
        first_to_go->lock()->refuse("others want this place; come back when you have an order");
        open_.erase(first_to_go);
    }

    std::unique_ptr<transport::Listener> listener_;
    ControlContext context_;
    MakeLink make_link_;
    std::deque<std::weak_ptr<ControlConnection>> open_;
};

std::string refusal(const std::string& message) {
    return protocol::json::object_text(
               [&message](auto& writer) { writer.member("ok", false).member("error", message); }) +
           '\n';
}

ControlServer::ControlServer(const asio::any_io_executor& loop, loop::Timers& timers,
                             ControlCommands& commands, OnGuessing on_guessing)
    : guesses_(timers, std::move(on_guessing)),
      context_{loop, timers, std::make_shared<ControlCommands*>(&commands), guesses_} {}

ControlServer::~ControlServer() {
    close();
}

base::Result<void, std::string> ControlServer::listen_unix(const std::string& path) {
    const auto failed = [&path](const std::string& why, const std::string& remedy) {
        return base::failure("can't listen for ctl on " + path + ": " + why + "; " + remedy +
                             " as \"control\": {\"socket\": ...} in the config");
    };
    if (path.size() >= sizeof(sockaddr_un::sun_path))
        return failed(
            fmt::format("the path is longer than the {} bytes that a Unix socket may have",
                        sizeof(sockaddr_un::sun_path) - 1),
            "give a shorter one");
    struct stat there {};
    if (lstat(path.c_str(), &there) == 0) {
        if (!S_ISSOCK(there.st_mode))
            return failed("there is a file of that name, which is no socket",
                          "move it away, or give another path");
        if (answered(context_.executor, path))
            return failed("another daemon listens there", "stop that one, or give another path");
        unlink(path.c_str());
    }
    error_code error;
    local::acceptor acceptor(context_.executor);
    acceptor.open(local(), error);
    const auto mask = umask(others_bits);
    if (!error) acceptor.bind(local::endpoint(path), error);
    umask(mask);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) return failed(error.message(), "give a path where this user may make a socket");
    auto listening = transport::Listener::adopt(context_.executor, acceptor.release());
    if (!listening) return base::failure(listening.error());
    path_ = path;
    unix_acceptor_ = std::make_unique<Acceptor>(*std::move(listening), context_, local_link);
    return {};
}

base::Result<void, std::string> ControlServer::listen_tcp(const std::string& address,
                                                          std::uint16_t port,
                                                          const std::string& token,
                                                          loop::TimeShare& strangers_time,
                                                          std::optional<Encryption> encryption) {
    auto listening = transport::Listener::open(context_.executor, address, port, "control");
    if (!listening) return base::failure("orders of ctl: " + listening.error());
    Acceptor::MakeLink make_link = tcp_link;
    if (encryption) {
        make_link = [context = encryption->context](const auto& executor, auto socket) {
            return tls_link(executor, std::move(socket), *context());
        };
    }
    auto context = context_;
    context.token = token;
    context.strangers_time = &strangers_time;
    tcp_acceptor_ =
        std::make_unique<Acceptor>(*std::move(listening), std::move(context), std::move(make_link));
    encryption_ = std::move(encryption);
    return {};
}

std::string ControlServer::tcp_endpoint() const {
    return tcp_acceptor_ == nullptr ? std::string() : tcp_acceptor_->endpoint();
}

std::string ControlServer::tcp_address() const {
    auto endpoint = tcp_endpoint();
    if (!encryption_) return endpoint;
    return protocol::to_text({.host = encryption_->host,
                              .port = endpoint.substr(endpoint.rfind(':') + 1),
                              .tls = true,
                              .fingerprint = encryption_->context()->fingerprint()});
}

void ControlServer::close() {
    *context_.commands = nullptr;
    if (unix_acceptor_ != nullptr) unix_acceptor_->close();
    if (tcp_acceptor_ != nullptr) tcp_acceptor_->close();
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
}

}  // namespace referee::control
