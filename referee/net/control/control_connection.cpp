#include "referee/net/control/control_connection.h"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <span>
#include <string_view>
#include <utility>

#include "protocol/base/bytes.h"
#include "protocol/limits.h"
#include "referee/limits.h"

namespace referee::control {
namespace {

namespace asio = boost::asio;
using Status = loop::Transport::Status;

// Of an answer, before others have their turn.
constexpr std::size_t piece_bytes_max = 64 * 1024;

}  // namespace

ControlConnection::ControlConnection(std::unique_ptr<loop::Transport> link, CommandsNow commands,
                                     ControlContext context, std::string token, std::string network)
    : link_(std::move(link)),
      commands_(std::move(commands)),
      context_(std::move(context)),
      token_(std::move(token)),
      tried_{std::move(network), "the admin token"} {}

void ControlConnection::begin() {
    close_after(limits::order_time_max);
    read();
}

void ControlConnection::close() {
    if (std::exchange(phase_, Phase::closed) == Phase::closed) return;
    context_.timers.cancel(std::exchange(timer_, 0));
    place_.reset();
    link_->close();
}

void ControlConnection::show_out(const std::string& why) {
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
    while (end == std::string::npos && in_.size() < limits::order_bytes_max) {
        std::array<char, 4096> buffer;
        const auto most = std::min(buffer.size(), limits::order_bytes_max - in_.size());
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
        show_out("expected a request of at most " + std::to_string(limits::order_bytes_max) +
                 " bytes on one line, such as {\"command\":\"status\"}");
    }
    return true;
}

void ControlConnection::close_after(Duration time) {
    context_.timers.cancel(timer_);
    timer_ = context_.timers.schedule(context_.timers.now() + time, [this] {
        timer_ = 0;
        show_out(
            "no whole request came in time; expected one such as {\"command\":\"status\"} on one "
            "line");
    });
}

void ControlConnection::handle(std::size_t bytes) {
    line_ = in_.substr(0, bytes);
    in_.erase(0, bytes);
    if (token_.empty()) return judge();
    const auto wait = context_.guesses.wait_of(tried_);
    if (wait == Duration::zero()) return judge();
    place_ = context_.guesses.take_place(tried_);
    if (place_ == nullptr) {
        return show_out(
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
    if (!token_.empty()) {
        const auto token = request.root().find("token").string().value_or("");
        if (!base::same_secret(token_, token)) {
            context_.guesses.was_wrong(tried_);
            return write(
                refusal("the admin token is missing or wrong; expected the one of the daemon's "
                        "config, in --token"));
        }
        context_.guesses.was_right(tried_);
    }
    trusted_ = true;
    if (piece_) context_.strangers_time->give_back(tried_.network, piece_->end());
    if (*commands_ == nullptr) return write(refusal("the daemon is stopping"));
    (*commands_)->carry_out(request.root(), [self = shared_from_this()](std::string answer) {
        self->write(std::move(answer));
    });
}

void ControlConnection::write(std::string answer) {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::answers;
    close_after(limits::order_time_max);
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
    close_after(limits::order_time_max);
    read();
}

}  // namespace referee::control
