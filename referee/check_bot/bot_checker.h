#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "referee/check_bot/bot_connection.h"
#include "referee/check_bot/trial_game.h"

// Examines a bot: a corner of the protocol after the other.

namespace referee::check_bot {

// ---- What an examination found, and the forms in which it is told ---------------------------

enum class Verdict : std::uint8_t { good, could_be_better, wrong, not_tried };
// "good", "could_be_better" ...
std::string_view name_of(Verdict verdict);

// One corner of the protocol, and how the bot took it.
struct CornerFinding {
    std::string corner;  // "unknown members"
    std::string game;    // "walls"; empty: it belongs to no game
    Verdict verdict = Verdict::good;
    std::string seen{};      // what the bot did; of a corner that was not tried, why
    std::string expected{};  // what it should have done; empty where all is well
    std::string advice{};    // what to do about it, with an example; the same
};

struct BotReport {
    std::string bot;                      // its name
    std::string program;                  // its command, or how it came
    std::vector<std::string> games;       // that were played
    std::vector<CornerFinding> findings;  // in the order in which they were tried
    // The sandbox hides what the bot needs to start, so that nothing could be tried.
    bool hidden = false;
    std::function<void(const CornerFinding&)> on_finding;  // told of each at once

    void add(CornerFinding finding);
    std::size_t count(Verdict verdict) const;
    bool passed() const { return count(Verdict::wrong) == 0; }
};

// For a student at a terminal: lines that end with a line feed.
std::string as_text(const CornerFinding& finding);
// The line at the end: in how many corners something is wrong.
std::string last_line(const BotReport& report);
// One JSON object.
std::string as_json(const BotReport& report);
// JUnit's XML, a test case for each finding.
std::string as_junit(const BotReport& report);

// ---- The checker ----------------------------------------------------------------------------

struct CheckBotOptions {
    std::string name;                         // that the bot is given
    std::string token;                        // the same; empty: none is asked
    std::string program;                      // its command, for the report
    std::vector<std::string> games;           // to be played; empty: all that its login names
    std::optional<clock::ClockConfig> clock;  // none: each game's own
    bool plain_games_only = false;            // the program knows its handout's setup alone
    Duration start_within = std::chrono::seconds(30);
    // Told what the checker waits for, where that takes a person.
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
    // What was known of the program when no login came, before we hung up.
    const ProgramState& remains() const { return remains_; }

    // A connection that is logged in; the present one where that is good. An error tells why there
    // is none.
    base::Result<void, std::string> connect();
    // The bot comes again by itself, or is launched again.
    base::Result<void, std::string> come_back(Duration within);
    // The next corner begins with a fresh start of the bot.
    void drop() { fallen_ = true; }
    // So does each game from now on: the bot can't bear a second one.
    void one_game_a_launch() { one_game_a_launch_ = true; }
    // Requires: connected.
    BotConnection& connection() { return *connection_; }
    bool connected() const { return connection_ != nullptr && connection_->open(); }

    // A game in this style. A game that doesn't go well drops the bot.
    PlayedTrial play(const TrialCase& trial, const SendingStyle& style = {},
                     TrialGame::OnTurn on_turn = nullptr, bool whole_states = false);
    clock::ClockConfig clock_of(const engines::Game& game) const;

    // The games that are played, once the bot has logged in.
    std::vector<std::string> games() const;

 private:
    base::Result<void, std::string> greet(Duration within);
    // Waits so long for the end of its program, and tells of it in `why`; whether it has ended.
    bool await_end(std::string& why, Duration wait);

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
    ProgramState remains_;
    Duration start_up_{};
    std::uint64_t sessions_ = 0;
    std::uint64_t matches_ = 0;
};

// In corners.cpp: tries all corners, one after the other, and tells what was found. `on_finding` is
// told of each at once: an examination takes a while.
BotReport examine(BotChecker& checker, std::function<void(const CornerFinding&)> on_finding);

// ---- Groups of corners, in their order; each appends its findings ---------------------------

// corners.cpp: launch and login. False where the bot can't be examined further.
bool try_login(BotChecker& checker, BotReport& report);
// game_corners.cpp: a plain game of each kind, another on the same connection, and odd states.
// Returns the games of which a plain one went well.
std::vector<std::string> try_games(BotChecker& checker, BotReport& report);
// Also there: how messages may come, in games of this kind.
void try_manners(BotChecker& checker, const std::string& game, BotReport& report);
// ending_corners.cpp: a lost connection, and goodbyes.
void try_endings(BotChecker& checker, const std::string& game, BotReport& report);

// ---- corners.cpp: what was seen all along, and what corners have in common ------------------

// Whether the answers of a game came in time: each within its budget, and where the game's rules
// limit the mean of a player's turns, their mean. So many more turns had none. Requires: there are
// some.
CornerFinding judged_times(const engines::GameInfo& info,
                           std::vector<BotObservations::Answer> answers, std::size_t unanswered);
// What was seen all along: answering in time, and what else the bot sent or printed.
void judge_observations(BotChecker& checker, BotReport& report);

// That the bot did not come for a corner.
CornerFinding not_connected(std::string corner, const std::string& game, const std::string& why);
// Whether it is here for the corner; where it isn't, that is noted.
bool comes_for(BotChecker& checker, const char* corner, const std::string& game, BotReport& report);

// The first of the game.
const TrialCase& plain_case(const std::string& game);
// Finds fault with a game that was played in a corner, or is content with `seen`.
CornerFinding judged(std::string corner, const std::string& game, const PlayedTrial& played,
                     std::string seen, std::string expected, std::string advice);

}  // namespace referee::check_bot
