#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <string>

#include "referee/net/tls/tls_transport.h"
#include "tests/referee/net/session/line_stamps_fixture.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/net/tls/transport_fixture.h"

// When each line came that lies in a real socket, plain or encrypted. On the loopback it has come
// when the call that sends it returns, so the truth is known.

namespace referee::tls {
namespace {

using namespace std::chrono_literals;
using loop::monotonic_now;

class TlsStamps : public session::MoveStamps {
 protected:
    TlsStamps() {
        auto carrier = accepted(transport::StreamOf::tls_records);
        begin(std::make_unique<TlsTransport>(std::move(carrier), *context_, loop_.get_executor(),
                                             PlainPeers{}));
        client_.take({});
        constexpr int looks_max = 10'000;
        for (int look = 0; look < looks_max && client_.heard.empty(); ++look) {
            if (const auto records = client_.records(); !records.empty()) say(records);
            loop_.run_for(2ms);
            client_.take(received());
        }
        session_->logged_in();
        session_->drain();
    }
    ~TlsStamps() override { end(); }

    std::string received() {
        std::array<char, 64 * 1024> room{};
        if (bot_.available() == 0) return {};
        return {room.data(), bot_.read_some(boost::asio::buffer(room))};
    }
    Stamp say_move() override { return say(client_.record_of(std::string(move))); }

    std::shared_ptr<const Context> context_ = fresh_context();
    MemoryClient client_;
};

template <typename Link>
class Stamps : public Link {};
using Links = ::testing::Types<session::LineStamps, TlsStamps>;
TYPED_TEST_SUITE(Stamps, Links);

TYPED_TEST(Stamps, OfALineAloneAreExactHoweverLateItIsRead) {
    for (int i = 0; i < 5; ++i) {
        const auto truth = this->say_move();
        this->nobody_reads_for(10ms);
        const auto read = monotonic_now();
        this->session_->drain();
        ASSERT_EQ(this->stamps_.size(), 1U);
        EXPECT_EQ(this->stamps_[0].width(), 0ns);
        this->expect_holds(this->stamps_[0], truth);
        EXPECT_LT(this->stamps_[0].latest, read) << "not when it was read or decrypted";
        this->stamps_.clear();
    }
}

TYPED_TEST(Stamps, OfLinesThatLieUnreadTellWhenTheyCame) {
    constexpr int rounds = 10;
    constexpr std::size_t moves = 5;
    // How many the kernel keeps apart is its own affair: nine of ten here, fewer on a busy machine
    // (line_stamps_calm_test.cpp).
    std::cout << this->exact_of(rounds, moves) << " of " << rounds * (moves - 1)
              << " had a stamp of their own\n";
}

TEST_F(TlsStamps, WhatIsSentHasAStampAndShowsTheWay) {
    ASSERT_NE(client_.heard.find("hello"), std::string::npos);
    client_.heard.clear();
    for (int i = 0; i < 20; ++i) {
        protocol::Note note{.code = "old_turn", .message = "x"};
        session_->send(note);
        const auto before = monotonic_now();
        const auto sent = session_->flush();
        EXPECT_GE(sent.latest, before);
        EXPECT_LE(sent.latest, monotonic_now());
        nobody_reads_for(2ms);
        client_.take(received());
        say_move();
        loop_.run_for(2ms);
    }
    EXPECT_NE(client_.heard.find("old_turn"), std::string::npos);
    EXPECT_GT(session_->transport().path(monotonic_now()).least, 0ns);
    EXPECT_EQ(session_->transport().stamp_source(), "kernel receive stamp");
}

}  // namespace
}  // namespace referee::tls
