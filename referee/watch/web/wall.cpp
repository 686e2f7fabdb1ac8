#include "referee/watch/web/wall.h"

#include <utility>

#include "referee/watch/web/site.h"
#include "referee/watch/web/web_limits.h"

namespace referee::web {

void Wall::join(std::shared_ptr<Spectator> spectator, const Visitor& visitor) {
    listeners_.push_back({std::move(spectator), visitor});
    for (const auto& [id, place] : places_) {
        tell_facts(listeners_.back(), place);
        if (place.position != nullptr) listeners_.back().spectator->push(place.position);
        if (place.over_at) listeners_.back().spectator->push(event_of("over", "game_id", id));
    }
}

void Wall::tell(const Piece& piece) {
    for (const auto& listener : listeners_) listener.spectator->push(piece);
    std::erase_if(listeners_, [](const auto& one) { return one.spectator->gone(); });
}

void Wall::tell_facts(const Listener& listener, const Place& place) const {
    if (place.facts.empty()) return;
    const auto name_mask = site_.name_mask_for(place.tournament, listener.visitor);
    listener.spectator->push(event_piece("game", {}, name_mask.json(place.facts)));
}

void Wall::begin_anew() {
    tell(event_piece("reload", {}, "{}"));
    for (const auto& listener : listeners_) listener.spectator->end();
    listeners_.clear();
    places_.clear();
}

void Wall::update(Place& place, const LiveGame& game) {
    if (!game.begun() || game.failed()) return;
    const bool is_new = place.facts.empty();
    if (is_new) {
        // With it a page can hang the newest first, whatever it was told before.
        place.facts =
            "{\"order\":" + std::to_string(game.news().order) + ',' + game.facts().substr(1);
        for (const auto& listener : listeners_) tell_facts(listener, place);
    }
    if (!is_new && place.frames == game.frames()) return;
    place.frames = game.frames();
    place.position = event_piece("position", {}, game.position());
    tell(place.position);
}

void Wall::last_look(const std::string& game_id, const LiveGame& game, Instant now) {
    const auto found = places_.find(game_id);
    if (found == places_.end() || found->second.over_at) return;
    update(found->second, game);
    found->second.over_at = now;
    tell(event_of("over", "game_id", game_id));
}

void Wall::fill() {
    while (places_.size() < limits::wall_games_max) {
        auto* const game = site_.newest_game([this](const std::string& id) { return shows(id); });
        if (game == nullptr) return;
        places_[game->news().id].tournament = game->news().key.tournament;
    }
}

void Wall::look(Instant now) {
    std::erase_if(listeners_, [](const auto& one) { return one.spectator->gone(); });
    if (listeners_.empty()) return places_.clear();
    if (now - looked_ < limits::wall_every) return;
    looked_ = now;
    for (auto at = places_.begin(); at != places_.end();) {
        auto& place = at->second;
        const auto* const game = site_.followed(at->first);
        if (!place.over_at && game != nullptr) update(place, *game);
        // One that can't be shown is taken away at once.
        const bool lost = !place.over_at && (game == nullptr || game->failed());
        const bool stood = place.over_at && now - *place.over_at >= limits::wall_stands;
        if (!lost && !stood) {
            ++at;
            continue;
        }
        tell(event_of("gone", "game_id", at->first));
        at = places_.erase(at);
    }
    fill();
}

}  // namespace referee::web
