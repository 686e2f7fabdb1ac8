#pragma once

#include <memory>
#include <string>

#include "protocol/messages.h"
#include "referee/net/session/session.h"

namespace referee::tournament {

// Takes the programs that bots' owners hand in, has them built, and tells the referee which of them
// play (`Referee::host`).
class SubmissionReceiver {
 public:
    virtual ~SubmissionReceiver() = default;
    // Who hands in has proved the bot's name. Answers on the session, now or later. Returns whether
    // the message was asked for. The message holds views that are valid during the call.
    virtual bool take(const std::string& bot, std::shared_ptr<session::Session> session,
                      const protocol::HandingIn& message) = 0;
};

}  // namespace referee::tournament
