#include <algorithm>
#include <optional>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"
#include "referee/watch/review/review.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/web_sessions.h"

// Games on the site that go on, and who may look at which.

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

// Where a showing is kept: a game looks the same to all who have no part in it, as long as it has
// the same review.
std::string place_of(const std::string& game_id, const Visitor& visitor, const std::string& review,
                     const std::string& annulled) {
    return game_id + '\n' + (visitor.instructor ? std::string("the instructor") : visitor.bot) +
           '\n' + base::hex_of(base::digest_of(review, "\n", annulled));
}

Answer held_back() {
    return error_answer(503, "held_back", "expected another try when this game is over, and shown");
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
    return std::ranges::any_of(tournaments_, [game](const auto& one) {
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

// Games on the site that are over: their replays, showings and reviews.

bool Site::is_held(const std::string& game_id) const {
    return std::ranges::any_of(held_ends_,
                               [&game_id](const auto& one) { return one.second == game_id; });
}

void Site::showing_of_replay(const Asked& asked) {
    const auto& key = asked.game;
    const auto range = range_of(asked.request);
    if (!range)
        return asked.refuse(416, "wrong_range",
                            "expected from= and to= with numbers of frames, the first no "
                            "more than the second, such as ?from=20&to=40");
    const Shown of{*range, *range ? std::string() : review_beside(key), why_annulled(key)};
    if (!of.range) {
        const auto place = place_of(asked.id, asked.visitor, of.review, of.annulled);
        for (const auto& [name, kept] : showings_) {
            if (name == place) return asked.reply({.body = kept});
        }
    }
    with_replay(asked, [this, asked, of](const auto& replay) { show_replay(asked, of, replay); });
}

void Site::show_replay(const Asked& asked, const Shown& of, const std::string& replay) {
    showing::ShowingOptions options;
    options.range = of.range;
    const auto [game, bots] = players_of(replay);
    if (is_secret(game, bots, asked.visitor)) return asked.reply(kept_secret());
    for (const auto& bot : bots) {
        if (!asked.visitor.may_know(bot)) continue;
        if (auto said = files::read_named_file(dependencies_.files.debug_file(asked.game, bot),
                                               limits::replay_bytes_max))
            options.said.push_back({bot, *std::move(said)});
    }
    if (!terms_.names_secret.empty()) learn(bots);
    options.with_text = !engines::board_of(game);
    if (!may_know_seed(replay, asked.visitor)) options.seed = showing::Seed::secret;
    options.annulled = of.annulled;
    // Of another game, or damaged: then there is none. At its own path it is told why.
    if (!of.review.empty()) options.review = review::read_review(of.review, replay).value_or("");
    auto made =
        showing::showing_of(replay_for(replay, asked.visitor), asked.id, registry_, options);
    if (!made && of.range) return asked.refuse(416, "no_such_frame", made.error().message);
    if (!made) return asked.refuse(500, "damaged_replay", made.error().message);
    const auto text = std::make_shared<const std::string>(
        name_mask_for(asked.game.tournament, asked.visitor).json(made->json));
    if (!of.range) keep_showing(place_of(asked.id, asked.visitor, of.review, of.annulled), text);
    asked.reply({.body = text});
}

// The replay itself, with which `referee fork` goes on; it can't be played again without its seed.
void Site::replay(const Asked& asked) {
    if (is_held(asked.id) || goes_on(asked.id)) return asked.reply(held_back());
    with_replay(asked, [this, asked](const std::string& replay) {
        if (!may_know_seed(replay, asked.visitor))
            return asked.refuse(403, "seed_is_secret",
                                "a replay has the game's seed, and others play from this one; "
                                "expected the instructor's login");
        const auto names = name_mask_for(asked.game.tournament, asked.visitor);
        auto answer =
            text_answer("application/x-ndjson", names.lines(replay_for(replay, asked.visitor)));
        answer.headers.emplace_back(
            "Content-Disposition",
            "attachment; filename*=UTF-8''" + in_url(file_name_of(asked.game) + ".ndjson"));
        asked.reply(std::move(answer));
    });
}

std::string Site::review_beside(const GameKey& key) const {
    const auto file = review::file_beside(dependencies_.files.replay_file(key));
    return files::read_named_file(file, review::kept_bytes_max).value_or("");
}

void Site::review(const Asked& asked) {
    if (is_held(asked.id) || goes_on(asked.id)) return asked.reply(held_back());
    with_replay(asked, [this, asked](const auto& replay) { show_review(asked, replay); });
}

void Site::show_review(const Asked& asked, const std::string& replay) {
    const auto [game, bots] = players_of(replay);
    if (is_secret(game, bots, asked.visitor)) return asked.reply(kept_secret());
    const auto text = review_beside(asked.game);
    if (text.empty())
        return asked.refuse(404, "no_review",
                            "nobody has reviewed this game here; expected one that referee "
                            "review --beside wrote where the replay lies");
    const auto review = review::read_review(text, replay);
    const auto name_mask = name_mask_for(asked.game.tournament, asked.visitor);
    if (!review) return asked.refuse(500, "wrong_review", name_mask.words(review.error()));
    if (!terms_.names_secret.empty()) learn(bots);
    asked.reply(json_answer(name_mask_for(asked.game.tournament, asked.visitor).json(*review)));
}

void Site::with_replay(const Asked& asked, const WithReplay& then) {
    const auto file = files::read_named_file(dependencies_.files.replay_file(asked.game),
                                             limits::replay_bytes_max);
    if (file && !file->empty()) return then(*file);
    if (questions_ >= limits::questions_waiting_max)
        return asked.refuse(503, "too_many_questions",
                            "too many ask at once for games that are kept in the store alone; "
                            "expected another try in some seconds");
    ++questions_;
    dependencies_.loop.replay_of(asked.game, [this, then, asked](const WebOutcome& outcome) {
        --questions_;
        if (!outcome.done || outcome.text.empty()) return asked.reply(no_such_game());
        then(outcome.text);
    });
}

void Site::keep_showing(const std::string& key, const Piece& showing) {
    if (showing->size() > limits::showings_kept_bytes_max) return;
    showings_.emplace_back(key, showing);
    showings_bytes_ += showing->size();
    while (showings_bytes_ > limits::showings_kept_bytes_max) {
        showings_bytes_ -= showings_.front().second->size();
        showings_.pop_front();
    }
}

std::string Site::why_annulled(const GameKey& key) {
    const auto& annulled = data_of(key.tournament).annulled();
    const auto found = annulled.find(key);
    return found == annulled.end() ? std::string() : found->second;
}

}  // namespace referee::web
