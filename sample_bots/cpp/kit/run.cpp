#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/limits.h"
#include "sample_bots/cpp/kit/bot.h"
#include "sample_bots/cpp/kit/options.h"
#include "sample_bots/cpp/kit/own_games.h"
#include "sample_bots/cpp/kit/tls_connection.h"
#include "sample_bots/cpp/referee_bot.hpp"

namespace kit {
namespace {

using referee_bot::Connection;

std::optional<std::string> environment(const char* name) {
    const char* const value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return value;
}

// Shows all lines of another connection on standard error.
class TracedConnection final : public Connection {
 public:
    explicit TracedConnection(std::unique_ptr<Connection> inner)
        : Connection(-1, -1), inner_(std::move(inner)) {}
    bool read(std::string& line) override {
        const bool good = inner_->read(line);
        if (good) referee_bot::say("< " + line);
        return good;
    }
    void send(const referee_bot::json& message) override {
        referee_bot::say("> " + message.dump());
        inner_->send(message);
    }

 private:
    std::unique_ptr<Connection> inner_;
};

std::unique_ptr<Connection> dial(const Options& options) {
    const bool tls = options.address.starts_with("tls://");
    auto connection = tls ? dial_tls(options.address) : referee_bot::dial(options.address);
    if (!options.trace) return connection;
    return std::make_unique<TracedConnection>(std::move(connection));
}

// JSON of the kit as players see it.
class Shown {
 public:
    // Valid until the next call.
    json::View show(const referee_bot::json& value) {
        text_ = value.dump();
        if (!document_.parse(text_, {.depth_max = protocol::limits::depth_max})) return {};
        return document_.root();
    }

 private:
    std::string text_;
    json::Document document_;
};

// A player and what it looks at, for the length of a game.
struct Seated {
    std::unique_ptr<Player> player;
    Shown state;
};

void seat_player(referee_bot::Game& game, const MakePlayer& make_player) {
    if (game.own != nullptr) return;  // it goes on
    const auto seated = std::make_shared<Seated>();
    Shown params;
    seated->player = make_player({game.id, game.kind, game.seat, game.names,
                                  params.show(game.params), seated->state.show(game.state)});
    game.own = seated;
}

// A budget of wall time is a limit, and so is the hard one, where they are told.
std::int64_t wall_limit_us(const referee_bot::Game& game) {
    const auto hard = game.clock.value("hard_limit_us", std::int64_t{0});
    if (game.clock.value("measure", "wall") != "wall" || game.budget_us <= 0) return hard;
    return hard > 0 ? std::min(game.budget_us, hard) : game.budget_us;
}

referee_bot::json move_of(referee_bot::Game& game) {
    auto& seated = *static_cast<Seated*>(game.own.get());
    const auto move = seated.player->move(
        {game.turn, game.budget_us, seated.state.show(game.state), wall_limit_us(game)});
    game.debug(seated.player->debug());
    return referee_bot::json::parse(move);
}

void take_options(referee_bot::json& login, const Options& options) {
    login["name"] = options.name;
    login["parallel"] = options.parallel;
    login["state"] = options.delta ? "delta" : "full";
    if (!options.token.empty()) login["token"] = options.token;
    if (!options.password.empty()) login["password"] = options.password;
    if (!options.version.empty()) login["version"] = options.version;
}

int print_own_games(const Options& options, const referee_bot::json& login) {
    try {
        std::fputs(own_games(*dial(options), login, options.asked_game).c_str(), stdout);
        return 0;
    } catch (const referee_bot::Refused& refused) {
        referee_bot::say(options.name + ": " + refused.what());
        return referee_bot::status_refused;
    } catch (const std::exception& error) {
        referee_bot::say(options.name + ": no connection: " + error.what());
        return referee_bot::status_lost;
    }
}

}  // namespace

int run(int argc, char** argv, const BotInfo& info, const MakePlayer& make_player) {
    const std::string_view program = argc > 0 ? argv[0] : "bot";
    const std::vector<std::string_view> arguments(argv + std::min(argc, 1), argv + argc);
    const auto read = read_options(arguments, environment, info);
    if (!read) {
        std::fprintf(stderr, "%s (--help shows all options)\n", read.error().message.c_str());
        return referee_bot::status_refused;
    }
    const auto* const options = std::get_if<Options>(&*read);
    if (options == nullptr) {
        std::fputs(help_text(program, info).c_str(), stdout);
        return 0;
    }
    referee_bot::Choosers choosers;
    for (const auto& game : info.games) choosers[game] = move_of;
    referee_bot::Bot bot(std::move(choosers), info.name);
    take_options(bot.login, *options);
    if (options->asks_games || !options->asked_game.empty())
        return print_own_games(*options, bot.login);
    bot.prepare = [&](referee_bot::Game& game) { seat_player(game, make_player); };
    referee_bot::Dialling how;
    how.dial = [&](const std::string&) { return dial(*options); };
    how.patience = options->wait;
    how.again_between_games = false;
    return referee_bot::play(bot, options->address, how);
}

}  // namespace kit
