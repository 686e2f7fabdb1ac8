#include "referee/watch/showing/showing.h"

#include <algorithm>

#include "protocol/base/text.h"

namespace referee::showing {

namespace {

namespace json = protocol::json;

constexpr std::int64_t showing_version = 1;
// So much longer than its replay a game's text mostly is: it needn't grow again and again.
constexpr std::size_t json_bytes_a_byte = 4;

void write_beginning(Follower& follower, json::Writer& writer) {
    follower.write_opening(writer);
    writer.key("frames").begin_array();
}

// What a bot says is one text.
constexpr std::size_t debug_depth_max = 4;

}  // namespace

base::Result<Showing, trace::Refusal> showing_of(std::string_view replay, const std::string& file,
                                                 const engines::Registry& registry,
                                                 const ShowingOptions& options) {
    const auto lines = trace::lines_of(replay, file);
    if (!lines) return base::failure(lines.error());
    auto begun = Follower::begin(lines->first, file, registry, options.with_text);
    if (!begun) return base::failure(std::move(begun.error()));
    auto& follower = **begun;
    LastLine last;
    if (auto read = last.read(lines->last, file); !read)
        return base::failure(std::move(read.error()));
    const Words words(options.said, follower.bots());

    Showing showing;
    showing.json.reserve(json_bytes_a_byte * replay.size());
    showing.game_id = follower.first_line().find("game_id").string().value_or("");
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
        Beside beside;
        if (!follower.forfeit())
            beside = {last.times_of(follower.turn_shown()), words.of(follower.turn_shown())};
        follower.write_frame(writer, beside);
    });
    if (!followed) return base::failure(std::move(followed.error()));
    showing.differences = *std::move(followed);
    if (from > showing.frames)
        return base::failure(Refusal{"frame " + std::to_string(from) +
                                     " is behind the end; expected one from 0 to " +
                                     std::to_string(showing.frames)});
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

base::Result<std::vector<std::string>, trace::Refusal> follow_all(
    Follower& follower, const trace::Lines& lines, const LastLine& last,
    const std::function<void(std::string_view line)>& followed) {
    std::vector<std::string> differences;
    std::size_t number = 1;
    for (auto rest = lines.turns; !rest.empty();) {
        ++number;
        if (follower.state().over()) {
            differences.push_back("line " + std::to_string(number) +
                                  ": a turn after the end of the game");
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

base::Result<void, trace::Refusal> LastLine::read(std::string_view line, const std::string& file) {
    const bool ended = document_.parse(line) && result().is_object();
    if (!ended) {
        return base::failure(trace::Refusal{
            file +
            ": expected a last line with the result, such as {\"result\": {\"status\": "
            "\"played\", ...}}; the replay is cut short"});
    }
    for (const auto entry : document_.root().find("times").elements()) {
        if (const auto turn = trace::time_in(entry, "turn").integer())
            times_.emplace_back(*turn, entry);
    }
    const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(times_.begin(), times_.end(), earlier))
        std::stable_sort(times_.begin(), times_.end(), earlier);
    return {};
}

std::string_view LastLine::times_of(std::int64_t turn) {
    auto entry = std::lower_bound(times_.begin(), times_.end(), turn,
                                  [](const auto& one, auto key) { return one.first < key; });
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

Words::Words(const std::vector<Said>& said, const std::vector<std::string>& bots)
    : seats_(bots.size()) {
    json::Document document;
    for (std::size_t seat = 0; seat < bots.size(); ++seat) {
        const auto of_bot = std::find_if(said.begin(), said.end(),
                                         [&](const auto& each) { return each.bot == bots[seat]; });
        if (of_bot == said.end()) continue;
        for (std::string_view rest = of_bot->lines; !rest.empty();) {
            if (!document.parse(base::next_line(rest), {.depth_max = debug_depth_max})) continue;
            const auto turn = document.root().find("turn").integer();
            const auto text = document.root().find("debug").string();
            if (turn && text) texts_.try_emplace({*turn, seat}, *text);
        }
    }
}

std::vector<std::string_view> Words::of(std::int64_t turn) const {
    if (texts_.empty()) return {};
    std::vector<std::string_view> by_seat(seats_);
    for (auto word = texts_.lower_bound({turn, 0}); word != texts_.end(); ++word) {
        if (word->first.first != turn) break;
        by_seat[word->first.second] = word->second;
    }
    return by_seat;
}

}  // namespace referee::showing
