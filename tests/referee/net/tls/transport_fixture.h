#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "referee/net/tls/tls_transport.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/net/tls/memory_client.h"
#include "tests/referee/net/tls/memory_link.h"

namespace referee::tls {

using Status = loop::Transport::Status;

inline Instant at(int ms) {
    return Instant{} + std::chrono::milliseconds(ms);
}

inline const std::string plain_answer = "this port expects TLS\n";

// A TlsTransport, what carries it, and a client that speaks to it.
class TlsTransportTest : public ::testing::Test {
 protected:
    explicit TlsTransportTest(int version_max = TLS1_3_VERSION) : client_(version_max) {
        auto link = std::make_unique<MemoryLink>(loop_.get_executor());
        link_ = link.get();
        transport_ = std::make_unique<TlsTransport>(
            std::move(link), *shared_context(), loop_.get_executor(),
            PlainPeers{plain_answer, [this] { return had_time_; },
                       [this](const auto& peer, const std::string& why) {
                           refused_.push_back(peer.peer() + ": " + why);
                       }});
    }
    // Making a key takes a while: one is enough for all tests.
    static const std::shared_ptr<const Context>& shared_context() {
        static const auto context = fresh_context();
        return context;
    }

    struct Got {
        std::string text;
        Status status = Status::would_block;
        Stamp stamp{};
        bool ends_at_stamp = false;
    };
    Got read(std::size_t room_bytes = 4096) {
        std::string room(room_bytes, '\0');
        const auto got = transport_->read(room);
        return {room.substr(0, got.bytes), got.status, got.stamp, got.ends_at_stamp};
    }
    // All that has come.
    std::vector<Got> read_all() {
        std::vector<Got> all;
        for (auto got = read(); got.status == Status::good; got = read()) all.push_back(got);
        return all;
    }
    std::string two_records() {
        const auto first = client_.record_of("one\n");
        return first + client_.record_of("two\n");
    }
    std::string taken_from_link() { return std::exchange(link_->sent, {}); }
    void shake_hands() {
        client_.take({});
        for (int i = 0; i < 4; ++i) {
            link_->arrive(client_.records(), Stamp::exact(at(1)));
            EXPECT_EQ(read().status, Status::would_block);
            client_.take(taken_from_link());
        }
        ASSERT_TRUE(client_.is_open());
    }
    // Whether a waiter would go on now.
    template <typename Wait>
    bool goes_on(Wait wait) {
        bool done = false;
        boost::asio::co_spawn(
            loop_,
            [](TlsTransport& transport, Wait member, bool& over) -> boost::asio::awaitable<void> {
                co_await (transport.*member)();
                over = true;
            }(*transport_, wait, done),
            [](const std::exception_ptr&) {});
        loop_.restart();
        loop_.poll();
        const bool went_on = done;
        if (!went_on) {  // it must not outlive the test
            transport_->close();
            loop_.restart();
            loop_.poll();
        }
        return went_on;
    }

    boost::asio::io_context loop_{1};
    MemoryLink* link_ = nullptr;
    std::unique_ptr<TlsTransport> transport_;
    MemoryClient client_;
    std::vector<std::string> refused_;
    bool had_time_ = false;
};

}  // namespace referee::tls
