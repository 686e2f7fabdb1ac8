#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "protocol/codec.h"
#include "sample_bots/cpp/kit/bot.h"
#include "sample_bots/cpp/kit/connection.h"
#include "sample_bots/cpp/kit/options.h"
#include "sample_bots/cpp/kit/patched_state.h"

namespace kit {

// How a connection ended.
enum class Ending : std::uint8_t {
    finished,  // the referee said goodbye
    refused,   // it did not let us in, or showed us out
    lost,      // it ended without a goodbye
};

// The bot's side of the protocol: logs in, makes a player for each game and lets it answer.
// Players outlive a lost connection: called again, play() takes their games up where they are.
class Client {
 public:
    // All three must outlive the client.
    Client(const Options& options, const BotInfo& info, const MakePlayer& make_player)
        : options_(options), info_(info), make_player_(make_player) {}

    Ending play(Connection& connection);

    // About the last play(): whether a game was on when it came back, whether it got past the
    // login.
    bool is_playing() const { return !games_.empty(); }
    bool was_welcomed() const { return welcomed_; }

 private:
    struct Game {
        std::unique_ptr<Player> player;
        std::unique_ptr<PatchedState> state;  // where deltas are sent
        protocol::ClockTerms clock;
        bool resumed = false;  // since the last connection
    };

    // What each message makes us do; those without a line here are passed over.
    void handle(const protocol::Hello& hello);
    void handle(const protocol::Welcome& welcome);
    void handle(const protocol::Start& start);
    void handle(const protocol::Turn& turn);
    void handle(const protocol::Fault& fault);
    void handle(const protocol::Note& note);
    void handle(const protocol::End& end);
    void handle(const protocol::Ping& ping);
    void handle(const protocol::Bye& bye);
    void handle(const protocol::ErrorMessage& error);
    void handle(const protocol::ProtocolError& error);
    template <typename Other>
    void handle(const Other& /*of no interest*/) {}

    json::View state_of(Game& game, const protocol::Turn& turn);
    void say(std::string_view about, std::string_view message) const;

    const Options& options_;
    const BotInfo& info_;
    const MakePlayer& make_player_;
    protocol::json::Document document_;
    std::string out_;
    std::string move_;
    std::map<std::string, Game, std::less<>> games_;
    bool welcomed_ = false;
    std::string goodbye_;  // the reason, once it was said
};

}  // namespace kit
