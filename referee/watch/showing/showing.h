#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/delta.h"
#include "engines/game.h"
#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"

namespace referee::showing {

using trace::Refusal;

// The seed of a game's chance, which tells who knows it all that is yet to come.
enum class Seed : std::uint8_t { told, secret };

// What a frame shows beside what the engine tells of it.
struct FrameExtras {
    std::string_view times;               // a JSON array; empty: nothing is told
    std::vector<std::string_view> debug;  // by seat, some empty; none where nothing was said
};

// Plays a game again from its replay's lines, one after the other: those of a file, or those of a
// game that goes on.
class ReplayFollower {
 public:
    // From the replay's first line. `file` is for messages. `with_text`: frames have the position
    // as text too, for a game without a board. The registry must outlive the follower.
    static base::Result<std::unique_ptr<ReplayFollower>, Refusal> begin(
        std::string_view first_line, const std::string& file, const engines::Registry& registry,
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
    void write_frame(protocol::json::Writer& writer, const FrameExtras& beside);

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
    ReplayFollower(trace::Setup setup, const std::string& file, bool with_text);
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

// What a bot said of its moves: the text of its debug file, {"turn": 3, "debug": "..."} a line. Of
// several turns' worth the first counts; a line that is not as it should be is left out.
struct DebugFile {
    std::string bot;
    std::string lines;
};

// Frames `from` to `to`; 0 is the position before the first turn.
struct Range {
    std::size_t from = 0;
    std::size_t to = 0;
};

struct ShowingOptions {
    std::vector<DebugFile> said{};  // by those bots whose words the viewer may know
    bool with_text = false;         // positions as text too: for a game without a board
    Seed seed = Seed::told;
    std::string review{};    // as JSON (configs/schemas/review.json); empty: none
    std::string annulled{};  // why this play doesn't count any more; empty: nobody ordered that
    // Of the frames only these: `state` is the position at the first of them, and the frames behind
    // it follow, as far as there are any. Nothing: all.
    std::optional<Range> range{};
};

struct Showing {
    std::string json;  // as configs/schemas/showing.json has it
    std::string game_id;
    std::size_t frames = 0;  // beside that of the first position
    // What the record tells otherwise than the engine does now, a line each; empty: all agrees.
    // Such a replay was written by other rules, or changed since.
    std::vector<std::string> differences;
};

// A replay (see referee/game/play/README.md) as a showing. `file` is for messages.
base::Result<Showing, trace::Refusal> showing_of(std::string_view replay, const std::string& file,
                                                 const engines::Registry& registry,
                                                 const ShowingOptions& options = {});

// The last line of a replay: the result, and what is told of the times of each turn.
class LastLine {
 public:
    base::Result<void, trace::Refusal> read(std::string_view line, const std::string& file);

    protocol::json::View result() const { return document_.root().find("result"); }
    // What is told of a turn's times, as a JSON array without the turns; empty: nothing. Good until
    // the next call.
    std::string_view times_of(std::int64_t turn);

    // The members `faults`, `faults_total` and `result` of a showing.
    void write(protocol::json::Writer& writer) const;

 private:
    protocol::json::Document document_;
    std::vector<std::pair<std::int64_t, protocol::json::View>> times_;  // by turn
    std::string told_;
};

// What led to a frame.
struct FrameFacts {
    std::int64_t turn = 0;  // 0: the first position
    std::optional<engines::Seat> forfeit{};
    // By seat; the first frame has none of them.
    std::vector<std::string> moves{};     // as JSON text; empty: none
    std::vector<std::int64_t> used_us{};  // charged in this turn
    std::vector<std::string> debug{};     // empty where nothing was said
    std::vector<engines::Note> notes{};
};

// A replay of which any position can be had: for whoever draws it here. Frame 0 is the position
// before the first turn.
class ReplayFrames {
 public:
    static base::Result<std::unique_ptr<ReplayFrames>, trace::Refusal> of(
        std::string replay, const std::string& file, const engines::Registry& registry,
        const std::vector<DebugFile>& said);

    std::size_t frames() const { return facts_.size(); }  // frame 0 too; at least 1
    // Requires: the frame is below frames().
    const FrameFacts& facts(std::size_t frame) const { return facts_[frame]; }
    // The position at that frame; valid until the next call.
    const engines::State& state(std::size_t frame);

    // The frame that shows the position after that turn; nothing where the game had no such turn.
    std::optional<std::size_t> frame_after(std::int64_t turn) const;
    std::int64_t turns() const { return facts_.back().turn; }

    const engines::GameInfo& info() const { return *info_; }
    const std::string& replay() const { return replay_; }
    const std::string& game_id() const { return game_id_; }
    const std::vector<std::string>& bots() const { return bots_; }
    protocol::json::View result() const { return last_.result(); }
    // As the result has them: those of seats that the game has.
    const std::vector<protocol::json::View>& faults() const { return faults_; }
    // As in a Showing.
    const std::vector<std::string>& differences() const { return differences_; }

 private:
    explicit ReplayFrames(std::string replay) : replay_(std::move(replay)) {}

    const engines::GameInfo* info_ = nullptr;
    std::string replay_;
    std::vector<std::string_view> lines_;  // those of turns
    std::string game_id_;
    std::vector<std::string> bots_;
    LastLine last_;
    std::vector<FrameFacts> facts_;
    // Every so many frames' position; from there the others are played.
    std::vector<std::unique_ptr<engines::State>> kept_;
    std::unique_ptr<engines::State> state_;
    std::size_t at_ = 0;
    std::vector<protocol::json::View> faults_;
    std::vector<std::string> differences_;
};

}  // namespace referee::showing
