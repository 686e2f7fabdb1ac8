#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engines/game.h"
#include "protocol/codec.h"
#include "protocol/framer.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/transport.h"

namespace referee::daemon {

// A bot inside the referee's own process: speaks the protocol over a local pair of sockets, on the
// loop's thread. Logs in, gets ready and answers pings by itself; derived classes do the rest.
class LocalBot {
 public:
    struct Login {
        std::string name;
        std::string token;
        std::string client;
    };

    virtual ~LocalBot();
    LocalBot(const LocalBot&) = delete;
    LocalBot& operator=(const LocalBot&) = delete;
    LocalBot(LocalBot&&) = delete;
    LocalBot& operator=(LocalBot&&) = delete;

    // The referee's end of the pair, to be admitted to the lobby. Call it once.
    std::unique_ptr<loop::Transport> take_far_end();

 protected:
    LocalBot(const boost::asio::any_io_executor& loop, Login login, const engines::Game& game);

    // A turn has begun: call answer(), now or later.
    virtual void on_turn() = 0;
    // The bot was told of a fault or an error, in words.
    virtual void on_told(std::string_view message) = 0;

    // Sends the move, which is JSON text.
    void answer(std::string_view move);
    void leave();

    const std::string& name() const { return login_.name; }
    const engines::Game& game() const { return game_; }
    engines::Seat seat() const { return seat_; }

 private:
    boost::asio::awaitable<void> listen();
    void handle(std::string_view line);
    void send(const std::string& line);

    Login login_;
    const engines::Game& game_;
    std::unique_ptr<loop::Transport> near_;
    std::unique_ptr<loop::Transport> far_;
    protocol::Framer framer_;
    protocol::json::Document document_;
    std::string game_id_;
    std::int64_t turn_ = 0;
    engines::Seat seat_ = 0;
    loop::Life life_;
};

}  // namespace referee::daemon
