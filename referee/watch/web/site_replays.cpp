// Games on the site that are over: their replays, showings and reviews.

#include <algorithm>
#include <utility>

#include "engines/registry.h"
#include "protocol/base/bytes.h"
#include "referee/files/file.h"
#include "referee/watch/review/kept_review.h"
#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"
#include "referee/watch/web/site.h"
#include "referee/watch/web/web_limits.h"
#include "referee/watch/web/web_sessions.h"

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
