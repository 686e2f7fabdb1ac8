#include "referee/run/person.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <istream>
#include <mutex>
#include <ostream>
#include <system_error>
#include <thread>

#include "referee/net/pipe_transport.h"

namespace referee::run {
namespace {

namespace asio = boost::asio;

std::unique_ptr<runtime::Transport> transport_on(const asio::any_io_executor& loop, int socket,
                                                 const std::string& peer) {
    const int again = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (again < 0) throw std::system_error(errno, std::generic_category(), "a person's seat");
    return std::make_unique<net::PipeTransport>(loop, socket, again, peer);
}

}  // namespace

struct Person::Lines {
    // The thread posts to the person's loop under it: nobody is gone meanwhile.
    std::mutex mutex;
    Person* person = nullptr;  // null once it is gone, and perhaps its loop with it
    std::istream* in = nullptr;
};

Person::Person(const asio::any_io_executor& loop, std::string name, std::string token,
               const engines::Game& game, StateOf state, std::istream& in, std::ostream& out)
    : loop_(loop),
      name_(std::move(name)),
      token_(std::move(token)),
      game_(game),
      state_(std::move(state)),
      out_(out),
      framer_(protocol::limits::referee_line_bytes_max),
      lines_(std::make_shared<Lines>()) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "a person's seat");
    }
    near_ = transport_on(loop, ends[0], "the referee");
    far_ = transport_on(loop, ends[1], "the terminal");
    lines_->person = this;
    lines_->in = &in;
    asio::co_spawn(loop_, listen(), asio::detached);
    in.tie(nullptr);  // or the thread would flush what the loop writes
    // Reading a terminal can't be interrupted: the thread stays until a line or the end comes.
    std::thread([lines = lines_] {
        std::string line;
        for (bool end = false; !end; line.clear()) {
            end = !std::getline(*lines->in, line);
            const std::lock_guard guard(lines->mutex);
            if (lines->person == nullptr) return;
            asio::post(lines->person->loop_, [lines, line, end] {
                if (lines->person != nullptr) lines->person->on_line(end ? "" : line, end);
            });
        }
    }).detach();
}

Person::~Person() {
    const std::lock_guard guard(lines_->mutex);
    lines_->person = nullptr;
}

std::unique_ptr<runtime::Transport> Person::take_far_end() {
    return std::move(far_);
}

asio::awaitable<void> Person::listen() {
    const auto lines = lines_;
    while (lines->person != nullptr) {
        co_await near_->readable();
        if (lines->person == nullptr) co_return;
        const auto room = framer_.prepare();
        const auto got = near_->read(room);
        if (got.status == runtime::Transport::Status::would_block) continue;
        if (got.status != runtime::Transport::Status::good) co_return;
        framer_.commit(got.bytes);
        for (auto found = framer_.next(); found.what == protocol::Framing::line;
             found = framer_.next()) {
            handle(found.line);
        }
    }
}

void Person::handle(std::string_view line) {
    const auto message = protocol::decode_from_referee(line, document_);
    std::string answer;
    if (std::holds_alternative<protocol::Hello>(message)) {
        protocol::Login login;
        login.name = name_;
        login.token = token_;
        login.client = "a person at the terminal";
        login.games = {game_.info().id};
        protocol::encode(answer, login);
    } else if (const auto* start = std::get_if<protocol::Start>(&message)) {
        game_id_ = start->game_id;
        seat_ = static_cast<engines::Seat>(start->seat);
        protocol::encode(answer, protocol::Ready{game_id_});
    } else if (const auto* turn = std::get_if<protocol::Turn>(&message)) {
        turn_ = turn->turn;
        asked_ = true;
        ask();
    } else if (const auto* ping = std::get_if<protocol::Ping>(&message)) {
        protocol::encode(answer, protocol::Pong{ping->id});
    } else if (const auto* fault = std::get_if<protocol::Fault>(&message)) {
        out_ << fault->message << '\n';
    } else if (const auto* error = std::get_if<protocol::ErrorMessage>(&message)) {
        out_ << error->message << '\n';
    }
    send(answer);
}

void Person::ask() {
    if (!typed_ahead_.empty()) {
        const auto line = typed_ahead_.front();
        typed_ahead_.pop_front();
        on_line(line, false);
        return;
    }
    out_ << "your move, " << name_ << " (such as " << game_.info().move_example
         << "; end with ctrl-D): " << std::flush;
    if (gone_) on_line({}, true);
}

void Person::on_line(const std::string& line, bool end) {
    std::string answer;
    if (end) {
        gone_ = true;
        if (!asked_) return;
        out_ << "\nno more moves: goodbye\n";
        protocol::encode(answer, protocol::Bye{"leaving", ""});
        send(answer);
        return;
    }
    if (!asked_) {
        typed_ahead_.push_back(line);
        return;
    }
    const auto move = game_.move_from_text(line);
    protocol::json::Document document;
    if (!move || document.parse(*move)) {
        out_ << "that is no move; expected something like " << game_.info().move_example << '\n';
        ask();
        return;
    }
    const auto* state = state_();
    if (const auto note = state == nullptr ? std::nullopt : state->check(seat_, document.root())) {
        out_ << note->message << '\n';
        ask();
        return;
    }
    asked_ = false;
    protocol::Move message;
    message.game_id = game_id_;
    message.turn = turn_;
    message.move = *move;
    protocol::encode(answer, message);
    send(answer);
}

// Lines of a person are short and rare: the local socket always has room for one.
void Person::send(const std::string& line) {
    if (!line.empty()) static_cast<void>(near_->write(line));
}

}  // namespace referee::run
