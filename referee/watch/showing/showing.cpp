#include "referee/watch/showing/showing.h"

#include <algorithm>
#include <map>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

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
    for (const auto said : debug) said.empty() ? writer.null() : writer.string(said);
    writer.end_array();
}

constexpr std::int64_t showing_version = 1;
// So much longer than its replay a game's text mostly is: it needn't grow again and again.
constexpr std::size_t json_bytes_a_byte = 4;

void write_beginning(ReplayFollower& follower, json::Writer& writer) {
    follower.write_opening(writer);
    writer.key("frames").begin_array();
}

constexpr auto turn_of = [](const auto& time) { return time.first; };

// Going back by a frame plays at most so many turns again; a game of a hundred thousand turns keeps
// a few thousand positions.
constexpr std::size_t frames_between_kept = 32;

// What the bots said, by turn and seat.
class DebugTexts {
 public:
    DebugTexts(const std::vector<DebugFile>& said, const std::vector<std::string>& bots)
        : seats_(bots.size()) {
        for (std::size_t seat = 0; seat < bots.size(); ++seat) {
            const auto of_bot = std::ranges::find(said, bots[seat], &DebugFile::bot);
            if (of_bot == said.end()) continue;
            trace::for_each_debug(of_bot->lines, [&](std::int64_t turn, std::string_view text) {
                texts_.try_emplace({turn, seat}, text);
            });
        }
    }

    // By seat, empty where nothing was said; nothing at all where nobody spoke. Valid with it.
    std::vector<std::string_view> of(std::int64_t turn) const {
        std::vector<std::string_view> by_seat;
        for (auto word = texts_.lower_bound({turn, 0}); word != texts_.end(); ++word) {
            if (word->first.first != turn) break;
            if (word->second.empty()) continue;
            by_seat.resize(seats_);
            by_seat[word->first.second] = word->second;
        }
        return by_seat;
    }

 private:
    std::size_t seats_;
    std::map<std::pair<std::int64_t, std::size_t>, std::string> texts_;
};

FrameFacts facts_of(const ReplayFollower& follower, const DebugTexts& words) {
    FrameFacts facts;
    facts.turn = follower.turn_shown();
    facts.forfeit = follower.forfeit();
    facts.notes = follower.notes();
    if (facts.forfeit) return facts;
    for (const auto& answer : follower.answers()) {
        auto& move = facts.moves.emplace_back();
        protocol::json::Writer writer(move);
        if (!answer.move.is_null()) answer.move.write(writer);
        facts.used_us.push_back(answer.used_us);
    }
    for (const auto said : words.of(facts.turn)) facts.debug.emplace_back(said);
    return facts;
}

// Follows all turns of a replay, and calls behind each with its line. What the record tells
// otherwise, as a Showing has it.
base::Result<std::vector<std::string>, trace::Refusal> follow_all(
    ReplayFollower& follower, const trace::Lines& lines, const LastLine& last,
    const std::function<void(std::string_view line)>& followed) {
    std::vector<std::string> differences;
    std::size_t number = 1;
    for (auto rest = lines.turns; !rest.empty();) {
        ++number;
        if (follower.state().over()) {
            differences.push_back(fmt::format("line {}: a turn after the end of the game", number));
            break;
        }
        const auto line = base::next_line(rest);
        if (auto read = follower.follow(line); !read) return base::failure(std::move(read.error()));
        followed(line);
    }
    for (auto& difference : trace::differences(
             last.result(), {follower.state(), follower.turns(), follower.engine_faults()}))
        differences.push_back(std::move(difference));
    return differences;
}

}  // namespace

ReplayFollower::ReplayFollower(trace::Setup setup, const std::string& file, bool with_text)
    : setup_(std::move(setup)), file_(file), with_text_(with_text) {}

base::Result<std::unique_ptr<ReplayFollower>, Refusal> ReplayFollower::begin(
    std::string_view first_line, const std::string& file, const engines::Registry& registry,
    bool with_text) {
    auto setup = trace::set_up_again(first_line, file, registry);
    if (!setup) return base::failure(std::move(setup.error()));
    std::unique_ptr<ReplayFollower> follower(
        new ReplayFollower(*std::move(setup), file, with_text));
    const auto parsed = follower->first_line_.parse(first_line);
    REFEREE_ASSERT(parsed.has_value());
    if (auto read = follower->read_bots(); !read) return base::failure(std::move(read.error()));
    return follower;
}

