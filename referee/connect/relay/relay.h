#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/json/document.h"
#include "protocol/limits.h"
#include "protocol/messages.h"
#include "referee/connect/relay/lines.h"

namespace referee::relay {

// Pauses between tries: each twice as long as the one before, up to a most.
class BackOff {
 public:
    static constexpr std::chrono::milliseconds first{500};
    static constexpr std::chrono::milliseconds most{30'000};

    // `chance` from 0 to 1 shortens the pause by up to a quarter, so that a class whose connections
    // were lost together doesn't come back in one moment.
    std::chrono::milliseconds next(double chance) {
        constexpr double share_by_chance = 0.25;
        const auto pause = pause_;
        pause_ = std::min(pause_ * 2, most);
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            pause * (1 - share_by_chance * chance));
    }
    void reset() { pause_ = first; }

 private:
    std::chrono::milliseconds pause_ = first;
};

// What a goodbye on a connection means for the bridge.
enum class After : std::uint8_t {
    again,           // dial again: nobody did anything wrong
    later,           // the same, and a person is told why it takes time
    finished,        // all is over
    refused,         // it is of no use to dial again
    program_failed,  // the program broke a rule of the connection
};

struct CloseReason {
    After after = After::again;
    std::string words;  // for a person
};

// Whether the referee closes the connection behind an error of that code.
bool is_parting(std::string_view code);

// What a program says while there is no connection, and that can wait until there is one: a few
// questions, a ping.
inline constexpr std::size_t waiting_bytes_max = 64 * 1024;

// What follows from lines: lines for either side, each with its line feed, and what is to be told.
struct RelayStep {
    // What the program printed that is no message, and why it was kept back.
    struct KeptBack {
        std::string line;
        std::string why;
        bool sent = false;  // as evidence, all the same
    };

    std::string to_referee;
    std::string to_program;
    std::vector<KeptBack> kept_back;
    std::string page;  // where the bot's owner sees its games; once for a process of the program
    // The connection is to end, or ends. Set once for a connection.
    std::optional<CloseReason> close_reason;
};

// Joins a program that speaks the protocol to a referee, over connections that come and go: a state
// machine without clock, sockets or threads. Lines pass byte for byte, but for these:
//
// - The login gets the name, token and password of the identity. It is kept, and said again on
//   each later connection; `hello` and `welcome` of those are not passed on.
// - A `turn` that is told again after a reconnect is not given to a program that has it. Where the
//   program has answered meanwhile, the referee gets that answer.
// - A `ping` of the referee asks whether the connection is alive; that is answered here, because
//   the program may be thinking.
// - What is no JSON object, or longer than the referee takes, isn't sent; but of a program that has
//   never moved the first such line in each turn is, so that the game's record tells what came.
// - A goodbye after which the bridge dials again is not passed on, since a program would end.
class Relay {
 public:
    explicit Relay(BotIdentity identity) : identity_(std::move(identity)) {}

    // A new process of the program; it knows nothing.
    void program_began();
    // A new connection; the referee speaks first.
    void connection_opened();
    void connection_lost();

    void from_referee(std::string_view line);
    void from_program(std::string_view line);
    // A line of the program that was longer than could be read.
    void from_program_too_long();
    // What follows from all lines since the last call.
    RelayStep take_step() { return std::exchange(step_, {}); }

    // A connection would be of use: false while a program that has been greeted has not logged in,
    // since a referee waits only some seconds for a login.
    bool wants_connection() const { return program_ != Program::greeted; }
    bool has_logged_in() const { return program_ > Program::greeted; }
    bool is_welcome() const { return connection_ == Connection::open; }
    // Why the program's last login was refused, where it has to mend it; else empty.
    const std::string& refusal() const { return refusal_; }
    // Moves since the connection came up that nobody had asked for.
    std::uint64_t unasked_moves() const { return unasked_moves_; }

 private:
    enum class Connection : std::uint8_t { away, opened, greeted, open };
    enum class Program : std::uint8_t { fresh, greeted, logs_in, welcome };

    // What the program knows of a game.
    struct Game {
        std::string ready{};      // its line, once it was said
        std::int64_t asked = 0;   // the last turn that the program was given
        std::string answer{};     // its line for that turn, once it was said
        bool strayed = false;     // in that turn something was sent that is no message
        bool comes_back = false;  // the connection was lost: what the referee knows isn't known
        std::uint64_t order = 0;  // in which games came
    };

    void take_hello(std::string_view line, const protocol::json::View& hello);
    void take_welcome(std::string_view line, const protocol::json::View& welcome);
    void take_start(std::string_view line, const protocol::json::View& start);
    void take_turn(std::string_view line, std::string_view id, std::int64_t turn);
    void take_error(std::string_view line, const protocol::json::View& error);
    void take_bye(std::string_view line, const protocol::json::View& bye);
    void take_login(const protocol::json::View& login);
    void take_ready(std::string_view line, const protocol::json::View& ready);
    void take_move(std::string_view line, const protocol::json::View& move);
    void keep_back(std::string_view line, std::string why);
    // Ends the connection, once.
    void part(std::string_view line, CloseReason close_reason);
    // To the referee where it may come now; false where it may not.
    bool send(std::string_view line);
    void send_or_wait(std::string_view line);
    Game& game(std::string_view id);

    BotIdentity identity_;
    protocol::json::Document document_;
    Connection connection_ = Connection::away;
    Program program_ = Program::fresh;
    bool parted_ = false;     // the connection's farewell is told
    bool has_moved_ = false;  // the program, since it began
    std::uint64_t unasked_moves_ = 0;
    // The longest line that the referee takes.
    std::size_t line_bytes_max_ = protocol::limits::line_bytes_max;
    std::string login_;    // as it is said to the referee
    std::string refusal_;  // of the program's login; empty since it brought another one
    std::map<std::string, Game, std::less<>> games_;
    std::uint64_t games_begun_ = 0;
    std::string waiting_;  // lines for the next connection
    RelayStep step_;
};

}  // namespace referee::relay
