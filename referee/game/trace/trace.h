#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/base/text.h"
#include "protocol/json/document.h"

// Driving an engine by hand: no bots, no clock, no network.

namespace referee::trace {

// Why a file was refused: one line, "moves.ndjson:3: moves[1]: expected ..., found ...".
struct Refusal {
    std::string message;
};
inline auto refuse(const std::string& file, std::size_t line, std::string_view what) {
    return base::failure(Refusal{fmt::format("{}:{}: {}", file, line, what)});
}

// A game that is set up, as a setup file says.
struct Setup {
    const engines::Game* game = nullptr;
    std::uint32_t seed = 1;
    std::string params;  // as given, JSON text; empty where left out
    std::unique_ptr<engines::State> state;
};

// Reads {"game": ..., "seed": ..., "params": {...}}. `file` is for messages.
base::Result<Setup, Refusal> read_setup(const std::string& text, const std::string& file,
                                        const engines::Registry& registry);

// Plays the lines of moves and writes the trace. What was traced before a refusal stands in `out`.
base::Result<void, Refusal> trace(Setup& setup, std::istream& moves, const std::string& moves_file,
                                  std::ostream& out);

// Sets the game of a replay up again, from the replay's first line. A replay of another version, or
// of a game that this program doesn't know, is refused.
base::Result<Setup, Refusal> set_up_again(std::string_view first_line, const std::string& file,
                                          const engines::Registry& registry);

// What the engine noted of a turn, as a member "notes" where there is anything; `with_faults`:
// which are faults, too.
void write_notes(protocol::json::Writer& writer, const std::vector<engines::Note>& notes,
                 bool with_faults);

// A game that was played again up to its last turn.
struct PlayedAgain {
    const engines::State& state;
    std::int64_t turns = 0;
    std::size_t engine_faults = 0;  // notes of the engine that are faults
};

// What a replay's result tells otherwise than the engine does now: a line each, empty where all
// agrees.
std::vector<std::string> differences(protocol::json::View result, const PlayedAgain& played);

// What playing a replay again found.
struct ReplayVerdict {
    std::string game_id;
    std::int64_t turns = 0;
    std::vector<std::string> differences;  // empty: all agrees
};

// Plays a replay (see referee/game/play/README.md) again and compares all that the engine decides.
base::Result<ReplayVerdict, Refusal> check_replay(std::istream& replay, const std::string& file,
                                                  const engines::Registry& registry);

// A line of moves, read: {"moves": [...], "used_us": [...]}. Reusable. In a replay a line may be
// {"forfeit": seat} instead.
class TurnLine {
 public:
    // An error says what is wrong, with the member: "moves: expected ...".
    base::Result<void, std::string> read(std::string_view line, std::size_t seats, bool is_replay);

    // By seat; views are valid until the next read().
    const std::vector<engines::Answer>& answers() const { return answers_; }
    // The same as the line has it; absent where it has none.
    engines::json::View moves() const { return document_.root().find("moves"); }
    engines::json::View used_us() const { return document_.root().find("used_us"); }
    const std::optional<engines::Seat>& forfeit() const { return forfeit_; }
    // The result of a replay's last line; absent otherwise.
    engines::json::View result() const { return result_; }

 private:
    engines::json::Document document_;
    std::vector<engines::Answer> answers_;
    std::optional<engines::Seat> forfeit_;
    engines::json::View result_;
};

}  // namespace referee::trace
