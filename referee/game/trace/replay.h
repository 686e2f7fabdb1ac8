#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/clock/clock_config.h"
#include "referee/game/play/play_setup.h"
#include "referee/game/trace/trace.h"

namespace referee::trace {

// A replay in its parts: views of its text.
struct Lines {
    std::string_view first;
    std::string_view turns;  // the lines between, with their line feeds
    std::string_view last;   // has the result
};

base::Result<Lines, Refusal> lines_of(std::string_view replay, const std::string& file);

// Whether a file may be a replay, by its first line.
base::Result<void, Refusal> check_beginning(std::string_view first_line, const std::string& file);

// An array's elements; absent ones where it has fewer.
std::vector<protocol::json::View> by_seat(protocol::json::View array, std::size_t seats);

// A member of what a replay tells of a turn's times. Of a wait alone that is [turn, seat,
// waited_us].
protocol::json::View time_in(protocol::json::View times, std::string_view name);

// What each seat was charged, by turn.
using Charged = std::vector<std::vector<std::int64_t>>;

// The replay's turns, which are those that the result tells. A result may leave that out.
base::Result<Charged, Refusal> compared_turns(protocol::json::View told, const Lines& lines,
                                              const std::string& file);

// What of a replay's first line there must be; what there is must always be of its type.
enum class Header : std::uint8_t {
    any,    // beside its version, nothing: a story can be told of any
    whole,  // all that it takes to play the game on
};

// What is wrong with the first line of a replay, with its member: "seed: expected an integer from 0
// to 4294967295, found a string". Whether the game is known, and has so many seats, is for others.
base::Result<void, std::string> check_header(protocol::json::View header, Header needed);

// How the game of a replay went for the seat by the words of its rules, where it was played to its
// end; else, and where nobody knows the game any more, nothing.
std::string told_by_rules(protocol::json::View setup, protocol::json::View result,
                          engines::Seat seat);

// A bot's debug file, as beside a replay: what it said of its moves, a line {"turn": 3, "debug":
// "..."} each.
void append_debug(std::string& lines, std::int64_t turn, std::string_view text);
// Calls with what each line has; one that is not as it should be is left out.
void for_each_debug(std::string_view lines,
                    const std::function<void(std::int64_t turn, std::string_view text)>& call);

// What a game that goes on from a turn of another one was forked from, as a line; else nothing.
std::string told_fork(protocol::json::View setup);

// A position of a recorded game, and all that it takes to go on from there.
struct ForkPoint {
    std::string game;
    std::string params;  // JSON text
    std::uint32_t seed = 1;
    clock::ClockConfig clock;
    play::Past past;
};

// The position of the replay in which `turn` was played, or would have been next. Nothing that
// came from that turn on happened, the loss of a bot that failed there included. `file` is for
// messages, which name the turns that there are.
base::Result<ForkPoint, Refusal> fork_point(std::string_view replay, const std::string& file,
                                            std::int64_t turn, const engines::Registry& registry);

}  // namespace referee::trace
