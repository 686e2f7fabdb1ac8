#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/trace.h"

namespace referee::showing {

using trace::Refusal;

// The seed of a game's chance, which tells who knows it all that is yet to come.
enum class Seed : std::uint8_t { told, secret };

// What a frame shows beside what the engine tells of it.
struct Beside {
    std::string_view times;               // a JSON array; empty: nothing is told
    std::vector<std::string_view> debug;  // by seat; empty where nothing was said, or all of it
};

// Plays a game again from its replay's lines, one after the other: those of a file, or those of a
// game that goes on.
class Follower {
 public:
    // From the replay's first line. `file` is for messages. `with_text`: frames have the position
    // as text too, for a game without a board. The registry must outlive the follower.
    static base::Result<std::unique_ptr<Follower>, Refusal> begin(std::string_view first_line,
                                                                  const std::string& file,
                                                                  const engines::Registry& registry,
                                                                  bool with_text);

    // The next line of a turn. A refusal says what is wrong with it, with its place in the file;
    // a turn after the end of the game is one.
    base::Result<void, Refusal> follow(std::string_view line);

    // The members of a showing from `game_id` to `clock`, and `forked_from` where it has one.
    void write_facts(protocol::json::Writer& writer, Seed seed) const;
    // The members `state` and `text` of the position at which frames begin, once.
    void write_opening(protocol::json::Writer& writer);
    // The frame of the line that was followed last, which can be asked for once a line. Requires:
    // write_opening() before, and a frame for each line since.
    void write_frame(protocol::json::Writer& writer, const Beside& beside);

    const engines::GameInfo& info() const { return setup_.game->info(); }
    const engines::State& state() const { return *setup_.state; }
    std::size_t seats() const { return setup_.state->seats(); }
    const std::vector<std::string>& bots() const { return bots_; }
    std::int64_t turns() const { return turns_; }  // that were played
    // The turn of the latest frame: of a forfeit between turns, that of the next.
    std::int64_t turn_shown() const { return forfeit_ ? turns_ + 1 : turns_; }
    const std::optional<engines::Seat>& forfeit() const { return forfeit_; }
    const std::vector<engines::Note>& notes() const { return notes_; }
    // The answers of the latest frame; views are valid until the next line.
    const std::vector<engines::Answer>& answers() const { return line_.answers(); }
    std::size_t engine_faults() const { return engine_faults_; }
    protocol::json::View first_line() const { return first_line_.root(); }

 private:
    Follower(trace::Setup setup, const std::string& file, bool with_text);
    base::Result<void, Refusal> read_bots();

    trace::Setup setup_;
    std::string file_;
    bool with_text_;
    protocol::json::Document first_line_;
    std::vector<std::string> bots_;
    trace::TurnLine line_;
    std::size_t lines_ = 1;  // that were read
    std::int64_t turns_ = 0;
    std::size_t engine_faults_ = 0;
    std::optional<engines::Seat> forfeit_;
    std::vector<engines::Note> notes_;
    engines::DeltaWriter delta_;
};

}  // namespace referee::showing
