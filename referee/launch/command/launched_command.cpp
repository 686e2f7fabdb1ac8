#include "referee/launch/command/launched_command.h"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace referee::command {
namespace {

// Between two looks at how much it has worked.
constexpr std::chrono::milliseconds look_least{10};
// And at how long it has waited: who ends takes its waits along.
constexpr std::chrono::milliseconds look_most{100};
// Waits for a core make its time at most so many times as long.
constexpr int waits_most = 20;

// Our end of a pipe of the command; false where it can't be used, with the reason.
bool take_over(boost::asio::posix::stream_descriptor& stream, process::Descriptor from,
               std::string& trouble) {
    boost::system::error_code error;
    stream.assign(from.get(), error);
    if (error) {
        trouble = "its pipes can't be used: " + error.message();
        return false;
    }
    static_cast<void>(from.release());
    return true;
}

}  // namespace

LaunchedCommand::LaunchedCommand(boost::asio::any_io_executor executor, process::Launcher& launcher)
    : launcher_(launcher), input_(executor), output_(executor), timer_(executor) {}

LaunchedCommand::~LaunchedCommand() = default;

void LaunchedCommand::begin(CommandOrder order, std::function<void(CommandEnd)> call) {
    order_ = std::move(order);
    call_ = std::move(call);
    launcher_.async_launch(
        order_.spec, life_.while_it_lasts([this](auto result) { launched(std::move(result)); }));
}

void LaunchedCommand::launched(process::LaunchResult result) {
    if (!result) {
        end_.not_launched = result.error();
        std::exchange(call_, nullptr)(std::move(end_));
        return;
    }
    process_ = *std::move(result);
    end_.tier = process_->tier();
    process_->on_error_text([this](std::string_view text) { order_.on_error_text(text); });
    process_->on_exit([this](const auto&) {
        end_.used = std::chrono::microseconds(process_->cpu_time_us());
        timer_.cancel();
        end_of_time_ = std::chrono::steady_clock::time_point::max();  // it kept its time
        process_->kill();                                             // and what it left behind
    });
    process_->on_gone([this] {
        gone_ = true;
        finish_when_over();
    });
    began_ = std::chrono::steady_clock::now();
    end_of_time_ = began_ + order_.time;
    look();
    feed();
    if (take_over(output_, process_->take_output(), end_.trouble)) return read_output();
    output_is_over_ = true;
    process_->kill();
}

// Kills it when its time is over; comes again when that may be.
void LaunchedCommand::look() {
    const auto now = std::chrono::steady_clock::now();
    if (order_.work) end_.used = std::chrono::microseconds(process_->cpu_time_us());
    waited_ = std::max<std::chrono::nanoseconds>(waited_, process_->core_wait_max(now - began_));
    end_of_time_ = began_ + order_.time +
                   std::min<std::chrono::nanoseconds>(waited_, waits_most * order_.time);
    end_.took_too_long = now >= end_of_time_;
    if (end_.took_too_long || (order_.work && end_.used > *order_.work)) return process_->kill();
    auto next = std::min<std::chrono::steady_clock::time_point>(end_of_time_, now + look_most);
    if (order_.work)
        next = std::min<std::chrono::steady_clock::time_point>(
            next, now + std::max<std::chrono::microseconds>(*order_.work - end_.used, look_least));
    timer_.expires_at(next);
    timer_.async_wait(life_.while_it_lasts([this](boost::system::error_code error) {
        if (!error) look();
    }));
}

void LaunchedCommand::feed() {
    auto input = process_->take_input();
    if (order_.input.empty()) return;  // and it is closed
    if (!take_over(input_, std::move(input), end_.trouble)) return process_->kill();
    boost::asio::async_write(
        input_, boost::asio::buffer(order_.input),
        life_.while_it_lasts([this](boost::system::error_code /*it reads no more*/, std::size_t) {
            input_.close();
        }));
}

void LaunchedCommand::read_output() {
    output_.async_read_some(
        boost::asio::buffer(piece_),
        life_.while_it_lasts([this](boost::system::error_code error, std::size_t count) {
            if (count > 0) order_.on_output({piece_.data(), count});
            if (!error) return read_output();
            output_is_over_ = true;
            finish_when_over();
        }));
}

void LaunchedCommand::kill() {
    if (process_) process_->kill();
}

void LaunchedCommand::finish_when_over() {
    if (!gone_ || !output_is_over_ || call_ == nullptr) return;
    timer_.cancel();
    end_.error_tail = process_->error_tail();  // takes in what it printed last
    end_.status = process_->exit_status();
    end_.met = process_->limits_met();
    std::exchange(call_, nullptr)(std::move(end_));
}

}  // namespace referee::command
