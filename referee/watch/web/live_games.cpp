#include "referee/watch/web/live_games.h"

#include <algorithm>

#include "protocol/base/find.h"
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
    const auto* const found = base::find_in(live_, id);
    return games_.contains(id) || (found != nullptr && !found->ended());
}

bool LiveGames::is_held(const std::string& id) const {
    return std::ranges::any_of(held_ends_, [&id](const auto& one) { return one.second == id; });
}

LiveGame* LiveGames::followed(const std::string& id) {
    return base::find_in(live_, id);
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
        reply(game.begun() && !game.failed()
                  ? Answer{.body = game.showing(name_mask)}
                  : error_answer(503, "not_shown",
                                 "this game can't be watched while it goes on; expected its replay "
                                 "when it is over"));
    }
}

void LiveGames::more(const std::string& id, std::string_view lines, Instant now) {
    if (auto* const game = followed(id)) game->more(lines, now);
}

void LiveGames::look(Instant now, const std::function<bool(const LiveGame& game)>& is_wanted) {
    std::erase_if(held_ends_, [now](const auto& one) { return one.first <= now; });
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

}  // namespace referee::web
