#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "protocol/codec.h"
#include "protocol/framer.h"

namespace protocol::testing {

// The referee's end of a connection, led by a test: says lines, and waits for the bot's.
class RefereeEnd {
 public:
    // Owns the descriptors (the same twice for a socket).
    RefereeEnd(int in, int out) : in_(in), out_(out), framer_(limits::line_bytes_max) {}
    ~RefereeEnd() { close(); }
    RefereeEnd(const RefereeEnd&) = delete;
    RefereeEnd& operator=(const RefereeEnd&) = delete;

    void close() {
        if (in_ >= 0) ::close(in_);
        if (out_ >= 0 && out_ != in_) ::close(out_);
        in_ = out_ = -1;
    }

    void say(std::string line) {
        line += '\n';
        const auto sent = ::write(out_, line.data(), line.size());
        EXPECT_EQ(sent, static_cast<ssize_t>(line.size())) << line;
    }
    template <typename Message>
    void say_message(const Message& message) {
        std::string line;
        encode(line, message);
        line.pop_back();
        say(line);
    }

    // The bot's next line; empty where the connection is over or nothing came for long.
    std::string hear() {
        while (true) {
            const auto found = framer_.next();
            if (found.what == Framing::line) return std::string(found.line);
            const auto room = framer_.prepare();
            const auto bytes = ::read(in_, room.data(), room.size());
            if (bytes <= 0) return {};
            framer_.commit(static_cast<std::size_t>(bytes));
        }
    }

    // The next line as the message that it should be.
    template <typename Message>
    Message hear_message() {
        line_ = hear();
        const auto message = decode_from_bot(line_, document_);
        if (const auto* const good = std::get_if<Message>(&message)) return *good;
        ADD_FAILURE() << "heard: " << line_;
        return {};
    }

    // Hello, login, welcome.
    Login let_in() {
        say_message(Hello{protocol_version, "referee", "0", "s1", {}});
        auto login = hear_message<Login>();
        say_message(Welcome{login.name, "s1", protocol_version, 1, login.state, login.games});
        return login;
    }

 private:
    int in_;
    int out_;
    Framer framer_;
    std::string line_;
    json::Document document_;
};

// A port of this machine that a bot can connect to.
class FakeReferee {
 public:
    FakeReferee() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* const plain = reinterpret_cast<sockaddr*>(&address);
        socklen_t size = sizeof address;
        const bool good = ::bind(listener_, plain, size) == 0 && ::listen(listener_, 8) == 0 &&
                          ::getsockname(listener_, plain, &size) == 0;
        EXPECT_TRUE(good);
        give_up_after(listener_);
        address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    }
    ~FakeReferee() { ::close(listener_); }
    FakeReferee(const FakeReferee&) = delete;
    FakeReferee& operator=(const FakeReferee&) = delete;

    const std::string& address() const { return address_; }

    RefereeEnd accept() const {
        const int fd = ::accept(listener_, nullptr, nullptr);
        EXPECT_GE(fd, 0);
        give_up_after(fd);
        return {fd, fd};
    }

 private:
    // A test that waits in vain fails instead of hanging.
    static void give_up_after(int fd) {
        constexpr timeval patience{20, 0};
        ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }

    int listener_;
    std::string address_;
};

inline Start start_of(std::string_view game_id, std::string_view state) {
    return {"m1", game_id, 1, 1, "walls", 0, {"a", "b"}, "{}", {}, 0, state, false};
}

inline Turn turn_of(std::string_view game_id, std::int64_t number, std::string_view state) {
    Turn turn;
    turn.game_id = game_id;
    turn.turn = number;
    turn.budget_us = 1'000'000;
    turn.state = state;
    return turn;
}

inline End end_of(std::string_view game_id) {
    return {game_id, R"({"scores":[2,0],"placing":[1,2],"detail":{}})", {}, 1, 1, "over"};
}

}  // namespace protocol::testing
