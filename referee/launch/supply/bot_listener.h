#pragma once

// Where a launched bot with a network of its own dials in.

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "referee/launch/process/descriptor.h"
#include "referee/net/lobby/lobby.h"
#include "referee/net/transport/listener.h"

namespace referee::supply {

// A socket that listens in the bot's network. What connects there is as good as what connects to
// the referee's own port from this machine, but only this bot can do it.
class BotListener {
 public:
    // A bot needs one connection, and a second one while it comes back. All bots with a network of
    // their own have the same address, so one of them could use up what all may have together.
    static constexpr int connections_max = 4;

    struct Calls {
        std::string bot;  // whose door it is
        // How long a connection may take to log in; nothing: as long as any other.
        std::function<std::optional<Duration>()> login_time_max;
        std::function<void(const std::string& message)> on_remark;
        // A connection of this bot was not taken: why.
        std::function<void(const std::string& why)> on_refused;
    };

    // Null where there is no socket. `lobby` outlives it.
    static std::unique_ptr<BotListener> open(process::Descriptor socket, lobby::Lobby& lobby,
                                             const boost::asio::any_io_executor& executor,
                                             Calls calls);

 private:
    BotListener(std::unique_ptr<transport::Listener> listener, lobby::Lobby& lobby, Calls calls);

    lobby::Lobby& lobby_;
    Calls calls_;
    // How many of its connections are open; each of them shares it.
    std::shared_ptr<int> open_ = std::make_shared<int>(0);
    std::unique_ptr<transport::Listener> listener_;
};

}  // namespace referee::supply
