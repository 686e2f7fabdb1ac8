#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engines/registry.h"
#include "referee/check_bot/bot_connection.h"
#include "referee/check_bot/entrance.h"
#include "referee/check_bot/trial_game.h"

namespace referee::check_bot {

struct CheckBotOptions {
    std::string name;                         // that the bot is given
    std::string token;                        // the same; empty: none is asked
    std::string program;                      // its command, for the report
    std::vector<std::string> games;           // to be played; empty: all that its login names
    std::optional<clock::ClockConfig> clock;  // none: each game's own
    bool plain_games_only = false;            // the program knows its handout's setup alone
    Duration start_within = std::chrono::seconds(30);
    // Told what the examiner waits for, where that takes a person.
    std::function<void(const std::string&)> on_waiting;
};

// What the corners have in common: the bot, its connection, and games with it. A bot that has
// fallen in one corner is started anew for the next, so that each corner is judged by itself.
class BotChecker {
 public:
    // All references outlive this.
    BotChecker(boost::asio::io_context& loop, Entrance& entrance, const engines::Registry& registry,
               CheckBotOptions options);

    const CheckBotOptions& options() const { return options_; }
    Entrance& entrance() { return entrance_; }
    const engines::Registry& registry() const { return registry_; }
    BotObservations& observations() { return observations_; }
    // Of the last login; what it says of names and tokens was checked by then.
    const LoginTold& login() const { return login_; }
    // From the launch to the first login, less its waits for a core.
    Duration start_up() const { return start_up_; }
    // Whether something else than a login came where none did.
    bool said_something_else() const { return said_something_else_; }

    // A connection that is logged in; the present one where that is good. Otherwise why there is
    // none.
    std::optional<std::string> connect();
    // The bot comes again by itself, or is launched again. Nothing where it did.
    std::optional<std::string> come_back(Duration within);
    // The next corner begins with a fresh start of the bot.
    void drop();
    // So does each game from now on: the bot can't bear a second one.
    void one_game_a_launch() { one_game_a_launch_ = true; }
    // Requires: connected.
    BotConnection& connection() { return *connection_; }
    bool connected() const { return connection_ != nullptr && connection_->open(); }

    // A game in this manner. A game that doesn't go well drops the bot.
    PlayedTrial play(const Position& position, LineStyle style = {},
                     TrialGame::OnTurn on_turn = nullptr, bool whole_states = false);
    clock::ClockConfig clock_of(const engines::Game& game) const;

    // The games that are played, once the bot has logged in.
    std::vector<std::string> games() const;

 private:
    std::optional<std::string> greet(Duration within);

    boost::asio::io_context& loop_;
    Entrance& entrance_;
    const engines::Registry& registry_;
    CheckBotOptions options_;
    BotObservations observations_;
    LoginTold login_;
    std::unique_ptr<BotConnection> connection_;
    bool fallen_ = false;
    bool has_played_ = false;  // since it came
    bool one_game_a_launch_ = false;
    bool came_ = false;  // at all
    bool said_something_else_ = false;
    Duration start_up_{};
    std::uint64_t sessions_ = 0;
    std::uint64_t matches_ = 0;
};

}  // namespace referee::check_bot
