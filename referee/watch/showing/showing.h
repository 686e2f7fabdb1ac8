#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/registry.h"
#include "protocol/base/result.h"
#include "protocol/json/document.h"
#include "referee/game/trace/replay.h"
#include "referee/game/trace/trace.h"
#include "referee/watch/showing/follower.h"

namespace referee::showing {

// What a bot said of its moves: the text of its debug file, {"turn": 3, "debug": "..."} a line. Of
// several turns' worth the first counts; a line that is not as it should be is left out.
struct Said {
    std::string bot;
    std::string lines;
};

// Frames `from` to `to`; 0 is the position before the first turn.
struct Range {
    std::size_t from = 0;
    std::size_t to = 0;
};

struct ShowingOptions {
    std::vector<Said> said{};  // by those bots whose words the viewer may know
    bool with_text = false;    // positions as text too: for a game without a board
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

// Follows all turns of a replay, and calls behind each with its line. What the record tells
// otherwise, as a Showing has it.
base::Result<std::vector<std::string>, trace::Refusal> follow_all(
    Follower& follower, const trace::Lines& lines, const LastLine& last,
    const std::function<void(std::string_view line)>& followed);

// What the bots said, by turn and seat.
class Words {
 public:
    Words(const std::vector<Said>& said, const std::vector<std::string>& bots);

    // By seat, empty where nothing was said; nothing at all where nobody ever spoke. Valid with it.
    std::vector<std::string_view> of(std::int64_t turn) const;

 private:
    std::size_t seats_;
    std::map<std::pair<std::int64_t, std::size_t>, std::string> texts_;
};

}  // namespace referee::showing
