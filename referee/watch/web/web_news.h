#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "referee/game/result/game_result.h"
#include "referee/roster/pseudonyms/pseudonyms.h"

// What goes between the loop's thread and the web server's: values that are handed over whole.

namespace referee::web {

struct TournamentNews {
    std::string id{};
    std::string game{};
    std::string state{};   // "running"
    std::string reason{};  // of its state, where somebody gave one
    // What the calendar brings next, in a person's words; empty: nothing.
    std::string comes_next{};
    bool over = false;  // nothing is played any more
    std::uint64_t bots = 0;
    std::uint32_t round = 0;
    std::optional<std::uint32_t> rounds{};  // as planned
    std::uint64_t games_played = 0;
    std::uint64_t matches_played = 0;
    std::optional<std::uint64_t> matches_total{};
    // Of its bots, where pages hide them; null: as they were told before.
    std::shared_ptr<const std::vector<std::string>> names{};
};

// A game that began.
struct GameNews {
    GameKey key;
    std::string id;
    std::string game;
    std::vector<std::string> bots;  // by seat
    std::uint64_t order = 0;        // the later it began, the more
};

// What was played of a game until somebody began to watch it: the lines of its replay.
struct PlayedSoFar {
    std::string setup_line;
    std::string history;
    bool too_long = false;
};

// What became of a question to the loop.
struct WebOutcome {
    bool done = false;
    std::string code;     // where it is not done: "wrong_token"
    std::string message;  // where it is not done: what was expected
    std::string text;     // what was asked for, where it is a text: a token, a line of JSON
};
using OnOutcome = std::function<void(WebOutcome)>;

// Who says who it is.
struct Credentials {
    std::string name;
    std::string token;
    std::string password;  // of the class
    std::string address;   // whom it comes from
};

// What the web server asks of the loop. All is called, and all is answered, on the web server's
// thread.
class LoopQuestions {
 public:
    virtual ~LoopQuestions() = default;
    // What was played of the game, and from then on what is played, by Site::so_far() and more();
    // or no longer.
    virtual void watch(const std::string& game_id) = 0;
    virtual void unwatch(const std::string& game_id) = 0;
    // Judged as a bot's login; the instructor by the token alone.
    virtual void enter(Credentials credentials, OnOutcome on_outcome) = 0;
    virtual void register_name(Credentials credentials, OnOutcome on_outcome) = 0;
    virtual void new_token(const std::string& bot, OnOutcome on_outcome) = 0;
    // The bot's own games, as the protocol's `game_list`; one of them as its `game_story`.
    virtual void games_of(const std::string& bot, OnOutcome on_outcome) = 0;
    // The replay of a game whose file is gone, where it is kept elsewhere.
    virtual void replay_of(const GameKey& key, OnOutcome on_outcome) = 0;
    // An order as `referee ctl` sends it, a line of JSON; the text is the daemon's answer to it.
    virtual void order(std::string request, OnOutcome on_outcome) = 0;
    virtual void story_of(const std::string& bot, const GameKey& key,
                          const pseudonyms::NameMask& names, OnOutcome on_outcome) = 0;
};

// Where files are found; the functions read nothing that changes.
struct RunFiles {
    std::function<std::string(const std::string& tournament)> folder_of;
    std::function<std::string(const GameKey& key)> replay_file;
    std::function<std::string(const GameKey& key, const std::string& bot)> debug_file;
};

}  // namespace referee::web
