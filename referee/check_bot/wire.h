#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/framer.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/transport.h"

namespace referee::check_bot {

// Runs the loop's handlers until then, or until one has run.
void run_one_until(boost::asio::io_context& loop, Instant until);

// One connection of a bot, read line by line by somebody who waits. Waiting runs the loop. Not
// thread safe.
class Wire {
 public:
    struct Line {
        std::string text;
        Instant at;  // when it came
    };

    Wire(boost::asio::io_context& loop, std::unique_ptr<loop::Transport> transport);
    ~Wire();
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    Wire(Wire&&) = delete;
    Wire& operator=(Wire&&) = delete;

    // The next line; nothing where none has come until then, or none can come any more.
    std::optional<Line> next(Instant until);
    // Gives all of it to the kernel. A bot that takes nothing for long is shut out; what one that
    // is gone doesn't take is lost.
    void send(std::string_view bytes);
    // Waits while the loop runs; what comes meanwhile is kept for next().
    void pause(Duration duration);
    void close();
    // False once the connection has ended, by either side.
    bool open() const { return open_; }
    // Why, in words; "its connection ended" where the other side did it.
    const std::string& why() const { return why_; }
    // Ends it for a reason that is the bot's.
    void shut_out(std::string why);

 private:
    boost::asio::awaitable<void> listen();

    boost::asio::io_context& loop_;
    std::unique_ptr<loop::Transport> transport_;
    protocol::Framer framer_;
    std::deque<Line> lines_;
    bool open_ = true;
    std::string why_ = "its connection ended";
    loop::Life life_;
};

}  // namespace referee::check_bot
