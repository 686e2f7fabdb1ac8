// A session over TLS whose bot doesn't read: it is cut as over plain TCP, and hears why.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <string>

#include "referee/net/loop/timers.h"
#include "referee/net/tls/tls_transport.h"
#include "tests/referee/net/session/told_moves.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/net/tls/transport_fixture.h"

namespace referee::tls {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class TlsSession : public ::testing::Test, public session::ToldMoves {
 protected:
    TlsSession() {
        auto link = std::make_unique<MemoryLink>(loop_.get_executor());
        link_ = link.get();
        session_ = std::make_shared<session::Session>(
            "s1",
            std::make_unique<TlsTransport>(std::move(link), *context_, loop_.get_executor(),
                                           PlainPeers{}),
            timers_, *this, session::SessionLimits{}, loop_.get_executor());
        session_->start("1.0");
    }
    ~TlsSession() override {
        session_->close(session::CloseCause::released);
        link_->take(SIZE_MAX);
        loop_.run_for(20ms);
    }

    void run() {
        loop_.restart();
        loop_.poll();
    }
    void let_in() {
        client_.take({});
        for (int i = 0; i < 4; ++i) {
            link_->arrive(client_.records(), {});
            run();
            client_.take(std::exchange(link_->sent, {}));
        }
        session_->logged_in();
    }
    void tell(const std::string& message) {
        protocol::Note note{.code = "old_turn", .message = message};
        session_->send(note);
        session_->flush();
        run();
    }

    const std::shared_ptr<const Context> context_ = fresh_context();
    boost::asio::io_context loop_{1};
    loop::SystemTimers timers_{loop_.get_executor()};
    MemoryLink* link_ = nullptr;
    MemoryClient client_;
    std::shared_ptr<session::Session> session_;
};

// By how many bytes are taken before none are.
class TlsBacklog : public TlsSession, public ::testing::WithParamInterface<std::size_t> {};

TEST_P(TlsBacklog, ABotThatNeverReadsIsCutAndHearsWhyAfterTheLastWholeLine) {
    let_in();
    client_.heard.clear();
    link_->room = GetParam();
    for (int i = 0; i < 2'000 && !cause_; ++i) tell(std::string(1'000, 'x'));
    ASSERT_EQ(cause_, session::CloseCause::backlog);
    EXPECT_FALSE(link_->closed) << "its last words are on the way";
    link_->take(SIZE_MAX);
    run();
    EXPECT_TRUE(link_->closed);
    client_.take(std::exchange(link_->sent, {}));
    std::size_t lines = 0;
    for (std::size_t from = 0; from < client_.heard.size(); ++lines) {
        const auto end = client_.heard.find('\n', from);
        ASSERT_NE(end, std::string::npos);
        const auto line = client_.heard.substr(from, end - from);
        EXPECT_THAT(line, EndsWith("}"));
        EXPECT_EQ(line.find("{\"type\""), 0U);
        from = end + 1;
    }
    EXPECT_GE(lines, 2U);
    EXPECT_THAT(client_.heard, HasSubstr("too much waits to be read"));
    EXPECT_TRUE(client_.said_goodbye);
}

INSTANTIATE_TEST_SUITE_P(Rooms, TlsBacklog, ::testing::Values(0, 1, 100, 5'000, 20'000));

}  // namespace
}  // namespace referee::tls