base::Result<void, Refusal> ReplayFollower::read_bots() {
    const auto names = first_line().find("bots");
    for (const auto name : names.elements()) {
        if (const auto text = name.string()) bots_.emplace_back(*text);
    }
    if (bots_.size() == seats() && names.size() == seats()) return {};
    return base::failure(
        Refusal{fmt::format("{}:1: bots: expected an array of {} names, one for each seat, such as "
                            "[\"alice\", \"bob\"]",
                            file_, seats())});
}

base::Result<void, Refusal> ReplayFollower::follow(std::string_view line) {
    ++lines_;
    const auto refused = [this](const std::string& why) {
        return base::failure(Refusal{fmt::format("{}:{}: {}", file_, lines_, why)});
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
    engine_faults_ += static_cast<std::size_t>(
        std::ranges::count_if(notes_, [](const auto& note) { return note.is_fault; }));
    return {};
}

void ReplayFollower::write_facts(json::Writer& writer, Seed seed) const {
    for (const auto* name : facts_before_title) write_member(writer, first_line(), name);
    writer.member("title", info().title);
    if (seed == Seed::told) write_member(writer, first_line(), "seed");
    for (const auto* name : facts_behind_title) write_member(writer, first_line(), name);
}

void ReplayFollower::write_opening(json::Writer& writer) {
    std::string text;
    json::Writer state_writer(text);
    state().write_state(state_writer);
    delta_.begin(text);
    writer.key("state").raw(text);
    if (with_text_) writer.member("text", state().render());
}

void ReplayFollower::write_frame(json::Writer& writer, const FrameExtras& beside) {
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
    if (!beside.debug.empty()) write_debug(writer, beside.debug);
    writer.end_object();
}

base::Result<Showing, trace::Refusal> showing_of(std::string_view replay, const std::string& file,
                                                 const engines::Registry& registry,
                                                 const ShowingOptions& options) {
    const auto lines = trace::lines_of(replay, file);
    if (!lines) return base::failure(lines.error());
    auto begun = ReplayFollower::begin(lines->first, file, registry, options.with_text);
    if (!begun) return base::failure(std::move(begun.error()));
    auto& follower = **begun;
    LastLine last;
    if (auto read = last.read(lines->last, file); !read)
        return base::failure(std::move(read.error()));
    const DebugTexts words(options.said, follower.bots());

    Showing showing;
    showing.json.reserve(json_bytes_a_byte * replay.size());
    showing.game_id = follower.first_line().find("game_id").text();
    json::Writer writer(showing.json);
    writer.begin_object().member("showing", showing_version);
    follower.write_facts(writer, options.seed);
    writer.member("live", false);
    const auto from = options.range ? options.range->from : 0;
    if (from == 0) write_beginning(follower, writer);
    auto followed = follow_all(follower, *lines, last, [&](std::string_view /*line*/) {
        const auto frame = ++showing.frames;
        if (frame == from) write_beginning(follower, writer);
        if (frame <= from || (options.range && frame > options.range->to)) return;
        FrameExtras beside;
        if (!follower.forfeit())
            beside = {last.times_of(follower.turn_shown()), words.of(follower.turn_shown())};
        follower.write_frame(writer, beside);
    });
    if (!followed) return base::failure(std::move(followed.error()));
    showing.differences = *std::move(followed);
    if (from > showing.frames)
        return base::failure(Refusal{fmt::format(
            "frame {} is behind the end; expected one from 0 to {}", from, showing.frames)});
    writer.end_array();
    if (options.range) {
        writer.key("range").begin_object().member("from", from);
        writer.member("to", std::min(options.range->to, showing.frames));
        writer.member("frames", showing.frames).end_object();
    }
    last.write(writer);
    if (!showing.differences.empty()) writer.key("differences").texts(showing.differences);
    if (!options.annulled.empty()) writer.member("annulled", options.annulled);
    if (!options.review.empty()) writer.key("review").raw(options.review);
    writer.end_object();
    return showing;
}

base::Result<void, trace::Refusal> LastLine::read(std::string_view line, const std::string& file) {
    const bool ended = document_.parse(line) && result().is_object();
    if (!ended)
        return base::failure(
            trace::Refusal{file + ": expected a last line with the result, such as {\"result\": "
                                  "{\"status\": \"played\", ...}}; the replay is cut short"});
    for (const auto entry : document_.root().find("times").elements()) {
        if (const auto turn = trace::time_in(entry, "turn").integer())
            times_.emplace_back(*turn, entry);
    }
    if (!std::ranges::is_sorted(times_, {}, turn_of)) std::ranges::stable_sort(times_, {}, turn_of);
    return {};
}

std::string_view LastLine::times_of(std::int64_t turn) {
    auto entry = std::ranges::lower_bound(times_, turn, {}, turn_of);
    if (entry == times_.end() || entry->first != turn) return {};
    told_.clear();
    json::Writer writer(told_);
    writer.begin_array();
    for (; entry != times_.end() && entry->first == turn; ++entry) {
        writer.begin_object();
        if (const auto times = entry->second; times.is_array()) {
            for (const auto* name : {"seat", "waited_us"})
                trace::time_in(times, name).write(writer.key(std::string_view(name)));
        } else {
            json::write_members(writer, times,
                                [](const auto& member) { return member.name != "turn"; });
        }
        writer.end_object();
    }
    writer.end_array();
    return told_;
}

void LastLine::write(json::Writer& writer) const {
    writer.key("faults");
    if (const auto faults = result().find("faults"); faults.is_array()) {
        faults.write(writer);
    } else {
        writer.begin_array().end_array();
    }
    writer.member("faults_total", result().find("faults_total").integer().value_or(0));
    writer.key("result").begin_object();
    json::write_members(writer, result(), [](const auto& member) {
        return member.name != "faults" && member.name != "faults_total";
    });
    writer.end_object();
}

base::Result<std::unique_ptr<ReplayFrames>, trace::Refusal> ReplayFrames::of(
    std::string replay, const std::string& file, const engines::Registry& registry,
    const std::vector<DebugFile>& said) {
    std::unique_ptr<ReplayFrames> made(new ReplayFrames(std::move(replay)));
    const auto parts = trace::lines_of(made->replay_, file);
    if (!parts) return base::failure(parts.error());
    auto begun = ReplayFollower::begin(parts->first, file, registry, false);
    if (!begun) return base::failure(std::move(begun.error()));
    auto& follower = **begun;
    if (auto read = made->last_.read(parts->last, file); !read)
        return base::failure(std::move(read.error()));
    made->info_ = &follower.info();
    made->game_id_ = follower.first_line().find("game_id").text();
    made->bots_ = follower.bots();
    const DebugTexts words(said, made->bots_);
    made->facts_.emplace_back();
    made->kept_.push_back(follower.state().clone());
    auto followed = follow_all(follower, *parts, made->last_, [&](std::string_view line) {
        made->lines_.push_back(line);
        made->facts_.push_back(facts_of(follower, words));
        if (made->lines_.size() % frames_between_kept == 0)
            made->kept_.push_back(follower.state().clone());
    });
    if (!followed) return base::failure(std::move(followed.error()));
    made->differences_ = *std::move(followed);
    made->state_ = made->kept_.front()->clone();
    for (const auto fault : made->result().find("faults").elements()) {
        const auto seat = fault.find("seat").unsigned_integer();
        if (seat && *seat < made->bots_.size()) made->faults_.push_back(fault);
    }
    return made;
}

const engines::State& ReplayFrames::state(std::size_t frame) {
    REFEREE_ASSERT(frame < frames());
    if (frame < at_ || frame - at_ > frames_between_kept) {
        const auto kept = frame / frames_between_kept;
        state_ = kept_[kept]->clone();
        at_ = kept * frames_between_kept;
    }
    trace::TurnLine line;
    std::vector<engines::Note> notes;
    for (; at_ < frame; ++at_) {
        const auto read = line.read(lines_[at_], bots_.size(), true);
        REFEREE_ASSERT(read.has_value());
        if (line.forfeit()) {
            state_->forfeit(*line.forfeit());
        } else {
            state_->apply(line.answers(), notes);
        }
    }
    return *state_;
}

std::optional<std::size_t> ReplayFrames::frame_after(std::int64_t turn) const {
    for (std::size_t frame = frames(); frame-- > 0;) {
        if (facts_[frame].turn == turn) return frame;
    }
    return std::nullopt;
}

}  // namespace referee::showing
