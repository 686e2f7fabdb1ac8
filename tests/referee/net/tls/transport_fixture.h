#pragma once

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "referee/net/loop/wakeup.h"
#include "referee/net/tls/certificate.h"
#include "referee/net/tls/tls_transport.h"
#include "referee/net/transport/transport.h"
#include "tests/referee/net/tls/made_certificates.h"

namespace referee::tls {

// A bot's side of TLS, in memory: records in, records out.
class MemoryClient {
 public:
    explicit MemoryClient(int version_max = TLS1_3_VERSION)
        : context_(SSL_CTX_new(TLS_client_method())) {
        // Old versions are offered too, for servers that must refuse them.
        SSL_CTX_set_security_level(context_.get(), 0);
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_VERSION);
        SSL_CTX_set_max_proto_version(context_.get(), version_max);
        ssl_.reset(SSL_new(context_.get()));
        in_ = BIO_new(BIO_s_mem());
        out_ = BIO_new(BIO_s_mem());
        SSL_set_bio(ssl_.get(), in_, out_);
        SSL_set_connect_state(ssl_.get());
    }

    // Takes records; goes on with the handshake as far as it can.
    void take(const std::string& records) {
        if (!records.empty()) BIO_write(in_, records.data(), static_cast<int>(records.size()));
        ERR_clear_error();
        if (SSL_is_init_finished(ssl_.get()) == 0) SSL_do_handshake(ssl_.get());
        std::array<char, 16 * 1024> text{};
        std::size_t bytes = 0;
        while (SSL_read_ex(ssl_.get(), text.data(), text.size(), &bytes) == 1)
            heard.append(text.data(), bytes);
        said_goodbye = (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
    }
    // What it has to send.
    std::string records() {
        std::string all;
        std::array<char, 16 * 1024> some{};
        for (int bytes = 0; (bytes = BIO_read(out_, some.data(), some.size())) > 0;)
            all.append(some.data(), static_cast<std::size_t>(bytes));
        return all;
    }
    // One record that carries the text.
    std::string record_of(const std::string& text) {
        ERR_clear_error();
        std::size_t bytes = 0;
        if (SSL_write_ex(ssl_.get(), text.data(), text.size(), &bytes) != 1)
            throw std::runtime_error(take_trouble());
        return records();
    }
    std::string goodbye() {
        SSL_shutdown(ssl_.get());
        return records();
    }
    bool is_open() const { return SSL_is_init_finished(ssl_.get()) != 0; }
    SSL* native() { return ssl_.get(); }

    std::string heard;  // as it was before it was encrypted
    bool said_goodbye = false;

 private:
    SslContext context_;
    Ssl ssl_;
    BIO* in_ = nullptr;
    BIO* out_ = nullptr;
};

// What carries a TlsTransport in tests: what comes is put in read by read, each with its stamp, and
// what leaves stays here, as much of it as there is room for.
class MemoryLink final : public transport::Transport {
 public:
    explicit MemoryLink(const boost::asio::any_io_executor& executor)
        : readable_(executor), writable_(executor) {}

    boost::asio::awaitable<void> readable() override {
        while (arrivals.empty() && !closed && !ended) co_await readable_.wait();
    }
    Read read(std::span<char> into) override {
        if (closed) return {Status::closed, 0, {}};
        if (arrivals.empty()) return {ended ? Status::closed : Status::would_block, 0, {}};
        auto& first = arrivals.front();
        auto told = first.told;
        told.status = Status::good;
        told.bytes = std::min(into.size(), first.bytes.size());
        told.ends_at_stamp = told.ends_at_stamp && told.bytes == first.bytes.size();
        std::copy_n(first.bytes.begin(), told.bytes, into.begin());
        first.bytes.erase(0, told.bytes);
        if (first.bytes.empty()) arrivals.pop_front();
        return told;
    }
    boost::asio::awaitable<void> writable() override {
        while (room == 0 && !closed) co_await writable_.wait();
    }
    Write write(std::string_view bytes) override {
        if (closed) return {Status::closed, 0, {}};
        if (room == 0) return {Status::would_block, 0, {}};
        const auto taken = std::min(room, bytes.size());
        room -= taken;
        sent += bytes.substr(0, taken);
        ++writes;
        return {Status::good, taken, sent_at};
    }
    void close() override {
        closed = true;
        readable_.notify();
        writable_.notify();
    }
    Path path(Instant /*now*/) const override { return Path::exact(std::chrono::microseconds(77)); }
    std::string peer() const override { return "192.0.2.7:40312"; }
    std::string peer_address() const override { return "192.0.2.7"; }
    bool stamped_by_kernel() const override { return true; }
    std::string_view stamp_source() const override { return "kernel receive stamp"; }

    // One read of it.
    void arrive(std::string bytes, Stamp stamp, bool ends_at_stamp = true) {
        Read told;
        told.stamp = stamp;
        told.ends_at_stamp = ends_at_stamp;
        if (!bytes.empty()) arrivals.push_back({std::move(bytes), told});
        readable_.notify();
    }
    // It takes so many bytes from now on.
    void take(std::size_t bytes) {
        room = bytes;
        writable_.notify();
    }

    struct Arrival {
        std::string bytes;
        Read told;
    };
    std::deque<Arrival> arrivals;
    bool ended = false;   // by the peer
    bool closed = false;  // by us
    std::string sent;
    Stamp sent_at{};
    std::size_t room = SIZE_MAX;
    int writes = 0;

 private:
    loop::Wakeup readable_;
    loop::Wakeup writable_;
};

using Status = transport::Transport::Status;

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

        friend bool operator==(const Got& a, const Got& b) { return told(a) == told(b); }
        friend void PrintTo(const Got& got, std::ostream* out) { *out << told(got); }
        static std::string told(const Got& got) {
            const auto ns = [](Instant at) {
                return std::to_string(at.time_since_epoch().count());
            };
            return got.text + " from " + ns(got.stamp.earliest) + " to " + ns(got.stamp.latest) +
                   (got.ends_at_stamp ? ", ends" : ", goes on");
        }
    };
    // A text that came between these milliseconds.
    static Got came(std::string text, int earliest, int latest, bool ends) {
        return {std::move(text), Status::good, {at(earliest), at(latest)}, ends};
    }
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
    // The client's first word, or the beginning of it.
    void hello_arrives(std::size_t bytes_max = std::string::npos) {
        client_.take({});
        link_->arrive(client_.records().substr(0, bytes_max), Stamp::exact(at(1)));
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
