#include "referee/watch/showing/showing.h"

#include <algorithm>

#include "referee/game/trace/replay_lines.h"
#include "referee/watch/showing/follower.h"
#include "referee/watch/showing/record.h"

namespace referee::showing {
namespace {

namespace json = protocol::json;

constexpr std::int64_t showing_version = 1;

void write_beginning(Follower& follower, json::Writer& writer) {
    follower.write_opening(writer);
    writer.key("frames").begin_array();
}

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
    showing.game_id = follower.first_line().find("game_id").string().value_or("");
    json::Writer writer(showing.json);
    writer.begin_object().member("showing", showing_version);
    follower.write_facts(writer, options.seed);
    writer.member("live", false);
    const auto from = options.range ? options.range->from : 0;
    if (from == 0) write_beginning(follower, writer);
    for (auto rest = lines->turns; !rest.empty(); ++showing.frames) {
        if (follower.state().over()) {
            showing.differences.push_back("line " + std::to_string(showing.frames + 2) +
                                          ": a turn after the end of the game");
            break;
        }
        const auto end = rest.find('\n');
        if (auto followed = follower.follow(rest.substr(0, end)); !followed)
            return base::failure(std::move(followed.error()));
        rest.remove_prefix(end + 1);
        const auto frame = showing.frames + 1;
        if (frame == from) write_beginning(follower, writer);
        if (frame <= from || (options.range && frame > options.range->to)) continue;
        Beside beside;
        if (!follower.forfeit())
            beside = {last.times_of(follower.turn_shown()), words.of(follower.turn_shown())};
        follower.write_frame(writer, beside);
    }
    if (from > showing.frames)
        return base::failure(Refusal{"frame " + std::to_string(from) +
                                     " is behind the end; expected one from 0 to " +
                                     std::to_string(showing.frames)});
    writer.end_array();
    if (options.range) {
        writer.key("range").begin_object().member("from", std::uint64_t{from});
        writer.member("to", std::uint64_t{std::min(options.range->to, showing.frames)});
        writer.member("frames", std::uint64_t{showing.frames}).end_object();
    }
    last.write(writer);
    for (auto& difference : trace::differences(
             last.result(), {follower.state(), follower.turns(), follower.engine_faults()}))
        showing.differences.push_back(std::move(difference));
    if (!showing.differences.empty()) {
        writer.key("differences").begin_array();
        for (const auto& difference : showing.differences) writer.string(difference);
        writer.end_array();
    }
    if (!options.annulled.empty()) writer.member("annulled", options.annulled);
    if (!options.review.empty()) writer.key("review").raw(options.review);
    writer.end_object();
    return showing;
}

}  // namespace referee::showing
