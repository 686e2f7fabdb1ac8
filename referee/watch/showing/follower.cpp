#include "referee/watch/showing/follower.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/game/trace/replay.h"

namespace referee::showing {
namespace {

namespace json = protocol::json;

// What a first line has that is shown as it is, beside the bots. `number` and `attempt` are left
// out by replays of single games.
constexpr const char* facts_before_title[] = {"game_id", "tournament", "match",
                                              "number",  "attempt",    "game"};
constexpr const char* facts_behind_title[] = {"params", "bots", "clock", "forked_from"};

void write_member(json::Writer& writer, json::View object, const char* name) {
    if (const auto value = object.find(name)) {
        writer.key(std::string_view(name));
        value.write(writer);
    }
}

void write_answers(json::Writer& writer, const trace::TurnLine& line) {
    line.moves().write(writer.key("moves"));
    writer.key("used_us");
    if (const auto used = line.used_us()) return used.write(writer);
    writer.begin_array();
    for (const auto& answer : line.answers()) writer.integer(answer.used_us);
    writer.end_array();
}

void write_debug(json::Writer& writer, const std::vector<std::string_view>& debug) {
    writer.key("debug").begin_array();
    for (const auto said : debug) {
        if (said.empty()) {
            writer.null();
        } else {
            writer.string(said);
        }
    }
    writer.end_array();
}

bool somebody_said_something(const std::vector<std::string_view>& debug) {
    return std::any_of(debug.begin(), debug.end(), [](auto said) { return !said.empty(); });
}

}  // namespace

Follower::Follower(trace::Setup setup, const std::string& file, bool with_text)
    : setup_(std::move(setup)), file_(file), with_text_(with_text) {}

base::Result<std::unique_ptr<Follower>, Refusal> Follower::begin(std::string_view first_line,
                                                                 const std::string& file,
                                                                 const engines::Registry& registry,
                                                                 bool with_text) {
    auto setup = trace::set_up_again(first_line, file, registry);
    if (!setup) return base::failure(std::move(setup.error()));
    std::unique_ptr<Follower> follower(new Follower(*std::move(setup), file, with_text));
    const auto parsed = follower->first_line_.parse(first_line);
    REFEREE_ASSERT(parsed.has_value());
    if (auto read = follower->read_bots(); !read) return base::failure(std::move(read.error()));
    return follower;
}

base::Result<void, Refusal> Follower::read_bots() {
    const auto names = first_line().find("bots");
    for (const auto name : names.elements()) {
        if (const auto text = name.string()) bots_.emplace_back(*text);
    }
    if (bots_.size() == seats() && names.size() == seats()) return {};
    return base::failure(Refusal{file_ + ":1: bots: expected an array of " +
                                 std::to_string(seats()) + " names, one for each seat, such as " +
                                 "[\"alice\", \"bob\"]"});
}

base::Result<void, Refusal> Follower::follow(std::string_view line) {
    ++lines_;
    const auto refused = [this](const std::string& why) {
        return base::failure(Refusal{file_ + ':' + std::to_string(lines_) + ": " + why});
    };
    if (const auto read = line_.read(line, seats(), true); !read) return refused(read.error());
    if (line_.result()) return refused("expected a turn, found a result; it stands last");
    if (state().over())
        return refused(
            "a turn after the end of the game; expected a replay that was made by the rules of "
            "this program");
    notes_.clear();
    forfeit_ = line_.forfeit();
    if (forfeit_) {
        setup_.state->forfeit(*forfeit_);
        return {};
    }
    setup_.state->apply(line_.answers(), notes_);
    ++turns_;
    engine_faults_ += static_cast<std::size_t>(std::count_if(
        notes_.begin(), notes_.end(), [](const auto& note) { return note.is_fault; }));
    return {};
}

void Follower::write_facts(json::Writer& writer, Seed seed) const {
    for (const auto* name : facts_before_title) write_member(writer, first_line(), name);
    writer.member("title", info().title);
    if (seed == Seed::told) write_member(writer, first_line(), "seed");
    for (const auto* name : facts_behind_title) write_member(writer, first_line(), name);
}

void Follower::write_opening(json::Writer& writer) {
    std::string text;
    json::Writer state_writer(text);
    state().write_state(state_writer);
    delta_.begin(text);
    writer.key("state").raw(text);
    if (with_text_) writer.member("text", state().render());
}

void Follower::write_frame(json::Writer& writer, const Beside& beside) {
    writer.begin_object().member("turn", turn_shown());
    writer.key("changes");
    delta_.write(state(), writer);
    if (with_text_) writer.member("text", state().render());
    if (forfeit_) {
        writer.member("forfeit", *forfeit_);
    } else {
        write_answers(writer, line_);
    }
    trace::write_notes(writer, notes_, true);
    if (!beside.times.empty()) writer.key("times").raw(beside.times);
    if (somebody_said_something(beside.debug)) write_debug(writer, beside.debug);
    writer.end_object();
}

}  // namespace referee::showing
