#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <thread>
#include <vector>

#include "referee/connections/net/tcp_transport.h"
#include "referee/connections/runtime/system_timers.h"
#include "referee/connections/session/session.h"
#include "tests/referee/connections/net/stamping.h"

// When each line came, where several lie in the socket. On the loopback a line has come when the
// call that sends it returns, so the truth is known.

namespace referee::session {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using runtime::monotonic_now;

// A session of a bot that has logged in, and the bot's end of the connection.
class LineStamps : public ::testing::Test, public SessionEvents {
 protected:
    LineStamps() {
        net::await_stamping();
        tcp::acceptor acceptor(loop_, {boost::asio::ip::address_v4::loopback(), 0});
        bot_.connect(acceptor.local_endpoint());
        bot_.set_option(tcp::no_delay(true));
        session_ =
            std::make_shared<Session>("s1", std::make_unique<net::TcpTransport>(acceptor.accept()),
                                      timers_, *this, SessionLimits{}, loop_.get_executor());
        session_->start("1.0");
        session_->logged_in();
        loop_.poll();
        session_->drain();
    }
    ~LineStamps() override {
        session_->close(CloseCause::released);
        loop_.run_for(20ms);
    }

    void on_login(Session& /*session*/, const protocol::Login& /*login*/) override {}
    bool on_ready(Session& /*session*/, const protocol::Ready& /*ready*/) override { return true; }
    bool on_move(Session& /*session*/, const protocol::Move& /*move*/, std::string_view /*line*/,
                 Stamp arrived) override {
        stamps_.push_back(arrived);
        return true;
    }
    void on_pong(Session& /*session*/, const protocol::Pong& /*pong*/) override {}
    void on_error(Session& /*session*/, const protocol::ProtocolError& /*error*/) override {
        ++errors_;
    }
    void on_closed(Session& /*session*/, CloseCause /*cause*/) override {}

    // The bot sends bytes. They came between the two moments.
    Stamp say(std::string_view bytes) {
        const auto before = monotonic_now();
        boost::asio::write(bot_, boost::asio::buffer(bytes));
        return {before, monotonic_now()};
    }
    static constexpr std::string_view move =
        "{\"type\":\"move\",\"game_id\":\"g\",\"turn\":1,\"move\":\"L\"}\n";
    static constexpr std::string_view ping = "{\"type\":\"ping\",\"id\":1}\n";
    // The wall clock, with which the kernel stamps, is read to some microseconds.
    static constexpr Duration reading_error = 100us;
    static void expect_holds(const Stamp& stamp, const Stamp& truth) {
        EXPECT_LE(stamp.earliest, truth.latest + reading_error);
        EXPECT_GE(stamp.latest, truth.earliest - reading_error);
        EXPECT_LE(stamp.earliest, stamp.latest);
    }
    // Each comes a while after the one before, and nobody reads.
    std::vector<Stamp> say_apart(std::size_t moves, Duration apart) {
        std::vector<Stamp> truths;
        for (std::size_t i = 0; i < moves; ++i) {
            truths.push_back(say(move));
            std::this_thread::sleep_for(apart);
        }
        return truths;
    }

    boost::asio::io_context loop_{1};
    runtime::SystemTimers timers_{loop_.get_executor()};
    tcp::socket bot_{loop_};
    std::shared_ptr<Session> session_;
    std::vector<Stamp> stamps_;
    int errors_ = 0;
};

TEST_F(LineStamps, a_line_alone_is_exact) {
    for (int i = 0; i < 5; ++i) {
        const auto truth = say(move);
        std::this_thread::sleep_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        EXPECT_EQ(stamps_[0].width(), 0ns);
        expect_holds(stamps_[0], truth);
        stamps_.clear();
    }
}

TEST_F(LineStamps, lines_that_lie_unread_keep_the_time_at_which_they_came) {
    constexpr std::size_t moves = 5;
    constexpr int rounds = 10;
    std::size_t exact = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto truths = say_apart(moves, 3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), moves);
        for (std::size_t i = 0; i < moves; ++i) {
            expect_holds(stamps_[i], truths[i]);
            if (i + 1 < moves && stamps_[i].width() == 0ns) ++exact;
        }
        EXPECT_EQ(stamps_.back().width(), 0ns);
        stamps_.clear();
    }
    // The kernel keeps most lines apart, here nine of ten.
    EXPECT_GT(exact, rounds * (moves - 1) / 4);
}

TEST_F(LineStamps, a_ping_behind_a_move_leaves_no_doubt_before_the_last_look) {
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(5ms);
        session_->drain();  // as before a deadline is judged
        const auto looked = monotonic_now();
        const auto truth = say(std::string(move) + std::string(ping));
        std::this_thread::sleep_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        EXPECT_GE(stamps_[0].earliest, looked - 1ms);
        EXPECT_LT(stamps_[0].latest, truth.latest + reading_error);
        stamps_.clear();
    }
}

TEST_F(LineStamps, lines_of_one_packet_came_together) {
    constexpr int turns = 20;
    int exact = 0;
    for (int i = 0; i < turns; ++i) {
        // Now and then a move comes without a ping.
        const auto truth =
            say(i % 3 == 2 ? std::string(move) : std::string(move) + std::string(ping));
        std::this_thread::sleep_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        if (stamps_[0].width() == 0ns) ++exact;
        stamps_.clear();
    }
    // The first of them is only counted, and a busy machine may spoil another.
    EXPECT_GE(exact, turns - 4);
}

TEST_F(LineStamps, a_line_in_pieces_is_there_with_its_last_byte) {
    for (const bool looked_between : {false, true}) {
        say(move.substr(0, 10));
        std::this_thread::sleep_for(5ms);
        if (looked_between) session_->drain();
        const auto truth = say(move.substr(10));
        std::this_thread::sleep_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        EXPECT_EQ(stamps_[0].width(), 0ns);
        expect_holds(stamps_[0], truth);
        stamps_.clear();
    }
}

TEST_F(LineStamps, the_beginning_of_the_next_line_comes_after_a_line) {
    for (int i = 0; i < 5; ++i) {
        const auto truth = say(move);
        std::this_thread::sleep_for(5ms);
        say(move.substr(0, 10));
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        expect_holds(stamps_[0], truth);
        say(move.substr(10));
        session_->drain();
        ASSERT_EQ(stamps_.size(), 2U);
        stamps_.clear();
    }
}

// Line by line costs calls of the kernel: not for whoever sends thousands of lines at once.
TEST_F(LineStamps, many_lines_at_once_are_read_in_few_calls) {
    say_apart(2, 1ms);
    session_->drain();
    say(std::string(20'000, '\n') + std::string(move));
    const auto before = monotonic_now();
    session_->drain();
    const auto took = monotonic_now() - before;
    EXPECT_EQ(stamps_.size(), 3U);
    EXPECT_EQ(errors_, 0);
    RecordProperty("drained_us", static_cast<int>(in_us(took)));
    std::cout << "20,000 empty lines were drained in " << in_us(took) << " us\n";
}

}  // namespace
}  // namespace referee::session
