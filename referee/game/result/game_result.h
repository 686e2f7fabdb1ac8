#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/messages.h"

// What is known of a game once it is over. Results are facts: standings are folded from them and
// from nothing else.

namespace referee {

// Names a play of a game for ever: the same key is never used for two plays.
struct GameKey {
    std::string tournament;     // id from the config
    std::uint64_t match = 0;    // ordinal of the match in its tournament, from 1
    std::uint32_t number = 1;   // of the game in its match, from 1
    std::uint32_t attempt = 1;  // a game that was annulled or interrupted is played again

    auto operator<=>(const GameKey&) const = default;
};

// "friday/12.1", and "friday/12.1~2" for a second attempt: what bots, files and people are told.
std::string game_id(const GameKey& key);
// The same as the name of a file, without an ending: "friday_12.1".
std::string file_name_of(const GameKey& key);
// The key of an id; nothing where it is no game's id.
std::optional<GameKey> game_key(std::string_view id);
std::string match_id(std::string_view tournament, std::uint64_t match);

using protocol::Consequence;
using protocol::FaultCode;

// A thing that a bot did wrong, with all that it takes to believe it.
struct Fault {
    FaultCode code = FaultCode::late;
    Consequence consequence = Consequence::none;
    engines::Seat seat = 0;
    std::int64_t turn = 0;
    std::string message{};    // plain words: what was expected, what came
    std::string rule{};       // the rule's name, "clock.turn_budget"
    std::string rule_text{};  // what it says
    protocol::Evidence evidence{};
};

// Parts of such a message, for who tells it in another way.
namespace fault_words {
inline constexpr std::string_view nothing_came = "nothing came by then";
inline constexpr std::string_view thinking = "it was thinking";
inline constexpr std::string_view answer_to_other_turn = "; its answer to turn ";
inline constexpr std::string_view gave_away = " gave the turn away, ";
inline constexpr std::string_view strike = " (strike ";
inline constexpr std::string_view said = ", and said: ";  // what follows is the bot's own
inline constexpr std::string_view ended_before_login = "its process ended before it logged in: ";
}  // namespace fault_words

// Such a message without what it quotes of what the bot sent. `code` is its code's name.
std::string message_without_quotes(std::string_view code, std::string_view message);

enum class GameStatus : std::uint8_t {
    played,       // by the rules to the end
    forfeited,    // a bot's doing ended it
    annulled,     // the referee's own trouble: does not count, played again
    interrupted,  // stopped: does not count, played again on resume
};
std::string_view name_of(GameStatus status);
std::optional<GameStatus> status_named(std::string_view name);
// Whether the game counts in standings.
constexpr bool counts(GameStatus status) {
    return status == GameStatus::played || status == GameStatus::forfeited;
}

// What stands behind a seat whose bot the referee launched, or that told its version.
struct LaunchedProgram {
    std::string program;  // referee/launch/program/README.md; empty where it has no name
    std::string sandbox;  // "A", "B", "C", "none"; empty: the referee did not launch it
};

// The machine that played a job, as the job's result tells it: to see whether machines are alike.
struct MachineFacts {
    std::string name;         // empty: no job, but the referee itself
    std::string processor;    // as the kernel calls its model; empty: it doesn't tell
    std::string kernel;       // "Linux 6.1.0-18-amd64"
    std::uint64_t cores = 0;  // that the job had
    std::string sandbox;      // the tier in which its bots ran
    // How long this referee's own arithmetic took on one core: the least of some tries.
    std::int64_t calibration_us = 0;

    auto operator<=>(const MachineFacts&) const = default;
};

// What results call the program of a bot that dialled in, by the version that it said: "said: 2.1".
// Empty where it said none.
std::string said_version(std::string_view version);
bool is_said_version(std::string_view program);

struct GameResult {
    GameKey key;
    std::string game;    // "walls"
    std::string params;  // full params as JSON text
    std::uint32_t seed = 1;
    std::vector<std::string> bots;  // by seat
    GameStatus status = GameStatus::played;
    std::string reason;        // never empty: why the game ended as it did
    engines::Outcome outcome;  // by seat; empty scores where the game doesn't count
    std::int64_t turns = 0;
    std::string clock_kind;  // as clock::name_in_results() has it
    std::string measure;     // "wall", "cpu"
    // By seat: the means by which its turns were timed, "kernel receive stamp", "cgroup-v2"; empty
    // where no turn of it ended.
    std::vector<std::string> means;
    std::vector<std::int64_t> used_us;  // by seat, charged over the whole game
    // By seat, as they were in its last turn: the least round trip of its connection, the bound of
    // what is taken off for it, and what set that bound ("range", "peers"; "nothing" for a process
    // of ours). Empty where no bot's way was bounded.
    std::vector<std::int64_t> round_trip_us;
    std::vector<std::int64_t> allowance_us;
    std::vector<std::string> allowed_by;
    // By seat: turns in which its move came in time and the engine found no fault with it.
    std::vector<std::int64_t> valid_moves;
    // By seat: which program played, as said_version() has it where the referee did not launch it,
    // and in which tier of the sandbox it was launched; empty where nobody can tell, or its bot
    // was not launched or never came. Empty lists where that holds for all.
    std::vector<std::string> program;
    std::vector<std::string> sandbox;
    std::vector<Fault> faults;
    std::uint64_t faults_total = 0;  // those counted but not kept included
    std::string maps_version;        // of the engine's maps; empty where it has none
    // The same for every game in which the same bots made the same moves in the same seats from the
    // same start, with the same outcome; however long they thought. Empty where the game doesn't
    // count.
    std::string fingerprint;
    // Which other machine played it; nameless where the referee itself did.
    MachineFacts machine;
};

// How a game that was played to its end went for a seat, in the words of its rules; empty where
// they have none, and for all other games.
std::string told_by_rules(const engines::Game& rules, const GameResult& result, engines::Seat seat);

// How a game that counts went for a seat, in a line for whoever wants to play better. Where it was
// played to its end: the words of the rules; else why it ended.
std::string told_end(const engines::Game& rules, const GameResult& result, engines::Seat seat);

// How a game that was played to its end went, as the rules tell it of the best seat, behind its
// name where there are others.
std::string told_of_best(const engines::Game& rules, const GameResult& result);

// "won 14 : 9", "drew 7 : 7", "place 3 of 4, 1 : 5 : 3 : 2", "scored 120": a game that counts, with
// the seat's own score first.
std::string told_verdict(const GameResult& result, engines::Seat seat);

}  // namespace referee
