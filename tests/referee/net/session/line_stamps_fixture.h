#pragma once

// When each line came, where several lie in the socket. On the loopback a line has come when the
// call that sends it returns, so the truth is known.

#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "referee/net/loop/timers.h"
#include "referee/net/transport/transports.h"
#include "tests/referee/net/session/told_moves.h"
#include "tests/referee/net/transport/both_ends.h"

namespace referee::session {

// A session over a real socket, and the bot's end of it.
class MoveStamps : public ::testing::Test, public ToldMoves {
 protected:
    // The referee's end of a connection from the bot.
    std::unique_ptr<transport::TcpTransport> accepted(
        transport::StreamOf stream = transport::StreamOf::lines) {
        return std::make_unique<transport::TcpTransport>(
            loop_.get_executor(), files::Descriptor(sockets_.referee.release()), stream);
    }
    void begin(std::unique_ptr<transport::Transport> transport) {
        session_ = std::make_shared<Session>("s1", std::move(transport), timers_, *this,
                                             SessionLimits{}, loop_.get_executor());
        session_->start("1.0");
    }
    void end() {
        session_->close(CloseCause::released);
        loop_.run_for(std::chrono::milliseconds(20));
    }

    // The bot sends bytes. They came between the two moments.
    Stamp say(std::string_view bytes) {
        const auto before = loop::monotonic_now();
        boost::asio::write(bot_, boost::asio::buffer(bytes));
        return {before, loop::monotonic_now()};
    }
    static constexpr std::string_view move =
        "{\"type\":\"move\",\"game_id\":\"g\",\"turn\":1,\"move\":\"L\"}\n";
    virtual Stamp say_move() { return say(move); }
    // The wall clock, with which the kernel stamps, is read to some microseconds.
    static constexpr Duration reading_error = std::chrono::microseconds(100);
    static void expect_holds(const Stamp& stamp, const Stamp& truth) {
        EXPECT_LE(stamp.earliest, truth.latest + reading_error);
        EXPECT_GE(stamp.latest, truth.earliest - reading_error);
        EXPECT_LE(stamp.earliest, stamp.latest);
    }
    // time: that a line lies there for a while before it is read is what is tested
    static void nobody_reads_for(Duration time) { std::this_thread::sleep_for(time); }
    // Each comes a while after the one before, and nobody reads.
    std::vector<Stamp> say_apart(std::size_t moves, Duration apart) {
        std::vector<Stamp> truths;
        for (std::size_t i = 0; i < moves; ++i) {
            truths.push_back(say_move());
            nobody_reads_for(apart);
        }
        return truths;
    }

    // So many rounds of lines that come apart and are read at once. Returns how many of all lines
    // but the last of each round had their exact time.
    std::size_t exact_of(int rounds, std::size_t moves) {
        std::size_t exact = 0;
        for (int round = 0; round < rounds; ++round) {
            const auto truths = say_apart(moves, std::chrono::milliseconds(3));
            session_->drain();
            EXPECT_EQ(stamps_.size(), moves);
            if (stamps_.size() != moves) return 0;
            for (std::size_t i = 0; i < moves; ++i) {
                expect_holds(stamps_[i], truths[i]);
                if (i + 1 < moves && stamps_[i].width() == Duration::zero()) ++exact;
            }
            EXPECT_EQ(stamps_.back().width(), Duration::zero());
            stamps_.clear();
        }
        return exact;
    }

    transport::Sockets sockets_;
    boost::asio::io_context& loop_ = sockets_.loop;
    boost::asio::ip::tcp::socket& bot_ = sockets_.bot;
    loop::SystemTimers timers_{loop_.get_executor()};
    std::shared_ptr<Session> session_;
};

// The bot has logged in.
class LineStamps : public MoveStamps {
 protected:
    LineStamps() {
        begin(accepted());
        session_->logged_in();
        loop_.poll();
        session_->drain();
    }
    ~LineStamps() override { end(); }

    static constexpr std::string_view ping = "{\"type\":\"ping\",\"id\":1}\n";
};

}  // namespace referee::session
