#pragma once

#include <iosfwd>
#include <memory>
#include <string>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "protocol/codec.h"
#include "referee/connect/relay/lines.h"
#include "referee/exit_code.h"
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

// What is said to a referee, message by message. All calls wait.
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

// What a bot's owner wants of a daemon that takes programs.
struct SubmitRequest {
    enum class What { hand_in, look, withdraw };
    What what = What::look;
    protocol::ServerAddress address;
    relay::BotIdentity identity;
    std::string source;  // to hand in: an archive, a file or a folder
    bool waits = true;   // until it has logged in, or failed
    bool as_json = false;
    bool terminal = false;  // progress is drawn on one line
};

// Does it, and tells on `out` what came of it; progress and complaints go to `errors`. exit_done:
// it is built, or what was asked is told; exit_no: it does not build, or does not start.
ExitCode fulfil(const SubmitRequest& request, std::ostream& out, std::ostream& errors);

}  // namespace referee::client
