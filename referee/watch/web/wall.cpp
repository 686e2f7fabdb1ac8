#include "referee/watch/web/wall.h"

#include "protocol/base/text.h"

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
    const auto name_mask = names_.mask_for(place.tournament, listener.visitor);
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
        place.facts = fmt::format("{{\"order\":{},{}", game.news().order, game.facts().substr(1));
        for (const auto& listener : listeners_) tell_facts(listener, place);
    }
    if (!is_new && place.frames == game.frames()) return;
    place.frames = game.frames();
    place.position = event_piece("position", {}, game.position());
    tell(place.position);
}

bool Wall::shows(const LiveGame& game, Instant now) {
    const auto found = places_.find(game.news().id);
    if (found == places_.end()) return false;
    auto& place = found->second;
    if (!place.over_at && (game.ended() || game.failed())) {
        update(place, game);
        place.over_at = now;
        tell(event_of("over", "game_id", found->first));
    }
    return true;
}

// The newest first.
void Wall::fill(Instant now) {
    while (places_.size() < wall_games_max) {
        const GameNews* newest = nullptr;
        for (const auto& [id, game] : games_.going_on()) {
            if (newest != nullptr && game.order < newest->order) continue;
            if (!places_.contains(id) && may_be_shown_(game)) newest = &game;
        }
        if (newest == nullptr || games_.watch(newest->id, now) == nullptr) return;
        places_[newest->id].tournament = newest->key.tournament;
    }
}

void Wall::look(Instant now) {
    std::erase_if(listeners_, [](const auto& one) { return one.spectator->gone(); });
    if (listeners_.empty()) return places_.clear();
    if (now - looked_ < wall_every) return;
    looked_ = now;
    for (auto at = places_.begin(); at != places_.end();) {
        auto& place = at->second;
        const auto* const game = games_.followed(at->first);
        if (!place.over_at && game != nullptr) update(place, *game);
        // One that can't be shown is taken away at once.
        const bool lost = !place.over_at && (game == nullptr || game->failed());
        const bool stood = place.over_at && now - *place.over_at >= wall_stands;
        if (!lost && !stood) {
            ++at;
            continue;
        }
        tell(event_of("gone", "game_id", at->first));
        at = places_.erase(at);
    }
    fill(now);
}

}  // namespace referee::web
