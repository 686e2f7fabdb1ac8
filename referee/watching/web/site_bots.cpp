// The wall of games that go on, and the pages of bots.

#include <algorithm>
#include <utility>

#include "referee/files/named_file.h"
#include "referee/watching/web/limits.h"
#include "referee/watching/web/site.h"

namespace referee::web {

Wall::Site Site::site_of_wall() {
    return {[this](const auto& is_shown) { return newest_game(is_shown); },
            [this](const std::string& id) -> LiveGame* {
                const auto found = live_.find(id);
                return found == live_.end() ? nullptr : &found->second;
            },
            [this](const std::string& tournament, const Visitor& visitor) {
                return veil_for(tournament, visitor);
            }};
}

LiveGame* Site::newest_game(const std::function<bool(const std::string&)>& is_shown) {
    const GameNews* newest = nullptr;
    for (const auto& [id, game] : games_) {
        if (newest != nullptr && game.order < newest->order) continue;
        if (!is_shown(id) && !is_secret(game, {})) newest = &game;
    }
    return newest == nullptr ? nullptr : watch(newest->id);
}

void Site::wall_events(const Request& request, std::string_view /*rest*/, Reply& reply) {
    Answer answer;
    answer.type = "text/event-stream";
    answer.stream = std::make_shared<Spectator>(
        Spectator::Room{limits::spectator_bytes_max, limits::spectator_events_max});
    wall_.join(answer.stream, visitor_of(request));
    reply(std::move(answer));
}

const GameSummary* Site::summary(const std::string& tournament, const std::string& id,
                                 const Visitor& visitor, std::size_t& reads_left) {
    const auto key = game_key(id);
    if (!key || is_held(id) || goes_on(id)) return nullptr;
    const auto* kept = summaries_.find(id);
    if (kept == nullptr && reads_left > 0) {
        --reads_left;
        const auto replay =
            files::read_named_file(with_.files.replay_file(*key), limits::replay_bytes_max);
        auto made = replay ? summary_of(*replay) : std::nullopt;
        if (!made) return nullptr;
        summaries_.keep(id, *std::move(made));
        kept = summaries_.find(id);
    }
    if (kept == nullptr) return nullptr;
    std::vector<std::string> bots;
    for (const auto& seat : kept->seats) bots.push_back(seat.bot);
    const auto& game = tournaments_.find(tournament)->second.game;
    return is_secret({*key, id, game, std::move(bots)}, visitor) ? nullptr : kept;
}

void Site::bot(const Request& request, std::string_view rest, Reply& reply) {
    const std::string id(rest);
    const auto visitor = visitor_of(request);
    const auto text = file_of_tournament(id, "standings.json", reply);
    if (text.empty()) return;
    const auto veil = veil_for(id, visitor);
    const auto given = request.query.find("name");
    const auto name = given == request.query.end() ? std::string() : veil.behind(given->second);
    const auto standing = name.empty() ? std::nullopt : standing_of(text, name);
    if (!standing)
        return reply(error_answer(404, "no_such_bot",
                                  "expected the name of a bot that stands in the standings, such "
                                  "as ?name=ada"));
    auto reads_left = limits::summaries_read_max;
    const auto told =
        bot_json(id, name, *standing, limits::bot_games_listed_max,
                 [&](const std::string& game) { return summary(id, game, visitor, reads_left); });
    reply(json_answer(veil.json(told)));
}

}  // namespace referee::web
