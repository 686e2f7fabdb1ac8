#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

// Every limit of the protocol, each with its reason. What `hello` tells a bot comes from here.
// These are the defaults: a config may lower or raise what a school needs otherwise.

namespace protocol {

inline constexpr std::int64_t protocol_version = 1;

}  // namespace protocol

namespace protocol::limits {

// A line from a bot, without its line end. The longest honest move is a whole plan for the largest
// maze, well below it; a thousand bots that send nothing but the beginning of a line cost 64 MiB.
inline constexpr std::size_t line_bytes_max = 64 * 1024;

// A line from the referee, for clients: the largest state of any game is below a tenth of it.
inline constexpr std::size_t referee_line_bytes_max = 16 * 1024 * 1024;

// Arrays and objects inside one another. No move here needs more than three, and a value may safely
// be copied by recursion.
inline constexpr std::size_t depth_max = 32;

// Debug text with a move: enough for a line of numbers, small enough to keep with every turn.
inline constexpr std::size_t debug_bytes_max = 1024;

// Names stand in tables and file names: printable UTF-8, one line.
inline constexpr std::size_t name_bytes_max = 64;

// Longer than any token that we make; keeps logs and memory bounded.
inline constexpr std::size_t token_bytes_max = 256;
// One that somebody registers a name with is at least so long: one that can be guessed would give
// the name to anybody.
inline constexpr std::size_t registered_token_bytes_min = 8;

// What a bot says about itself ("my kit 1.2, Python 3.11"): a line in a table.
inline constexpr std::size_t client_bytes_max = 128;

// What a bot calls its version ("2.1", a commit's hash): stands in each of its results.
inline constexpr std::size_t version_bytes_max = 64;

// Kinds of games in one login: more than there are.
inline constexpr std::size_t games_max = 32;

// The id of a kind of game, as in a login's list: longer than any here.
inline constexpr std::size_t game_name_bytes_max = 64;

// Games that one connection plays at once: a bot that thinks alone gains nothing beyond its cores,
// and each has a state in memory on both sides.
inline constexpr std::int64_t games_parallel_max = 64;

// A game's id in a message about it. Ours are shorter; what is longer is none of ours.
inline constexpr std::size_t game_id_bytes_max = 64;

// Games in one answer to `games`, and what it lists where nothing is said: some screens for people.
inline constexpr std::int64_t games_listed_max = 50;
inline constexpr std::int64_t games_listed_default = 20;

// Of the reason in a line of such a list: a sentence; the story has the whole.
inline constexpr std::size_t list_reason_bytes_max = 200;

// Of a game's story, and of the debug text beside it: some hundred lines each. Both go into one
// line, which must be far below what may wait for a bot that does not read.
inline constexpr std::size_t story_bytes_max = 32 * 1024;
inline constexpr std::size_t story_debug_bytes_max = 16 * 1024;

// Of a program that is handed in, in one message: as text a third longer, and well below a line.
inline constexpr std::size_t piece_bytes_max = 32 * 1024;

// Its file's name: as long as file systems allow.
inline constexpr std::size_t file_name_bytes_max = 255;

// Programs in the answer to `submissions`, the newest first: more than anybody looks back.
inline constexpr std::size_t submissions_listed_max = 20;

// Of a build's output there: the first errors of a compiler, which explain those behind them.
inline constexpr std::size_t build_output_bytes_max = 16 * 1024;

// What a build may be given, in MB: from a small compiler's to a large machine's.
inline constexpr int build_memory_mb_min = 64;
inline constexpr int build_memory_mb_max = 1 << 20;

// Text that a bot sends with its goodbye.
inline constexpr std::size_t bye_bytes_max = 256;

// Of a bad line, in the error that answers it: enough to recognise it.
inline constexpr std::size_t error_received_bytes_max = 200;

// Of the line in a fault's evidence: a whole move of any game, never a whole plan of a large maze.
inline constexpr std::size_t evidence_received_bytes_max = 1024;

// One piece of a game's history after a reconnect: many small lines let turns of other games
// through between them.
inline constexpr std::size_t history_piece_bytes_max = 32 * 1024;

// From connecting to a login. A person with netcat pastes one line; a silent scanner is gone soon.
inline constexpr std::chrono::milliseconds login_time_max{5'000};

// From `start` to `ready`: slow interpreters and bots that build tables are not charged for it.
inline constexpr std::chrono::milliseconds ready_time_max{10'000};

// How long an old connection may take to answer its ping before a second login replaces it.
inline constexpr std::chrono::milliseconds probe_time_max{2'000};

// Between two questions of one name what became of its programs: a person who looks.
inline constexpr std::chrono::milliseconds submissions_asked_pause{200};

// Connections at once. A config may ask for others.
struct ConnectionLimits {
    // Of bots that are logged in, in all (descriptors are finite) and from one network (enough for
    // a lab behind one address).
    std::size_t bots_max = 4096;
    std::size_t bots_per_address_max = 512;
    // The same of connections that are not: as many as may come in the same moment.
    std::size_t strangers_max = 1024;
    std::size_t strangers_per_address_max = 512;
};

// What may wait for a bot that does not read. A state is a few KiB; beyond a MiB nobody is there.
inline constexpr std::size_t backlog_bytes_max = 1024 * 1024;
inline constexpr std::chrono::milliseconds backlog_time_max{10'000};

// Memory that a session's decoder keeps between two lines: a usual move needs a few hundred bytes.
inline constexpr std::size_t decoder_bytes_kept_max = 8 * 1024;

}  // namespace protocol::limits
