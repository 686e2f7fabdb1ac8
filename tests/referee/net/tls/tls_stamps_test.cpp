#include <gtest/gtest.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <string>
#include <thread>
#include <vector>

#include "referee/net/loop/system_timers.h"
#include "referee/net/session/session.h"
#include "referee/net/tls/tls_transport.h"
#include "referee/net/transport/tcp_transport.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/net/tls/memory_client.h"
#include "tests/referee/net/transport/stamping.h"

// When each line came that lies encrypted in a real socket. On the loopback a record has come when
// the call that sends it returns, so the truth is known.

namespace referee::tls {
namespace {

using namespace std::chrono_literals;
using boost::asio::ip::tcp;
using loop::monotonic_now;

class TlsStamps : public ::testing::Test, public session::SessionEvents {
 protected:
    TlsStamps() {
        transport::await_stamping();
        tcp::acceptor acceptor(loop_, {boost::asio::ip::address_v4::loopback(), 0});
        bot_.connect(acceptor.local_endpoint());
        bot_.set_option(tcp::no_delay(true));
        auto carrier = std::make_unique<transport::TcpTransport>(acceptor.accept(),
                                                                 transport::StreamOf::tls_records);
        session_ = std::make_shared<session::Session>(
            "s1",
            std::make_unique<TlsTransport>(std::move(carrier), *context_, loop_.get_executor(),
                                           PlainPeers{}),
            timers_, *this, session::SessionLimits{}, loop_.get_executor());
        session_->start("1.0");
        client_.take({});
        constexpr int looks_max = 10'000;
        for (int look = 0; look < looks_max && client_.heard.empty(); ++look) {
            send(client_.records());
            loop_.run_for(2ms);
            client_.take(received());
        }
        session_->logged_in();
        session_->drain();
    }
    ~TlsStamps() override {
        session_->close(session::CloseCause::released);
        loop_.run_for(20ms);
    }

    void on_login(session::Session& /*session*/, const protocol::Login& /*login*/) override {}
    bool on_ready(session::Session& /*session*/, const protocol::Ready& /*ready*/) override {
        return true;
    }
    bool on_move(session::Session& /*session*/, const protocol::Move& /*move*/,
                 std::string_view /*line*/, Stamp arrived) override {
        stamps_.push_back(arrived);
        return true;
    }
    void on_pong(session::Session& /*session*/, const protocol::Pong& /*pong*/) override {}
    void on_error(session::Session& /*session*/,
                  const protocol::ProtocolError& /*error*/) override {}
    void on_closed(session::Session& /*session*/, session::CloseCause /*cause*/) override {}

    void send(const std::string& records) {
        if (!records.empty()) boost::asio::write(bot_, boost::asio::buffer(records));
    }
    std::string received() {
        std::array<char, 64 * 1024> room{};
        if (bot_.available() == 0) return {};
        return {room.data(), bot_.read_some(boost::asio::buffer(room))};
    }
    // time: that a record lies there for a while before it is read is what is tested
    static void nobody_reads_for(Duration time) { std::this_thread::sleep_for(time); }
    // The bot sends a record. It came between the two moments.
    Stamp say(const std::string& record) {
        const auto before = monotonic_now();
        send(record);
        return {before, monotonic_now()};
    }
    static void expect_holds(const Stamp& stamp, const Stamp& truth) {
        constexpr Duration reading_error = 100us;  // of the clock with which the kernel stamps
        EXPECT_LE(stamp.earliest, truth.latest + reading_error);
        EXPECT_GE(stamp.latest, truth.earliest - reading_error);
        EXPECT_LE(stamp.earliest, stamp.latest);
    }

