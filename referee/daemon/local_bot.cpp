#include "referee/daemon/local_bot.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <system_error>

#include "referee/net/transport/pipe_transport.h"

namespace referee::daemon {
namespace {

namespace asio = boost::asio;

std::unique_ptr<loop::Transport> transport_on(const asio::any_io_executor& loop, int socket,
                                              const std::string& peer) {
    const int again = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (again < 0) throw std::system_error(errno, std::generic_category(), "a local bot's seat");
    return std::make_unique<transport::PipeTransport>(loop, socket, again, peer);
}

}  // namespace

LocalBot::LocalBot(const asio::any_io_executor& loop, Login login, const engines::Game& game)
    : login_(std::move(login)), game_(game), framer_(protocol::limits::referee_line_bytes_max) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "a local bot's seat");
    }
    near_ = transport_on(loop, ends[0], "the referee");
    far_ = transport_on(loop, ends[1], login_.client);
    asio::co_spawn(loop, listen(), asio::detached);
}

LocalBot::~LocalBot() = default;

std::unique_ptr<loop::Transport> LocalBot::take_far_end() {
    return std::move(far_);
}

asio::awaitable<void> LocalBot::listen() {
    const auto lasts = life_.watch();
    while (lasts()) {
        co_await near_->readable();
        if (!lasts()) co_return;
        const auto room = framer_.prepare();
        const auto got = near_->read(room);
        if (got.status == loop::Transport::Status::would_block) continue;
        if (got.status != loop::Transport::Status::good) co_return;
        framer_.commit(got.bytes);
        for (auto found = framer_.next(); found.what == protocol::Framing::line;
             found = framer_.next()) {
            handle(found.line);
        }
    }
}

void LocalBot::handle(std::string_view line) {
    const auto message = protocol::decode_from_referee(line, document_);
    std::string reply;
    if (std::holds_alternative<protocol::Hello>(message)) {
        protocol::Login login;
        login.name = login_.name;
        login.token = login_.token;
        login.client = login_.client;
        login.games = {game_.info().id};
        protocol::encode(reply, login);
    } else if (const auto* start = std::get_if<protocol::Start>(&message)) {
        game_id_ = start->game_id;
        seat_ = static_cast<engines::Seat>(start->seat);
        protocol::encode(reply, protocol::Ready{game_id_});
    } else if (const auto* turn = std::get_if<protocol::Turn>(&message)) {
        turn_ = turn->turn;
        on_turn();
    } else if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
        protocol::encode(reply, protocol::Pong{ping->id});
    } else if (const auto* fault = std::get_if<protocol::Fault>(&message)) {
        on_told(fault->message);
    } else if (const auto* error = std::get_if<protocol::ErrorMessage>(&message)) {
        on_told(error->message);
    }
    send(reply);
}

void LocalBot::answer(std::string_view move) {
    protocol::Move message;
    message.game_id = game_id_;
    message.turn = turn_;
    message.move = move;
    std::string line;
    protocol::encode(line, message);
    send(line);
}

void LocalBot::leave() {
    std::string line;
    protocol::encode(line, protocol::Bye{"leaving", ""});
    send(line);
}

// A bot's lines are short and are sent one at a time, so the local socket always has room for one.
void LocalBot::send(const std::string& line) {
    if (!line.empty()) static_cast<void>(near_->write(line));
}

}  // namespace referee::daemon
