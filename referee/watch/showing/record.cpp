#include "referee/watch/showing/record.h"

#include <algorithm>
#include <initializer_list>

#include "referee/game/trace/replay_lines.h"

namespace referee::showing {
namespace {

namespace json = protocol::json;

// What a bot says is one text.
constexpr std::size_t debug_depth_max = 4;

void write_without(json::Writer& writer, json::View object,
                   std::initializer_list<std::string_view> left_out) {
    writer.begin_object();
    for (const auto [name, value] : object.members()) {
        if (std::find(left_out.begin(), left_out.end(), name) != left_out.end()) continue;
        writer.key(name);
        value.write(writer);
    }
    writer.end_object();
}

}  // namespace

base::Result<void, trace::Refusal> LastLine::read(std::string_view line, const std::string& file) {
    const bool ended =
        document_.parse(line, {.depth_max = trace::line_depth_max}) && result().is_object();
    if (!ended) {
        return base::failure(trace::Refusal{
            file +
            ": expected a last line with the result, such as {\"result\": {\"status\": "
            "\"played\", ...}}; the replay is cut short"});
    }
    for (const auto entry : document_.root().find("times").elements()) {
        const auto turn = entry.find("turn").integer();
        if (!turn) continue;
        auto& told = times_[*turn];
        if (told.empty()) {
            told = "[";
        } else {
            told.back() = ',';  // the array goes on
        }
        json::Writer writer(told);
        write_without(writer, entry, {"turn"});
        told += ']';
    }
    return {};
}

std::string_view LastLine::times_of(std::int64_t turn) const {
    const auto found = times_.find(turn);
    return found == times_.end() ? std::string_view() : found->second;
}

void LastLine::write(json::Writer& writer) const {
    writer.key("faults");
    if (const auto faults = result().find("faults"); faults.is_array()) {
        faults.write(writer);
    } else {
        writer.begin_array().end_array();
    }
    writer.member("faults_total", result().find("faults_total").integer().value_or(0));
    writer.key("result");
    write_without(writer, result(), {"faults", "faults_total"});
}

Words::Words(const std::vector<Said>& said, const std::vector<std::string>& bots)
    : seats_(bots.size()) {
    json::Document document;
    for (std::size_t seat = 0; seat < bots.size(); ++seat) {
        const auto of_bot = std::find_if(said.begin(), said.end(),
                                         [&](const auto& each) { return each.bot == bots[seat]; });
        if (of_bot == said.end()) continue;
        for (std::string_view rest = of_bot->lines; !rest.empty();) {
            const auto end = rest.find('\n');
            const auto line = rest.substr(0, end);
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
            if (!document.parse(line, {.depth_max = debug_depth_max})) continue;
            const auto turn = document.root().find("turn").integer();
            const auto text = document.root().find("debug").string();
            if (turn && text) texts_.try_emplace({*turn, seat}, *text);
        }
    }
}

std::vector<std::string_view> Words::of(std::int64_t turn) const {
    std::vector<std::string_view> by_seat(seats_);
    for (auto word = texts_.lower_bound({turn, 0}); word != texts_.end(); ++word) {
        if (word->first.first != turn) break;
        by_seat[word->first.second] = word->second;
    }
    return by_seat;
}

}  // namespace referee::showing
