#pragma once

#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "protocol/codec.h"
#include "referee/connect/relay/identity.h"
#include "referee/net/control/dialled_connection.h"

namespace referee::client {

// Why something was not done.
struct NotDone {
    bool refused = false;  // by the referee: else the way to it failed
    std::string code;      // of the referee's error
    std::string message;
};

template <typename Value>
using Told = base::Result<Value, NotDone>;

// What is said to a referee's desk, message by message. All calls wait.
class SubmissionClient {
 public:
    static Told<std::unique_ptr<SubmissionClient>> begin(const protocol::ServerAddress& address,
                                                         const relay::BotIdentity& identity);

    Told<protocol::Received> announce(const protocol::Submit& file);
    // Nothing where this was the last piece: then the list is there.
    Told<bool> send_piece(std::string_view bytes);
    Told<void> ask();
    Told<void> withdraw();
    // Of the last answer; valid until the next one.
    const protocol::SubmissionList& list() const { return list_; }
    const std::string& list_line() const { return line_; }

 private:
    explicit SubmissionClient(control::DialledConnection dialled) : dialled_(std::move(dialled)) {}

    template <typename Message>
    Told<void> say(const Message& message);
    // The next message of one of these types.
    template <typename... Wanted>
    Told<std::variant<Wanted...>> hear();
    Told<void> hear_list();

    control::DialledConnection dialled_;
    protocol::json::Document document_;
    std::string line_;
    protocol::SubmissionList list_;
};

}  // namespace referee::client