    const std::string move_ = "{\"type\":\"move\",\"game_id\":\"g\",\"turn\":1,\"move\":\"L\"}\n";
    std::shared_ptr<const Context> context_ = fresh_context();
    boost::asio::io_context loop_{1};
    loop::SystemTimers timers_{loop_.get_executor()};
    tcp::socket bot_{loop_};
    MemoryClient client_;
    std::shared_ptr<session::Session> session_;
    std::vector<Stamp> stamps_;
};

TEST_F(TlsStamps, ALineAloneIsExactHoweverLateItIsRead) {
    ASSERT_NE(client_.heard.find("hello"), std::string::npos);
    for (int i = 0; i < 5; ++i) {
        const auto truth = say(client_.record_of(move_));
        nobody_reads_for(10ms);
        const auto read = monotonic_now();
        session_->drain();
        ASSERT_EQ(stamps_.size(), 1U);
        EXPECT_EQ(stamps_[0].width(), 0ns);
        expect_holds(stamps_[0], truth);
        EXPECT_LT(stamps_[0].latest, read) << "not when it was decrypted";
        stamps_.clear();
    }
}

TEST_F(TlsStamps, ALineIsThereWithTheBytesThatCompleteItsRecord) {
    const auto record = client_.record_of(move_);
    say(record.substr(0, record.size() - 1));
    nobody_reads_for(5ms);
    session_->drain();
    EXPECT_TRUE(stamps_.empty());
    const auto truth = say(record.substr(record.size() - 1));
    nobody_reads_for(5ms);
    session_->drain();
    ASSERT_EQ(stamps_.size(), 1U);
    EXPECT_EQ(stamps_[0].width(), 0ns);
    expect_holds(stamps_[0], truth);
}

TEST_F(TlsStamps, RecordsThatLieUnreadKeepTheTimeAtWhichTheyCame) {
    constexpr std::size_t moves = 5;
    constexpr int rounds = 10;
    std::size_t exact = 0;
    for (int round = 0; round < rounds; ++round) {
        std::vector<Stamp> truths;
        for (std::size_t i = 0; i < moves; ++i) {
            truths.push_back(say(client_.record_of(move_)));
            nobody_reads_for(3ms);
        }
        session_->drain();
        ASSERT_EQ(stamps_.size(), moves);
        for (std::size_t i = 0; i < moves; ++i) {
            expect_holds(stamps_[i], truths[i]);
            if (i + 1 < moves && stamps_[i].width() == 0ns) ++exact;
        }
        EXPECT_EQ(stamps_.back().width(), 0ns);
        stamps_.clear();
    }
    // How many the kernel keeps apart is its own affair: nine of ten here, fewer on a busy machine.
    std::cout << exact << " of " << rounds * (moves - 1) << " had a stamp of their own\n";
}

TEST_F(TlsStamps, AllLinesOfARecordCameTogether) {
    for (int i = 0; i < 5; ++i) {
        const auto truth = say(client_.record_of(move_ + move_ + move_));
        nobody_reads_for(3ms);
        session_->drain();
        ASSERT_EQ(stamps_.size(), 3U);
        for (const auto& stamp : stamps_) {
            EXPECT_EQ(stamp.width(), 0ns);
            expect_holds(stamp, truth);
        }
        stamps_.clear();
    }
}

TEST_F(TlsStamps, WhatIsSentHasAStampAndShowsTheWay) {
    client_.heard.clear();
    for (int i = 0; i < 20; ++i) {
        protocol::Note note;
        note.code = "old_turn";
        note.message = "x";
        session_->send(note);
        const auto before = monotonic_now();
        const auto sent = session_->flush();
        EXPECT_GE(sent.latest, before);
        EXPECT_LE(sent.latest, monotonic_now());
        nobody_reads_for(2ms);
        client_.take(received());
        say(client_.record_of(move_));
        loop_.run_for(2ms);
    }
    EXPECT_NE(client_.heard.find("old_turn"), std::string::npos);
    EXPECT_GT(session_->transport().path(monotonic_now()).least, 0ns);
    EXPECT_EQ(session_->transport().stamp_source(), "kernel receive stamp");
}

}  // namespace
}  // namespace referee::tls
