// Games on the site: those that go on, and those that are over.

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "engines/boards.h"
#include "protocol/json/writer.h"
#include "referee/files/named_file.h"
#include "referee/watching/showing/showing.h"
#include "referee/watching/web/discretion.h"
#include "referee/watching/web/limits.h"
#include "referee/watching/web/site.h"

namespace referee::web {
namespace {

namespace json = protocol::json;

Answer no_such_game() {
    return error_answer(404, "no_such_game",
                        "expected the id of a game that was played or is being played here, such "
                        "as friday/12.1; of one that has just ended, try again in a second");
}

Answer kept_secret() {
    return error_answer(403, "not_shown_yet",
                        "others play the same game of one seat, so it is shown to everybody when "
                        "all tournaments of this game are over; until then log in at /me as the "
                        "bot's owner, or as the instructor");
}

Answer stream_answer(std::shared_ptr<Spectator> stream) {
    Answer answer;
    answer.type = "text/event-stream";
    answer.stream = std::move(stream);
    return answer;
}

std::shared_ptr<Spectator> new_spectator() {
    return std::make_shared<Spectator>(
        Spectator::Room{limits::spectator_bytes_max, limits::spectator_events_max});
}

void write_game(json::Writer& writer, const GameNews& game, const pseudonyms::Veil& veil) {
    writer.begin_object().member("game_id", game.id).member("tournament", game.key.tournament);
    writer.member("match", game.key.match).member("game", game.game);
    writer.key("bots").begin_array();
    for (const auto& bot : game.bots) writer.string(veil.name(bot));
    writer.end_array().end_object();
}

// Nothing where the text is no number.
std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

// Where a showing is kept: a game looks the same to all who have no part in it.
std::string place_of(const std::string& game_id, const Visitor& visitor) {
    return game_id + '\n' + (visitor.instructor ? std::string("the instructor") : visitor.bot);
}

// The frames that a request asks for: none in particular, or a range. Nothing where it is no range.
std::optional<std::optional<showing::Range>> range_of(const Request& request) {
    const auto from = request.query.find("from");
    const auto to = request.query.find("to");
    if (from == request.query.end() && to == request.query.end())
        return std::optional<showing::Range>();
    if (from == request.query.end() || to == request.query.end()) return std::nullopt;
    const auto begin = number_in(from->second);
    const auto end = number_in(to->second);
    if (!begin || !end || *begin > *end) return std::nullopt;
    return showing::Range{*begin, *end};
}

}  // namespace

void Site::list_games(const Request& request, std::string_view /*rest*/, Reply& reply) {
    std::string text;
    json::Writer writer(text);
    writer.begin_object().key("games").begin_array();
    const auto visitor = visitor_of(request);
    for (const auto& [id, game] : games_)
        write_game(writer, game, veil_for(game.key.tournament, visitor));
    writer.end_array().end_object();
    reply(json_answer(std::move(text)));
}

void Site::tell_began(const GameNews& news) {
    for (const auto& listener : listeners_) {
        std::string data;
        json::Writer writer(data);
        write_game(writer, news, veil_for(news.key.tournament, listener.visitor));
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
        held_ends_.emplace_back(with_.now() + terms_.delay.time, id);
    if (const auto found = live_.find(id); found != live_.end()) {
        found->second.over(replay == nullptr ? "{}" : end_of(*replay), with_.now());
        // What couldn't be shown live is shown by its replay.
        if (found->second.failed()) give_up(id);
    }
    std::string data;
    json::Writer writer(data);
    writer.begin_object().member("game_id", id).end_object();
    if (!listeners_.empty()) tell_all(event_piece("ended", {}, data));
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
        live_.emplace(game_id, LiveGame(news, terms_.delay, veil_for(news.key.tournament, {})))
            .first->second;
    live.unwatched_since = with_.now();
    with_.loop.watch(game_id);
    return &live;
}

void Site::so_far(const std::string& game_id, const SoFar& so_far) {
    const auto found = live_.find(game_id);
    if (found == live_.end()) return;
    const bool begun = found->second.begin(so_far, registry_, with_.now());
    if (!begun && !games_.contains(game_id)) return give_up(game_id);
    tell_waiting(found->second);
}

void Site::give_up(const std::string& game_id) {
    auto gone = live_.extract(game_id);
    tell_waiting(gone.mapped());
}

// Whoever is told has yet to ask for the frames behind.
void Site::tell_waiting(LiveGame& game) {
    if (!game.waiting().empty()) game.unwatched_since = with_.now();
    for (const auto& [reply, veil] : std::exchange(game.waiting(), {})) {
        --waiting_;
        if (!game.begun() || game.failed()) {
            reply(error_answer(503, "not_shown",
                               "this game can't be watched while it goes on; expected its replay "
                               "when it is over"));
            continue;
        }
        Answer answer;
        answer.body = game.showing(veil);
        reply(std::move(answer));
    }
}

void Site::more(const std::string& game_id, std::string_view lines) {
    if (const auto found = live_.find(game_id); found != live_.end())
        found->second.more(lines, with_.now());
}

// Whoever saw how another one plays it could play it better: the map, the maze or the pieces are
// the same for all. Tournaments of the same seed have the same starts, so each of them counts.
bool Site::is_secret(const GameNews& game, const Visitor& visitor) const {
    if (game.bots.size() != 1 || visitor.may_know(game.bots.front())) return false;
    return std::any_of(tournaments_.begin(), tournaments_.end(), [&game](const auto& one) {
        return one.second.game == game.game && !one.second.over;
    });
}

GameNews Site::news_of_live(const std::string& id) const {
    if (const auto found = games_.find(id); found != games_.end()) return found->second;
    const auto found = live_.find(id);
    return found == live_.end() ? GameNews{} : found->second.news();
}

void Site::showing(const Request& request, std::string_view rest, Reply& reply) {
    const auto key = game_key(rest);
    if (!key || !tournaments_.contains(key->tournament)) return reply(no_such_game());
    const std::string id(rest);
    if (goes_on(id) && is_secret(news_of_live(id), visitor_of(request)))
        return reply(kept_secret());
    if (!goes_on(id)) {
        const auto held = std::find_if(held_ends_.begin(), held_ends_.end(),
                                       [&id](const auto& one) { return one.second == id; });
        if (held == held_ends_.end()) return showing_of_replay(*key, request, reply);
        return reply(error_answer(503, "held_back",
                                  "this game is over, and is shown later; expected another try in "
                                  "some seconds"));
    }
    if (request.query.contains("from") || request.query.contains("to"))
        return reply(error_answer(409, "goes_on",
                                  "a range is of a game that is over; expected no from= and to= "
                                  "here, and /api/v1/games/ID/live for the frames behind"));
    auto* const game = watch(id);
    if (game == nullptr || waiting_ >= limits::showings_waiting_max)
        return reply(error_answer(503, "too_many_watched",
                                  "as many games are watched as may be; expected another try when "
                                  "somebody has left, or the replay when this game is over"));
    game->unwatched_since = with_.now();
    ++waiting_;
    game->waiting().push_back({std::move(reply), veil_for(key->tournament, visitor_of(request))});
    if (game->begun() || game->failed()) tell_waiting(*game);
}

void Site::showing_of_replay(const GameKey& key, const Request& request, Reply& reply) {
    const auto range = range_of(request);
    if (!range)
        return reply(error_answer(416, "wrong_range",
                                  "expected from= and to= with numbers of frames, the first no "
                                  "more than the second, such as ?from=20&to=40"));
    const auto visitor = visitor_of(request);
    if (!*range) {
        const auto place = place_of(game_id(key), visitor);
        for (const auto& [name, kept] : showings_) {
            if (name != place) continue;
            Answer answer;
            answer.body = kept;
            return reply(std::move(answer));
        }
    }
    with_replay(key, reply, [this, key, visitor, range](const std::string& replay, Reply& told) {
        show_replay(key, visitor, replay, *range, told);
    });
}

void Site::show_replay(const GameKey& key, const Visitor& visitor, const std::string& replay,
                       const std::optional<showing::Range>& range, Reply& reply) {
    const auto id = game_id(key);
    showing::ShowingOptions options;
    options.range = range;
    std::string game;
    std::vector<std::string> bots;
    const auto first_line = std::string_view(replay).substr(0, replay.find('\n'));
    if (auto facts = showing::Follower::begin(first_line, id, registry_, false)) {
        game = (*facts)->info().id;
        bots = (*facts)->bots();
        if (is_secret({key, id, game, bots}, visitor)) return reply(kept_secret());
        for (const auto& bot : bots) {
            if (!visitor.may_know(bot)) continue;
            if (auto said = files::read_named_file(with_.files.debug_file(key, bot),
                                                   limits::replay_bytes_max))
                options.said.push_back({bot, *std::move(said)});
        }
    }
    if (!terms_.names_secret.empty()) learn(bots);
    options.with_text = !engines::board_of(game);
    if (!may_know_seed(replay, visitor)) options.seed = showing::Seed::secret;
    auto made = showing::showing_of(replay_for(replay, visitor), id, registry_, options);
    if (!made && range) return reply(error_answer(416, "no_such_frame", made.error().message));
    if (!made) return reply(error_answer(500, "damaged_replay", made.error().message));
    const auto text =
        std::make_shared<const std::string>(veil_for(key.tournament, visitor).json(made->json));
    if (!range) keep_showing(place_of(id, visitor), text);
    Answer answer;
    answer.body = text;
    reply(std::move(answer));
}

// The replay itself, with which `referee fork` goes on; it can't be played again without its seed.
void Site::replay(const Request& request, std::string_view rest, Reply& reply) {
    const auto key = game_key(rest);
    const std::string id(rest);
    if (!key || !tournaments_.contains(key->tournament)) return reply(no_such_game());
    const auto visitor = visitor_of(request);
    const bool held = std::any_of(held_ends_.begin(), held_ends_.end(),
                                  [&id](const auto& one) { return one.second == id; });
    if (held || goes_on(id))
        return reply(error_answer(503, "held_back",
                                  "expected another try when this game is over, and shown"));
    with_replay(*key, reply, [this, key, id, visitor](const std::string& text, Reply& told) {
        if (!may_know_seed(text, visitor))
            return told(error_answer(403, "seed_is_secret",
                                     "a replay has the game's seed, and others play from this "
                                     "one; expected the instructor's login"));
        const auto veil = veil_for(key->tournament, visitor);
        auto answer = text_answer("application/x-ndjson", veil.lines(replay_for(text, visitor)));
        auto name = id;
        std::replace(name.begin(), name.end(), '/', '_');
        answer.headers.emplace_back("Content-Disposition",
                                    "attachment; filename*=UTF-8''" + in_url(name + ".ndjson"));
        told(std::move(answer));
    });
}

void Site::with_replay(const GameKey& key, const Reply& reply, const WithReplay& then) {
    const auto file =
        files::read_named_file(with_.files.replay_file(key), limits::replay_bytes_max);
    Reply told = reply;
    if (file && !file->empty()) return then(*file, told);
    if (questions_ >= limits::questions_waiting_max)
        return told(error_answer(503, "too_many_questions",
                                 "too many ask at once for games that are kept in the store "
                                 "alone; expected another try in some seconds"));
    ++questions_;
    with_.loop.replay_of(key, [this, then, told](const Outcome& outcome) mutable {
        --questions_;
        if (!outcome.done || outcome.text.empty()) return told(no_such_game());
        then(outcome.text, told);
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

void Site::live(const Request& request, std::string_view rest, Reply& reply) {
    const std::string id(rest);
    const auto visitor = visitor_of(request);
    if (is_secret(news_of_live(id), visitor)) return reply(kept_secret());
    auto* const game = live_.contains(id) || games_.contains(id) ? watch(id) : nullptr;
    if (game == nullptr || !game->begun() || game->failed())
        return reply(error_answer(409, "showing_first",
                                  "expected the game's showing to be asked for first, at "
                                  "/api/v1/games/ID/showing; a game that is over has no events"));
    const auto given = request.query.find("from");
    const auto from =
        given == request.query.end() ? std::optional<std::size_t>(0) : number_in(given->second);
    if (!from || *from > game->frames())
        return reply(error_answer(416, "no_such_frame",
                                  "expected from= and the number of a frame that was shown: 0 to " +
                                      std::to_string(game->frames())));
    auto spectator = new_spectator();
    const auto veil = veil_for(game->news().key.tournament, visitor);
    game->join(spectator, *from, !veil.hides());
    reply(stream_answer(std::move(spectator)));
}

void Site::events(const Request& request, std::string_view /*rest*/, Reply& reply) {
    auto listener = new_spectator();
    listeners_.push_back({listener, visitor_of(request)});
    reply(stream_answer(std::move(listener)));
}

void Site::look() {
    const auto now = with_.now();
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
        if (!game.ended()) with_.loop.unwatch(at->first);
        tell_waiting(game);
        at = live_.erase(at);
    }
    wall_.look(now);
}

}  // namespace referee::web
