#pragma once

#include <cstddef>
#include <cstdint>

#include "referee/games/clock/time.h"

// Every limit of the referee that is not the wire's own (those are in protocol/limits.h), each
// with its reason.

namespace referee::limits {

// Faults and notes of one bot in one game beyond this many are counted, not kept: a bot that does
// everything wrong must not fill the disk.
inline constexpr std::size_t faults_kept_max = 200;
// A game that is longer than this many turns is stopped as the referee's own trouble: no engine
// here can play so long, and memory is finite.
inline constexpr std::int64_t turns_max = 10'000'000;
// A game that was annulled is played again this many times, then it is set aside: everything else
// goes on, and it is tried again with nothing beside it.
inline constexpr unsigned replays_max = 3;
// A run that is to end tries it so often alone, then it ends and names the game.
inline constexpr unsigned tries_alone_max = 3;
// The first of these tries comes so long after the game was set aside; each further one twice as
// long after the last, up to the most.
inline constexpr Duration rest_before_try = std::chrono::seconds(10);
inline constexpr Duration rest_before_try_max = std::chrono::minutes(10);
// A machine is calm when the referee stood still for no more than this share of the last
// `rest_before_try`. Half a millisecond of a turn of 50 ms is far from what excuses anybody.
inline constexpr double calm_share = 0.01;
// A machine that is not calm, or has other games to play, is waited for so much longer. Then no
// other game begins, and the game is tried as soon as it is alone.
inline constexpr Duration unrest_waited_max = std::chrono::minutes(1);

// While a game waits for a late answer, what has come of the bot is read so often. Of lines that
// are read together nobody knows when the first came, so a bot that joins its lines on purpose can
// hide lateness of this length in a turn. A look takes some microseconds.
inline constexpr Duration late_look_every = std::chrono::milliseconds(20);

// Matches in a row without a valid move after which a bot is withdrawn: once may be an accident,
// and each further one gives an opponent a point for nothing.
inline constexpr std::uint32_t idle_matches_default = 2;

// Games of a tournament that are drawn before they can begin, for each bot in it: enough to find
// work for whoever is free, little enough that a large round robin stays a few kilobytes.
inline constexpr std::size_t games_drawn_per_bot = 4;
// On a ladder those who are free wait so long for others who are there, whom they have not met
// lately (and at least as long as a bot rests); then they meet again. A few quick games long: a
// ladder waits for nobody's long game.
inline constexpr Duration ladder_patience = std::chrono::seconds(10);
// A bot that leaves the matches of a ladder which it is drawn for waits before it is drawn again:
// the first time as long as a connection may be lost by accident, each time in a row twice as long,
// and at most so long that it can come back within a lesson.
inline constexpr Duration leaver_waits_first = std::chrono::seconds(5);
inline constexpr Duration leaver_waits_max = std::chrono::minutes(10);
// The rounds of a field up to this size are drawn on the loop's thread: that takes less than a
// turn of a game may; those of a larger one are drawn beside it.
inline constexpr std::size_t field_drawn_on_the_loop_max = 64;
// Games that run at once where nothing else bounds them: memory and descriptors are finite.
inline constexpr std::size_t games_at_once_max = 5000;

// Addresses of peers that the log has told to speak TLS at a plain port, or plain text where TLS is
// expected: more than a class has machines. Scanners of the whole internet must not fill the log.
inline constexpr std::size_t misdialling_addresses_max = 1000;

// A token that somebody registers a name with is at least so long: one that can be guessed would
// give the name to anybody.
inline constexpr std::size_t registered_token_bytes_min = 8;
// Names that may be registered with the class password: a daemon's memory is finite.
inline constexpr std::size_t registered_names_max = 10'000;

// Files of games, and bytes of them, that wait to be written beside the loop: memory is finite. A
// disk that is slower than that keeps the games waiting.
inline constexpr std::size_t files_waiting_max = 100'000;
inline constexpr std::size_t file_bytes_waiting_max = 64 * 1024 * 1024;

// Kept free for the store beside it: what thousands of running games come to fits in when the disk
// is full, and nobody misses so much.
inline constexpr std::uint64_t store_ballast_bytes = 8 * 1024 * 1024;
// Records, and bytes of replays, that one transaction takes at most: what waits is committed
// together, but a commit that takes seconds would keep everybody waiting for the first of it.
inline constexpr std::size_t store_batch_records_max = 4096;
inline constexpr std::size_t store_batch_bytes_max = 16 * 1024 * 1024;
// Frames (pages) of the store's log after which they are moved into the file: a log of 16 MB.
inline constexpr int store_log_frames_max = 4096;

}  // namespace referee::limits
