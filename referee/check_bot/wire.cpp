#include "referee/check_bot/wire.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "protocol/limits.h"
#include "referee/net/loop/system_timers.h"

namespace referee::check_bot {
namespace {

// A bot that takes nothing at all for so long is treated as gone, as in a tournament.
constexpr Duration write_time_max = protocol::limits::backlog_time_max;
constexpr Duration write_look_again = std::chrono::milliseconds(2);

}  // namespace

void run_one_until(boost::asio::io_context& loop, Instant until) {
    const auto left = until - loop::monotonic_now();
    if (left <= Duration::zero()) {
        loop.poll_one();
    } else {
        loop.run_one_for(left);
    }
}

Wire::Wire(boost::asio::io_context& loop, std::unique_ptr<loop::Transport> transport)
    : loop_(loop), transport_(std::move(transport)), framer_(protocol::limits::line_bytes_max) {
    boost::asio::co_spawn(loop_, listen(), boost::asio::detached);
}

Wire::~Wire() {
    close();
}

boost::asio::awaitable<void> Wire::listen() {
    const auto lasts = life_.watch();
    while (lasts()) {
        co_await transport_->readable();
        if (!lasts()) co_return;
        const auto got = transport_->read(framer_.prepare());
        if (got.status == loop::Transport::Status::would_block) continue;
        if (got.status != loop::Transport::Status::good) break;
        framer_.commit(got.bytes);
        auto found = framer_.next();
        for (; found.what == protocol::Framing::line; found = framer_.next())
            lines_.push_back({std::string(found.line), got.stamp.latest});
        if (found.what == protocol::Framing::too_long) {
            shut_out("it sent a line of more than " +
                     std::to_string(protocol::limits::line_bytes_max) +
                     " bytes, which closes the connection");
            co_return;
        }
    }
    open_ = false;
}

std::optional<Wire::Line> Wire::next(Instant until) {
    while (lines_.empty() && open_ && loop::monotonic_now() < until) run_one_until(loop_, until);
    if (lines_.empty()) loop_.poll();
    if (lines_.empty()) return std::nullopt;
    auto line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void Wire::send(std::string_view bytes) {
    const auto until = loop::monotonic_now() + write_time_max;
    while (!bytes.empty() && open_ && loop::monotonic_now() < until) {
        const auto written = transport_->write(bytes);
        if (written.status == loop::Transport::Status::good) {
            bytes.remove_prefix(written.bytes);
        } else if (written.status == loop::Transport::Status::would_block) {
            pause(write_look_again);
        } else {
            return;  // what it still has to say can be read
        }
    }
    if (!bytes.empty() && open_)
        shut_out("it did not read what it was sent, so its connection was closed");
}

void Wire::shut_out(std::string why) {
    why_ = std::move(why);
    close();
}

void Wire::pause(Duration duration) {
    const auto until = loop::monotonic_now() + duration;
    while (loop::monotonic_now() < until) run_one_until(loop_, until);
}

void Wire::close() {
    if (transport_ != nullptr) transport_->close();
    open_ = false;
}

}  // namespace referee::check_bot
