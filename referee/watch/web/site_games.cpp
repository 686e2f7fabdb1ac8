#include <algorithm>
#include <optional>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
#include "protocol/json/writer.h"
#include "referee/watch/review/kept_review.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/web_sessions.h"

// Games on the site, and who may look at which.

namespace referee::web {
namespace {

// What waits for one spectator that doesn't read: some hundred frames of the largest game. Who is
// further behind is told to load the page again.
constexpr std::size_t spectator_bytes_max = 1024 * 1024;
// Silence for longer would make proxies believe that a stream is dead.
constexpr std::chrono::seconds stream_silence_max{15};

namespace json = protocol::json;

Answer stream_answer(std::shared_ptr<Spectator> stream) {
    return {.type = "text/event-stream", .stream = std::move(stream)};
}

std::shared_ptr<Spectator> new_spectator() {
    return std::make_shared<Spectator>(spectator_bytes_max);
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

Answer kept_secret() {
    return error_answer(403, "not_shown_yet",
                        "others play the same game of one seat, so it is shown to everybody when "
                        "all tournaments of this game are over; until then log in at /me as the "
                        "bot's owner, or as the instructor");
}

// The frames that a request asks for: none in particular, or a range. Nothing where it is no range.
std::optional<std::optional<showing::Range>> range_of(const Request& request) {
    const auto& query = request.query;
    if (!query.contains("from") && !query.contains("to")) return std::optional<showing::Range>();
    const auto from = base::whole_number<std::size_t>(form_field(query, "from"));
    const auto to = base::whole_number<std::size_t>(form_field(query, "to"));
    if (!from || !to || *from > *to) return std::nullopt;
    return showing::Range{*from, *to};
}

Answer held_back() {
    return error_answer(503, "held_back", "expected another try when this game is over, and shown");
}

}  // namespace

void Site::list_games(const Asked& asked) {
    asked.reply(json_answer(json::object_text([&](json::Writer& writer) {
        writer.key("games").begin_array();
        for (const auto& [id, game] : games_.going_on())
            write_game(writer, game, names_.mask_for(game.key.tournament, asked.visitor));
        writer.end_array();
    })));
}

void Site::tell_began(const GameNews& news) {
    for (const auto& listener : listeners_) {
        if (!listener.of_games) continue;
        std::string data;
        json::Writer writer(data);
        write_game(writer, news, names_.mask_for(news.key.tournament, listener.visitor));
        listener.spectator->push(event_piece("began", {}, data));
    }
}

void Site::game_began(const GameNews& news) {
    games_.began(news);
    tell_began(news);
}

void Site::game_ended(const GameKey& key, const std::shared_ptr<const std::string>& replay) {
    const auto id = game_id(key);
    games_.ended(id, replay.get(), dependencies_.now());
    tell_all(event_of("ended", "game_id", id), true);
    look();
}

void Site::so_far(const std::string& game_id, const PlayedSoFar& so_far) {
    games_.so_far(game_id, so_far, dependencies_.now());
}

void Site::more(const std::string& game_id, std::string_view lines) {
    games_.more(game_id, lines, dependencies_.now());
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

bool Site::is_secret_live(const std::string& game_id, const Visitor& visitor) const {
    const auto* const news = games_.news_of(game_id);
    return news != nullptr && is_secret(news->game, news->bots, visitor);
}

void Site::showing(const Asked& asked) {
    const auto& id = asked.id;
    if (!games_.goes_on(id)) {
        if (!games_.is_held(id)) return showing_of_replay(asked);
        return asked.refuse(503, "held_back",
                            "this game is over, and is shown later; expected another try in "
                            "some seconds");
    }
    if (is_secret_live(id, asked.visitor)) return asked.reply(kept_secret());
    const auto& query = asked.request.query;
    if (query.contains("from") || query.contains("to"))
        return asked.refuse(409, "goes_on",
                            "a range is of a game that is over; expected no from= and to= "
                            "here, and /api/v1/games/ID/live for the frames behind");
    if (!games_.show(id, {asked.reply, asked.names}, dependencies_.now()))
        asked.refuse(503, "too_many_watched",
                     "as many games are watched as may be; expected another try when "
                     "somebody has left, or the replay when this game is over");
}

void Site::live(const Asked& asked) {
    const auto& id = asked.id;
    if (is_secret_live(id, asked.visitor)) return asked.reply(kept_secret());
    auto* const game = games_.watch(id, dependencies_.now());
    if (game == nullptr || !game->begun() || game->failed())
        return asked.refuse(409, "showing_first",
                            "expected the game's showing to be asked for first, at "
                            "/api/v1/games/ID/showing; a game that is over has no events");
    const auto* const given = base::find_in(asked.request.query, "from");
    const auto from = base::whole_number<std::size_t>(given == nullptr ? "0" : *given);
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
    if (now - last_sign_ >= stream_silence_max) {
        last_sign_ = now;
        static const auto sign = std::make_shared<const std::string>(": still here\n\n");
        tell_all(sign);
        wall_.sign_of_life(sign);
        games_.sign_of_life(sign);
    }
    games_.look(now, [this, now](const LiveGame& game) { return wall_.shows(game, now); });
    wall_.look(now);
}

Answer Site::no_such_game() {
    return error_answer(404, "no_such_game",
                        "expected the id of a game that was played or is being played here, such "
                        "as friday/12.1; of one that has just ended, try again in a second; the "
                        "oldest replays of a ladder may have been dropped");
}

void Site::with_replay(const Asked& asked, const ReplaySource::WithReplay& then) {
    const bool found = replays_.find(asked.game, [asked, then](const std::string& replay) {
        replay.empty() ? asked.reply(no_such_game()) : then(replay);
    });
    if (!found)
        asked.refuse(503, "too_many_questions",
                     "too many ask at once for games that are kept in the store alone; "
                     "expected another try in some seconds");
}

void Site::showing_of_replay(const Asked& asked) {
    const auto& key = asked.game;
    const auto range = range_of(asked.request);
    if (!range)
        return asked.refuse(416, "wrong_range",
                            "expected from= and to= with numbers of frames, the first no "
                            "more than the second, such as ?from=20&to=40");
    Shown of{*range, *range ? std::string() : replays_.review_beside(key), why_annulled(key), {}};
    of.place = place_of(asked.id, asked.visitor, of.review, of.annulled);
    if (auto kept = of.range ? nullptr : replays_.showing(of.place))
        return asked.reply({.body = std::move(kept)});
    with_replay(asked, [this, asked, of](const auto& replay) { show_replay(asked, of, replay); });
}

void Site::show_replay(const Asked& asked, const Shown& of, const std::string& replay) {
    showing::ShowingOptions options;
    options.range = of.range;
    const auto [game, bots] = players_of(replay);
    if (is_secret(game, bots, asked.visitor)) return asked.reply(kept_secret());
    for (const auto& bot : bots) {
        if (!asked.visitor.may_know(bot)) continue;
        if (auto said = replays_.said_by(bot, asked.game))
            options.said.push_back({bot, *std::move(said)});
    }
    names_.learn(bots);
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
        names_.mask_for(asked.game.tournament, asked.visitor).json(made->json));
    if (!of.range) replays_.keep_showing(of.place, text);
    asked.reply({.body = text});
}

// The replay itself, with which `referee fork` goes on; it can't be played again without its seed.
void Site::replay(const Asked& asked) {
    if (!games_.is_over_and_shown(asked.id)) return asked.reply(held_back());
    with_replay(asked, [this, asked](const std::string& replay) {
        if (!may_know_seed(replay, asked.visitor))
            return asked.refuse(403, "seed_is_secret",
                                "a replay has the game's seed, and others play from this one; "
                                "expected the instructor's login");
        const auto names = names_.mask_for(asked.game.tournament, asked.visitor);
        auto answer =
            text_answer("application/x-ndjson", names.lines(replay_for(replay, asked.visitor)));
        answer.headers.emplace_back(
            "Content-Disposition",
            "attachment; filename*=UTF-8''" + in_url(file_name_of(asked.game) + ".ndjson"));
        asked.reply(std::move(answer));
    });
}

void Site::review(const Asked& asked) {
    if (!games_.is_over_and_shown(asked.id)) return asked.reply(held_back());
    with_replay(asked, [this, asked](const std::string& replay) {
        const auto [game, bots] = players_of(replay);
        if (is_secret(game, bots, asked.visitor)) return asked.reply(kept_secret());
        const auto text = replays_.review_beside(asked.game);
        if (text.empty())
            return asked.refuse(404, "no_review",
                                "nobody has reviewed this game here; expected one that referee "
                                "review --beside wrote where the replay lies");
        names_.learn(bots);
        const auto name_mask = names_.mask_for(asked.game.tournament, asked.visitor);
        const auto review = review::read_review(text, replay);
        if (!review) return asked.refuse(500, "wrong_review", name_mask.words(review.error()));
        asked.reply(json_answer(name_mask.json(*review)));
    });
}

std::string Site::why_annulled(const GameKey& key) {
    const auto& annulled = data_of(key.tournament).annulled();
    const auto* const found = base::find_in(annulled, key);
    return found == nullptr ? std::string() : *found;
}

}  // namespace referee::web
