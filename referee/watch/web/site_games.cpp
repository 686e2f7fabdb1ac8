// Games on the site that go on, and who may look at which.

#include <algorithm>
#include <optional>
#include <utility>

#include "protocol/json/writer.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/web_limits.h"
#include "referee/watch/web/web_sessions.h"

namespace referee::web {
namespace {

namespace json = protocol::json;

Answer stream_answer(std::shared_ptr<Spectator> stream) {
    return {.type = "text/event-stream", .stream = std::move(stream)};
}

std::shared_ptr<Spectator> new_spectator() {
    return std::make_shared<Spectator>(limits::spectator_bytes_max);
}

void write_game(json::Writer& writer, const GameNews& game, const pseudonyms::NameMask& name_mask) {
    writer.begin_object().member("game_id", game.id).member("tournament", game.key.tournament);
    writer.member("match", game.key.match).member("game", game.game);
    writer.key("bots")
        .texts(game.bots, [&](const auto& bot) { return name_mask.name(bot); })
        .end_object();
}

}  // namespace

void Site::list_games(const Asked& asked) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("games").begin_array();
    for (const auto& [id, game] : games_)
        write_game(writer, game, name_mask_for(game.key.tournament, asked.visitor));
    writer.end_array().end_object();
    asked.reply(json_answer(std::move(text)));
}

void Site::tell_began(const GameNews& news) {
    for (const auto& listener : listeners_) {
        if (!listener.of_games) continue;
        std::string data;
        json::Writer writer(data);
        write_game(writer, news, name_mask_for(news.key.tournament, listener.visitor));
        listener.spectator->push(event_piece("began", {}, data));
    }
}

void Site::game_began(GameNews news) {
    if (!terms_.names_secret.empty()) learn(news.bots);
    tell_began(news);
    auto id = news.id;
    news.order = ++games_begun_;
    games_[std::move(id)] = std::move(news);
}

void Site::game_ended(const GameKey& key, std::shared_ptr<const std::string> replay) {
    const auto id = game_id(key);
    games_.erase(id);
    if (terms_.delay.time > Duration::zero())
        held_ends_.emplace_back(dependencies_.now() + terms_.delay.time, id);
    if (const auto found = live_.find(id); found != live_.end()) {
        found->second.over(replay == nullptr ? "{}" : end_of(*replay), dependencies_.now());
        // What couldn't be shown live is shown by its replay.
        if (found->second.failed()) give_up(id);
    }
    tell_all(event_of("ended", "game_id", id), true);
    look();
}

// Whether it is played, or not yet shown to its end.
bool Site::goes_on(const std::string& game_id) const {
    const auto found = live_.find(game_id);
    return games_.contains(game_id) || (found != live_.end() && !found->second.ended());
}

// Null where the game does not go on, or can't be watched; the game may be there already.
LiveGame* Site::watch(const std::string& game_id) {
    if (const auto found = live_.find(game_id); found != live_.end()) return &found->second;
    const auto game = games_.find(game_id);
    if (game == games_.end()) return nullptr;
    // Those that are kept only for who comes late leave their room.
    if (live_.size() >= limits::games_watched_max)
        std::erase_if(live_, [](const auto& one) { return one.second.ended(); });
    if (live_.size() >= limits::games_watched_max) return nullptr;
    const auto& news = game->second;
    auto& live =
        live_.emplace(game_id, LiveGame(news, terms_.delay, name_mask_for(news.key.tournament, {})))
            .first->second;
    live.unwatched_since = dependencies_.now();
    dependencies_.loop.watch(game_id);
    return &live;
}

void Site::so_far(const std::string& game_id, const PlayedSoFar& so_far) {
    const auto found = live_.find(game_id);
    if (found == live_.end()) return;
    const bool begun = found->second.begin(so_far, registry_, dependencies_.now());
    if (!begun && !games_.contains(game_id)) return give_up(game_id);
    tell_waiting(found->second);
}

void Site::give_up(const std::string& game_id) {
    auto gone = live_.extract(game_id);
    tell_waiting(gone.mapped());
}

