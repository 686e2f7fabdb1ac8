// Games on the site that are over: their replays, showings and reviews.

#include <algorithm>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "referee/files/named_file.h"
#include "referee/watch/review/kept_review.h"
#include "referee/watch/showing/follower.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/visibility.h"
#include "referee/watch/web/web_limits.h"

namespace referee::web {
namespace {

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

bool Site::is_held(const std::string& game_id) const {
    return std::any_of(held_ends_.begin(), held_ends_.end(),
                       [&game_id](const auto& one) { return one.second == game_id; });
}

void Site::showing_of_replay(const GameKey& key, const Request& request, Reply& reply) {
    const auto range = range_of(request);
    if (!range)
        return reply(error_answer(416, "wrong_range",
                                  "expected from= and to= with numbers of frames, the first no "
                                  "more than the second, such as ?from=20&to=40"));
    Shown of{key, visitor_of(request), *range, *range ? std::string() : review_beside(key),
             why_annulled(key)};
    if (!of.range) {
        const auto place = place_of(game_id(key), of.visitor, of.review, of.annulled);
        for (const auto& [name, kept] : showings_) {
            if (name == place) return reply({.body = kept});
        }
    }
    with_replay(key, reply, [this, of = std::move(of)](const std::string& replay, Reply& told) {
        show_replay(of, replay, told);
    });
}

void Site::show_replay(const Shown& of, const std::string& replay, Reply& reply) {
    const auto id = game_id(of.key);
    showing::ShowingOptions options;
    options.range = of.range;
    std::string game;
    std::vector<std::string> bots;
    const auto first_line = std::string_view(replay).substr(0, replay.find('\n'));
    if (auto facts = showing::Follower::begin(first_line, id, registry_, false)) {
        game = (*facts)->info().id;
        bots = (*facts)->bots();
        if (is_secret({of.key, id, game, bots}, of.visitor)) return reply(kept_secret());
        for (const auto& bot : bots) {
            if (!of.visitor.may_know(bot)) continue;
            if (auto said = files::read_named_file(with_.files.debug_file(of.key, bot),
                                                   limits::replay_bytes_max))
                options.said.push_back({bot, *std::move(said)});
        }
    }
    if (!terms_.names_secret.empty()) learn(bots);
    options.with_text = !engines::board_of(game);
    if (!may_know_seed(replay, of.visitor)) options.seed = showing::Seed::secret;
    options.annulled = of.annulled;
    // Of another game, or damaged: then there is none. At its own path it is told why.
    if (!of.review.empty()) options.review = review::read_review(of.review, replay).value_or("");
    auto made = showing::showing_of(replay_for(replay, of.visitor), id, registry_, options);
    if (!made && of.range) return reply(error_answer(416, "no_such_frame", made.error().message));
    if (!made) return reply(error_answer(500, "damaged_replay", made.error().message));
    const auto text = std::make_shared<const std::string>(
        name_mask_for(of.key.tournament, of.visitor).json(made->json));
    if (!of.range) keep_showing(place_of(id, of.visitor, of.review, of.annulled), text);
    reply({.body = text});
}

// The replay itself, with which `referee fork` goes on; it can't be played again without its seed.
void Site::replay(const Request& request, std::string_view rest, Reply& reply) {
    const auto key = game_key(rest);
    const std::string id(rest);
    if (!key || !tournaments_.contains(key->tournament)) return reply(no_such_game());
    const auto visitor = visitor_of(request);
    if (is_held(id) || goes_on(id)) return reply(held_back());
    with_replay(*key, reply, [this, key, visitor](const std::string& text, Reply& told) {
        if (!may_know_seed(text, visitor))
            return told(error_answer(403, "seed_is_secret",
                                     "a replay has the game's seed, and others play from this "
                                     "one; expected the instructor's login"));
        const auto name_mask = name_mask_for(key->tournament, visitor);
        auto answer =
            text_answer("application/x-ndjson", name_mask.lines(replay_for(text, visitor)));
        answer.headers.emplace_back(
            "Content-Disposition",
            "attachment; filename*=UTF-8''" + in_url(file_name_of(*key) + ".ndjson"));
        told(std::move(answer));
    });
}

std::string Site::review_beside(const GameKey& key) const {
    const auto file = review::file_beside(with_.files.replay_file(key));
    return files::read_named_file(file, review::kept_bytes_max).value_or("");
}

void Site::review(const Request& request, std::string_view rest, Reply& reply) {
    const auto key = game_key(rest);
    const std::string id(rest);
    if (!key || !tournaments_.contains(key->tournament)) return reply(no_such_game());
    if (is_held(id) || goes_on(id)) return reply(held_back());
    with_replay(*key, reply,
                [this, key, visitor = visitor_of(request)](const std::string& text, Reply& told) {
                    show_review(*key, visitor, text, told);
                });
}

void Site::show_review(const GameKey& key, const Visitor& visitor, const std::string& replay,
                       Reply& reply) {
    const auto id = game_id(key);
    const auto first_line = std::string_view(replay).substr(0, replay.find('\n'));
    const auto facts = showing::Follower::begin(first_line, id, registry_, false);
    if (!facts) return reply(error_answer(500, "damaged_replay", facts.error().message));
    const auto& bots = (*facts)->bots();
    if (is_secret({key, id, std::string((*facts)->info().id), bots}, visitor))
        return reply(kept_secret());
    const auto text = review_beside(key);
    if (text.empty())
        return reply(error_answer(404, "no_review",
                                  "nobody has reviewed this game here; expected one that referee "
                                  "review --beside wrote where the replay lies"));
    const auto review = review::read_review(text, replay);
    const auto name_mask = name_mask_for(key.tournament, visitor);
    if (!review) return reply(error_answer(500, "wrong_review", name_mask.words(review.error())));
    if (!terms_.names_secret.empty()) learn(bots);
    reply(json_answer(name_mask_for(key.tournament, visitor).json(*review)));
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
    with_.loop.replay_of(key, [this, then, told](const WebOutcome& outcome) mutable {
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

std::string Site::why_annulled(const GameKey& key) {
    const auto& annulled = data_of(key.tournament).annulled();
    const auto found = annulled.find(key);
    return found == annulled.end() ? std::string() : found->second;
}

}  // namespace referee::web
