// A connection of a ctl: each line of any bytes has one answer, a line of JSON, in whatever pieces
// the bytes come and whether the commands answer at once or later. A line that is too long has the
// last answer.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>

#include "referee/net/control/control_server.h"
#include "referee/net/lobby/guesses.h"
#include "referee/net/transport/transports.h"
#include "tests/fuzz/target.h"

namespace fuzz {
namespace {

using Socket = boost::asio::local::stream_protocol::socket;
namespace control = referee::control;

const std::string token = "an admin token";
constexpr std::size_t small_piece_bytes = 5;
constexpr std::size_t pieces_max = 100;  // each is a turn of the loop

// Answers at once or later, by what is asked.
class ScriptedCommands final : public control::ControlCommands {
 public:
    explicit ScriptedCommands(boost::asio::io_context& loop) : loop_(loop) {}
    void carry_out(protocol::json::View request, Answer answer) override {
        const std::string line = "{\"ok\":true,\"message\":\"done\"}\n";
        if (request.find("command").string() == "pause") {
            boost::asio::post(loop_, [line, answer = std::move(answer)] { answer(line); });
        } else {
            answer(line);
        }
    }

 private:
    boost::asio::io_context& loop_;
};

// The time passes only here.
class SteppedTimers final : public referee::loop::Timers {
 public:
    referee::Instant now() const override { return now_; }
    void pass(referee::Duration time) {
        now_ += time;
        run_due();
    }

 private:
    void wake_at(referee::Instant /*at*/) override {}

    referee::Instant now_{};
};

// Longer than the answer to a wrong token is kept back, and too short for anything else to end.
constexpr referee::Duration longest_wait = referee::lobby::try_wait_max;

// What is sent back. The bytes are sent by pieces of this many.
std::string answers_to(std::string_view bytes, std::size_t piece_bytes, const std::string& secret) {
    boost::asio::io_context loop;
    ScriptedCommands commands(loop);
    SteppedTimers timers;
    referee::lobby::Guesses guesses(timers, [](const std::string& /*news*/) {});
    Socket ours(loop);
    Socket theirs(loop);
    boost::asio::local::connect_pair(ours, theirs);
    const int both_ways = theirs.release();
    std::make_shared<control::ControlConnection>(
        std::make_unique<referee::transport::PipeTransport>(loop.get_executor(), both_ways,
                                                            ::dup(both_ways), "192.0.2.7"),
        control::ControlContext{loop.get_executor(), timers,
                                std::make_shared<control::ControlCommands*>(&commands), guesses,
                                secret})
        ->begin();
    ours.non_blocking(true);
    std::string answers;
    const auto take = [&] {
        std::array<char, 4096> buffer{};
        boost::system::error_code error;
        while (const auto size = ours.read_some(boost::asio::buffer(buffer), error))
            answers.append(buffer.data(), size);
    };
    while (!bytes.empty()) {
        boost::system::error_code error;
        bytes.remove_prefix(
            ours.write_some(boost::asio::buffer(bytes.substr(0, piece_bytes)), error));
        loop.poll();
        loop.restart();
        take();
        if (error == boost::asio::error::would_block) {
            timers.pass(longest_wait);
        } else if (error) {
            break;
        }
    }
    for (std::size_t before = answers.size() + 1; before != answers.size();) {
        before = answers.size();
        timers.pass(longest_wait);
        loop.restart();
        loop.poll();
        take();
    }
    boost::system::error_code ignored;
    ours.shutdown(Socket::shutdown_send, ignored);
    loop.restart();
    loop.poll();
    take();
    return answers;
}

// How many answers the bytes must have.
std::size_t lines_of(std::string_view bytes) {
    std::size_t lines = 0;
    while (true) {
        const auto end = bytes.find('\n');
        const bool ended = end != std::string_view::npos;
        if ((ended ? end + 1 : bytes.size()) > referee::control::order_bytes_max) return lines + 1;
        if (!ended) return lines;
        ++lines;
        bytes.remove_prefix(end + 1);
    }
}

Complaint check_answers(const std::string& answers, std::size_t expected) {
    std::string_view rest = answers;
    std::size_t count = 0;
    protocol::json::Document document;
    for (; !rest.empty(); ++count) {
        const auto end = rest.find('\n');
        if (end == std::string_view::npos) return "half an answer: " + std::string(rest);
        if (!document.parse(rest.substr(0, end)) || !document.root().find("ok").boolean())
            return "no answer: " + std::string(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    return count == expected
               ? Complaint()
               : std::to_string(expected) + " requests have " + std::to_string(count) + " answers";
}

}  // namespace

Complaint check_control(std::string_view bytes) {
    const auto expected = lines_of(bytes);
    const auto small = std::max(small_piece_bytes, bytes.size() / pieces_max);
    for (const auto piece_bytes : {bytes.size(), small, referee::control::order_bytes_max}) {
        for (const auto& secret : {std::string(), token}) {
            const auto answers = answers_to(bytes, piece_bytes, secret);
            if (auto wrong = check_answers(answers, expected); !wrong.empty()) return wrong;
        }
    }
    return {};
}

}  // namespace fuzz