// Whoever is told has yet to ask for the frames behind.
void Site::tell_waiting(LiveGame& game) {
    if (!game.waiting().empty()) game.unwatched_since = dependencies_.now();
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

void Site::more(const std::string& game_id, std::string_view lines) {
    if (const auto found = live_.find(game_id); found != live_.end())
        found->second.more(lines, dependencies_.now());
}

// Whoever saw how another one plays it could play it better: the map, the maze or the pieces are
// the same for all. Tournaments of the same seed have the same starts, so each of them counts.
bool Site::is_secret(std::string_view game, const std::vector<std::string>& bots,
                     const Visitor& visitor) const {
    if (bots.size() != 1 || visitor.may_know(bots.front())) return false;
    return std::any_of(tournaments_.begin(), tournaments_.end(), [game](const auto& one) {
        return one.second.game == game && !one.second.over;
    });
}

bool Site::is_secret_live(const Asked& asked) const {
    const auto game = games_.find(asked.id);
    const auto live = live_.find(asked.id);
    if (game == games_.end() && live == live_.end()) return false;
    const auto& news = game == games_.end() ? live->second.news() : game->second;
    return is_secret(news.game, news.bots, asked.visitor);
}

void Site::showing(const Asked& asked) {
    const auto& id = asked.id;
    if (goes_on(id) && is_secret_live(asked)) return asked.reply(kept_secret());
    if (!goes_on(id)) {
        if (!is_held(id)) return showing_of_replay(asked);
        return asked.refuse(503, "held_back",
                            "this game is over, and is shown later; expected another try in "
                            "some seconds");
    }
    const auto& query = asked.request.query;
    if (query.contains("from") || query.contains("to"))
        return asked.refuse(409, "goes_on",
                            "a range is of a game that is over; expected no from= and to= "
                            "here, and /api/v1/games/ID/live for the frames behind");
    auto* const game = watch(id);
    if (game == nullptr || waiting_ >= limits::showings_waiting_max)
        return asked.refuse(503, "too_many_watched",
                            "as many games are watched as may be; expected another try when "
                            "somebody has left, or the replay when this game is over");
    game->unwatched_since = dependencies_.now();
    ++waiting_;
    game->waiting().push_back({asked.reply, asked.names});
    if (game->begun() || game->failed()) tell_waiting(*game);
}

void Site::live(const Asked& asked) {
    const auto& id = asked.id;
    if (is_secret_live(asked)) return asked.reply(kept_secret());
    auto* const game = live_.contains(id) || games_.contains(id) ? watch(id) : nullptr;
    if (game == nullptr || !game->begun() || game->failed())
        return asked.refuse(409, "showing_first",
                            "expected the game's showing to be asked for first, at "
                            "/api/v1/games/ID/showing; a game that is over has no events");
    const auto given = asked.request.query.find("from");
    const auto from = given == asked.request.query.end() ? std::optional<std::size_t>(0)
                                                         : number_in(given->second);
    if (!from || *from > game->frames())
        return asked.refuse(416, "no_such_frame",
                            "expected from= and the number of a frame that was shown: 0 to " +
                                std::to_string(game->frames()));
    auto spectator = new_spectator();
    game->join(spectator, *from, !asked.names.hides());
    asked.reply(stream_answer(std::move(spectator)));
}

void Site::events(const Asked& asked) {
    auto listener = new_spectator();
    const bool of_games = form_field(asked.request.query, "only") != "standings";
    listeners_.push_back({listener, asked.visitor, of_games});
    asked.reply(stream_answer(std::move(listener)));
}

void Site::wall_events(const Asked& asked) {
    auto listener = new_spectator();
    wall_.join(listener, asked.visitor);
    asked.reply(stream_answer(std::move(listener)));
}

void Site::look() {
    const auto now = dependencies_.now();
    while (!held_ends_.empty() && held_ends_.front().first <= now) held_ends_.pop_front();
    if (now - last_sign_ >= limits::stream_silence_max) {
        last_sign_ = now;
        static const auto sign = std::make_shared<const std::string>(": still here\n\n");
        tell_all(sign);
        wall_.sign_of_life(sign);
        for (auto& [id, game] : live_) game.sign_of_life(sign);
    }
    for (auto at = live_.begin(); at != live_.end();) {
        auto& game = at->second;
        game.look(now);
        if (game.ended() || game.failed()) wall_.last_look(at->first, game, now);
        if (game.watched() || wall_.shows(at->first)) {
            game.unwatched_since.reset();
        } else if (!game.unwatched_since) {
            game.unwatched_since = now;
        }
        const bool forgotten = game.unwatched_since && game.waiting().empty() &&
                               now - *game.unwatched_since >= limits::unwatched_followed;
        if (game.ended()) tell_waiting(game);
        const bool is_kept =
            game.ended() ? now - game.ended_since() < limits::ended_kept : !forgotten;
        if (is_kept) {
            ++at;
            continue;
        }
        if (!game.ended()) dependencies_.loop.unwatch(at->first);
        tell_waiting(game);
        at = live_.erase(at);
    }
    wall_.look(now);
}

}  // namespace referee::web
