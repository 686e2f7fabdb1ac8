#pragma once

#include <iosfwd>
#include <string>

#include "protocol/address.h"
#include "referee/connect/relay/lines.h"
#include "referee/exit_code.h"

namespace referee::client {

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
ExitCode submit(const SubmitRequest& request, std::ostream& out, std::ostream& errors);

}  // namespace referee::client
