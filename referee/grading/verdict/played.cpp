#include "referee/grading/verdict/played.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/json/document.h"
#include "protocol/json/writer.h"

namespace referee::verdict {

namespace json = protocol::json;

namespace {

// Whether an outcome's detail tells a win; nothing where it knows none.
std::optional<bool> told_win(const std::string& detail) {
    json::Document outcome;
    if (!outcome.parse(detail)) return std::nullopt;
    const auto win = outcome.root().find("win").boolean();
    const auto finished = outcome.root().find("finished").boolean();
    if (!win && !finished) return std::nullopt;
    return win.value_or(false) || finished.value_or(false);
}

}  // namespace

bool PlayedGame::won() const {
    if (forfeited) return false;
    if (placing.size() > 1)
        return seat < placing.size() && placing[seat] == 1 && std::ranges::count(placing, 1) == 1;
    return told_win(detail).value_or(false);
}

bool PlayedGame::can_be_won() const {
    return placing.size() > 1 || told_win(detail);
}

std::vector<const PlayedGame*> Played::games() const {
    std::vector<const PlayedGame*> all;
    for (const auto& [id, one] : series)
        for (const auto& game : one.games) all.push_back(&game);
    return all;
}

std::string last_words(const Played& played) {
    for (const auto& [id, series] : played.series) {
        for (const auto& game : series.games) {
            for (const auto& fault : game.faults) {
                if (fault.evidence.stderr_tail && !fault.evidence.stderr_tail->empty())
                    return *fault.evidence.stderr_tail;
            }
        }
        for (const auto& run : series.runs) {
            if (!run.right && !run.printed.empty()) return run.printed;
        }
    }
    return {};
}

std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail) {
    constexpr std::string_view attainable = "attainable";
    json::Document outcome;
    const bool is_read = static_cast<bool>(outcome.parse(detail));
    REFEREE_ASSERT(is_read);
    json::Document given;
    const bool params_read = static_cast<bool>(given.parse(params));
    REFEREE_ASSERT(params_read);
    const auto most = game.attainable(given.root());
    if (!most || outcome.root().find(attainable)) return std::string(detail);
    return json::object_text([&](json::Writer& writer) {
        for (const auto member : outcome.root().members()) member.write(writer);
        writer.key(attainable).integer(*most);
    });
}

std::optional<std::string_view> map_named_in(json::View params) {
    const auto map = params.find("map").string();
    return map ? map : params.find("maze").string();
}

std::string begun_from(const PlayedGame& game) {
    if (!game.map.empty()) return game.map;
    return game.by_seed ? "seed " + std::to_string(game.seed) : std::string();
}

std::string in_game(const PlayedGame& game) {
    const auto from = begun_from(game);
    return "game " + game.id + (from.empty() ? "" : (game.map.empty() ? ", " : " on ") + from);
}

std::string end_of(const PlayedGame& game) {
    return game.story.empty() ? game.reason : game.story;
}

}  // namespace referee::verdict
