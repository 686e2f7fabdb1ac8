#include "referee/watch/web/live_games.h"

#include <algorithm>

#include "protocol/base/text.h"
#include "referee/watch/web/replays.h"

namespace referee::web {

// Games that are watched at once: each costs memory for its frames.
constexpr std::size_t games_watched_max = 64;
// A game that has been shown to its end is kept so long for those who were told its showing before,
// and ask only now for what came behind that.
constexpr std::chrono::seconds ended_kept{10};
// Requests that wait until a game's first frames are there.
constexpr std::size_t showings_waiting_max = 256;

void LiveGames::began(GameNews news) {
    names_.learn(news.bots);
    auto id = news.id;
    news.order = ++games_begun_;
    games_[std::move(id)] = std::move(news);
}

void LiveGames::ended(const std::string& id, const std::string* replay, Instant now) {
    games_.erase(id);
    if (delay_.time > Duration::zero()) held_ends_.emplace_back(now + delay_.time, id);
    auto* const game = followed(id);
    if (game == nullptr) return;
    game->over(replay == nullptr ? "{}" : end_of(*replay), now);
    // What couldn't be shown live is shown by its replay.
    if (game->failed()) give_up(id, now);
}

const GameNews* LiveGames::news_of(const std::string& id) const {
    if (const auto game = games_.find(id); game != games_.end()) return &game->second;
    const auto live = live_.find(id);
    return live == live_.end() ? nullptr : &live->second.news();
}

bool LiveGames::goes_on(const std::string& id) const {
    const auto found = live_.find(id);
    return games_.contains(id) || (found != live_.end() && !found->second.ended());
}

bool LiveGames::is_held(const std::string& id) const {
    return std::ranges::any_of(held_ends_, [&id](const auto& one) { return one.second == id; });
}

LiveGame* LiveGames::followed(const std::string& id) {
    const auto found = live_.find(id);
    return found == live_.end() ? nullptr : &found->second;
}

LiveGame* LiveGames::watch(const std::string& id, Instant now) {
    if (auto* const game = followed(id)) return game;
    const auto game = games_.find(id);
    if (game == games_.end()) return nullptr;
    // Those that are kept only for who comes late leave their room.
    if (live_.size() >= games_watched_max)
        std::erase_if(live_, [](const auto& one) { return one.second.ended(); });
    if (live_.size() >= games_watched_max) return nullptr;
    const auto& news = game->second;
    LiveGame made(news, delay_, names_.mask_for(news.key.tournament, {}));
    auto& live = live_.emplace(id, std::move(made)).first->second;
    live.unwatched_since = now;
    loop_.watch(id);
    return &live;
}

bool LiveGames::show(const std::string& id, LiveGame::Waiting asked, Instant now) {
    auto* const game = watch(id, now);
    if (game == nullptr || waiting_ >= showings_waiting_max) return false;
    game->unwatched_since = now;
    ++waiting_;
    game->waiting().push_back(std::move(asked));
    if (game->begun() || game->failed()) tell_waiting(*game, now);
    return true;
}

void LiveGames::so_far(const std::string& id, const PlayedSoFar& so_far, Instant now) {
    auto* const game = followed(id);
    if (game == nullptr) return;
    const bool begun = game->begin(so_far, registry_, now);
    if (!begun && !games_.contains(id)) return give_up(id, now);
    tell_waiting(*game, now);
}

void LiveGames::give_up(const std::string& id, Instant now) {
    auto gone = live_.extract(id);
    tell_waiting(gone.mapped(), now);
}

// Whoever is told has yet to ask for the frames behind.
void LiveGames::tell_waiting(LiveGame& game, Instant now) {
    if (!game.waiting().empty()) game.unwatched_since = now;
    for (const auto& [reply, name_mask] : std::exchange(game.waiting(), {})) {
        --waiting_;
        if (!game.begun() || game.failed()) {
            reply(error_answer(503, "not_shown",
                               "this game can't be watched while it goes on; expected its replay "
                               "when it is over"));
            continue;
        }
        reply({.body = game.showing(name_mask)});
    }
}

void LiveGames::more(const std::string& id, std::string_view lines, Instant now) {
    if (auto* const game = followed(id)) game->more(lines, now);
}

void LiveGames::look(Instant now, const std::function<bool(const LiveGame& game)>& is_wanted) {
    while (!held_ends_.empty() && held_ends_.front().first <= now) held_ends_.pop_front();
    for (auto at = live_.begin(); at != live_.end();) {
        auto& game = at->second;
        game.look(now);
        if (is_wanted(game) || game.watched()) {
            game.unwatched_since.reset();
        } else if (!game.unwatched_since) {
            game.unwatched_since = now;
        }
        const bool forgotten = game.unwatched_since && game.waiting().empty() &&
                               now - *game.unwatched_since >= unwatched_followed;
        if (game.ended()) tell_waiting(game, now);
        const bool is_kept = game.ended() ? now - game.ended_since() < ended_kept : !forgotten;
        if (is_kept) {
            ++at;
            continue;
        }
        if (!game.ended()) loop_.unwatch(at->first);
        tell_waiting(game, now);
        at = live_.erase(at);
    }
}

void LiveGames::sign_of_life(const Piece& piece) {
    for (auto& [id, game] : live_) game.sign_of_life(piece);
}

void LiveGames::begin_anew(Instant now) {
    while (!live_.empty()) {
        const auto id = live_.begin()->first;
        live_.begin()->second.fail();
        loop_.unwatch(id);
        give_up(id, now);
    }
}

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
