#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/codec.h"
#include "referee/check_bot/observations.h"
#include "referee/check_bot/wire.h"

namespace referee::check_bot {

// How the referee says what it has to say: each is allowed by the protocol, and a bot must bear it.
struct LineStyle {
    bool unknown_members = false;   // each message has members that no version knows yet
    bool unknown_messages = false;  // before each comes a message of a type that none knows yet
    bool in_pieces = false;         // a message comes in small pieces, with pauses between them
};

// What a login said.
struct LoginTold {
    std::string name;
    std::string token;
    std::vector<std::string> games;
    bool delta = false;
};

// A connection of the bot that is examined: hello, login, and what both say then. Pings are
// answered, and lines that are no message are answered as the referee does, and noted.
class BotConnection {
 public:
    BotConnection(std::unique_ptr<Wire> wire, BotObservations& observations)
        : wire_(std::move(wire)), observations_(observations) {}

    // Says hello and waits for the login. Nothing where none came: then why() tells.
    std::optional<LoginTold> log_in(std::string_view session, Instant until);
    void welcome(const LoginTold& login, const std::vector<std::string>& games);

    // Says whole lines, each ended by a line feed, in the present manner.
    void say(std::string_view lines);
    void set_manner(LineStyle manner) { manner_ = manner; }

    struct Heard {
        protocol::FromBot message;  // valid until the next hear()
        std::string line;
        Instant at;
    };
    // The next good message; nothing where none came until then.
    std::optional<Heard> hear(Instant until);
    // Notes a good message that nobody had asked for.
    void note_unasked(const std::string& line, std::string why);

    bool open() const { return wire_->open(); }
    // Why it is open no more, in words.
    const std::string& why_closed() const { return wire_->why(); }
    void pause(Duration duration) { wire_->pause(duration); }
    void close() { wire_->close(); }
    const std::string& why() const { return why_; }
    bool said_goodbye() const { return goodbye_; }

 private:
    void answer_mistake(protocol::ProtocolError error, const std::string& line);
    // Whether the bot sends far more than it was asked for; then it is shut out.
    bool floods();

    std::unique_ptr<Wire> wire_;
    BotObservations& observations_;
    LineStyle manner_;
    protocol::json::Document document_;
    std::uint64_t texts_ = 0;
    std::size_t mistakes_ = 0;
    std::size_t unasked_ = 0;
    std::size_t heard_since_said_ = 0;  // lines, since it was last told something of a game
    std::string why_;
    std::string session_;
    bool goodbye_ = false;
};

}  // namespace referee::check_bot
