#include "referee/tournament/contests/matches.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "protocol/base/find.h"
#include "protocol/base/text.h"

namespace referee::contests {
namespace {

bool came(const formats::KeptGame::Seat& seat) {
    return seat.presence != formats::Presence::away;
}

// Null where it isn't there. Games end in their order, but for a few.
auto* found_in(auto& match, const GameKey& key) {
    auto& results = match.results;
    const auto is_it = [&key](const auto& result) {
        return result.number == key.number && result.attempt == key.attempt;
    };
    if (key.number - 1 < results.size() && is_it(results[key.number - 1]))
        return &results[key.number - 1];
    const auto found = std::ranges::find_if(results, is_it);
    return found == results.end() ? nullptr : &*found;
}

}  // namespace

std::vector<GamePlan> Matches::open(const formats::Pairing& pairing,
                                    const formats::MatchTerms& terms) {
    auto& match = matches_[pairing.match];
    match.pairing = pairing;
    match.terms = terms;
    match.games_due = formats::games_planned(config_.match, pairing.seats.size());
    opened(match);
    return plan_games(match);
}

void Matches::opened(const Match& match) {
    ++open_count_;
    for (const auto entrant : match.pairing.seats) open_seats_.insert(entrant);
}

void Matches::closed(const Match& match) {
    --open_count_;
    for (const auto entrant : match.pairing.seats) open_seats_.erase(open_seats_.find(entrant));
}

// The games of a match are played one after the other, because a match may be decided early; solo
// games don't wait for one another.
std::vector<GamePlan> Matches::plan_games(Match& match) const {
    const auto at_once = config_.match.solo ? match.games_due : 1;
    std::vector<GamePlan> plans;
    while (match.next_number <= match.games_due && match.in_play < at_once) {
        plans.push_back(plan(match, match.next_number, 1));
        ++match.next_number;
        ++match.in_play;
    }
    return plans;
}

std::vector<GamePlan> Matches::behind(const GamePlan& first) const {
    std::vector<GamePlan> plans;
    if (config_.match.solo) return plans;
    const auto& match = matches_.at(first.key.match);
    for (auto number = match.next_number; number <= match.games_due; ++number)
        plans.push_back(plan(match, number, 1));
    return plans;
}

std::vector<Entrant> Matches::seats_of(const Match& match, std::uint32_t number) const {
    return formats::planned_game(config_.match, match.pairing, number, config_.seed, match.terms)
        .seats;
}

GameKey Matches::key_of(const Match& match, const formats::KeptGame& game) const {
    return {config_.id, match.pairing.match, game.number, game.attempt};
}

GamePlan Matches::plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const {
    const auto planned =
        formats::planned_game(config_.match, match.pairing, number, config_.seed, match.terms);
    GamePlan plan;
    plan.key = {config_.id, match.pairing.match, number, attempt};
    plan.round = match.pairing.round;
    plan.games_max = match.games_due;
    plan.setup = planned.setup;
    plan.seed = planned.seed;
    plan.entrants = planned.seats;
    return plan;
}

GamePlan Matches::plan_again(Match& match, std::uint32_t number) const {
    std::uint32_t attempt = 0;
    for (const auto& result : match.results) {
        if (result.number == number) attempt = std::max(attempt, result.attempt);
    }
    auto again = plan(match, number, attempt + 1);
    const auto annulled = match.annulled[number];
    if (annulled > played_again_max) again.try_alone = annulled - played_again_max;
    return again;
}

Matches::AfterGame Matches::end(const GameResult& result) {
    const auto ended = running_.erase(result.key);
    REFEREE_ASSERT(ended == 1);
    auto& match = matches_.at(result.key.match);
    if (match.results.empty()) match.results.reserve(match.games_due);
    auto& kept = match.results.emplace_back(formats::kept_game(config_.match, result, programs_));
    kept.machine = &*machines_->insert(result.machine).first;
    const auto game = std::pair(result.key.match, result.key.number);
    if (counts(result.status)) {
        match.ended = ++ends_;
        --match.in_play;
        match.annulled.erase(result.key.number);
        aside_.erase(game);
        // Once a game that was annulled by order has been played again, all of the match are.
        if (std::ranges::any_of(match.by_order, [&](const auto& annulled) {
                return annulled.first.number == result.key.number;
            }))
            match.by_order.clear();
        return settle(match);
    }
    if (result.status == GameStatus::annulled) {
        const auto annulled = ++match.annulled[result.key.number];
        if (annulled > played_again_max) aside_[game] = {result.key, annulled, result.reason};
    }
    AfterGame after;
    after.again = plan_again(match, result.key.number);
    return after;
}

Matches::AfterGame Matches::settle(Match& match) {
    AfterGame after;
    // A game that is to be played again may decide the match, even if the next game is played
    // already.
    if (match.in_play > 0) return after;
    auto tally =
        formats::fold_match(config_.match, match.pairing, match.results, game_, match.terms);
    if (!tally.over) {
        match.games_due = tally.games_due;
        after.next = plan_games(match);
        return after;
    }
    match.over = true;
    closed(match);
    after.result = std::move(tally.result);
    return after;
}

GamePlan Matches::annul(const GameKey& key) {
    auto& match = matches_.at(key.match);
    if (auto* result = found_in(match, key)) {
        match.by_order[key] = result->status;
        result->status = GameStatus::annulled;
        result->by_order = true;
    }
    if (match.over) {
        match.over = false;
        match.reopened = true;
        opened(match);
    }
    ++match.in_play;
    return plan_again(match, key.number);
}

bool Matches::begun_again(std::uint64_t ordinal) const {
    const auto& by_order = matches_.at(ordinal).by_order;
    return std::ranges::any_of(running_, [&](const auto& running) {
        return running.first.match == ordinal &&
               std::ranges::any_of(by_order, [&](const auto& annulled) {
                   return annulled.first.number == running.first.number;
               });
    });
}

std::vector<GameKey> Matches::restorable(std::uint64_t ordinal) const {
    std::vector<GameKey> keys;
    const auto& match = matches_.at(ordinal);
    if (match.ruled || begun_again(ordinal)) return keys;
    for (const auto& [key, status] : match.by_order) keys.push_back(key);
    return keys;
}

Matches::AfterGame Matches::restore(const GameKey& key) {
    auto& match = matches_.at(key.match);
    const auto was = match.by_order.extract(key);
    REFEREE_ASSERT(!was.empty());
    if (auto* result = found_in(match, key)) {
        result->status = was.mapped();
        result->by_order = false;
    }
    --match.in_play;
    match.annulled.erase(key.number);
    aside_.erase({key.match, key.number});
    return settle(match);
}

bool Matches::came_to(const Match& match, Entrant entrant) const {
    return std::ranges::any_of(match.results, [&](const auto& played) {
        if (!counts(played.status)) return false;
        const auto seats = seats_of(match, played.number);
        for (std::size_t seat = 0; seat < seats.size() && seat < played.width; ++seat) {
            if (seats[seat] == entrant && came(played.seats()[seat])) return true;
        }
        return false;
    });
}

// Matches of a fixed list are played in any order.
std::vector<std::uint64_t> Matches::missed_last(Entrant entrant) const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> its;  // when it ended, the ordinal
    for (const auto& [ordinal, match] : matches_) {
        const auto& seats = match.pairing.seats;
        if (match.over && !match.ruled && base::contains(seats, entrant))
            its.emplace_back(match.ended, ordinal);
    }
    std::sort(its.rbegin(), its.rend());
    std::vector<std::uint64_t> missed;
    for (const auto& [ended, ordinal] : its) {
        if (came_to(matches_.at(ordinal), entrant)) break;
        missed.push_back(ordinal);
    }
    return missed;
}

std::vector<GameKey> Matches::missed_games(std::uint64_t ordinal) const {
    std::vector<GameKey> keys;
    const auto& match = matches_.at(ordinal);
    for (const auto& played : match.results) {
        const auto seats = played.seats();
        if (counts(played.status) && !std::ranges::all_of(seats, came))
            keys.push_back(key_of(match, played));
    }
    return keys;
}

formats::MatchResult Matches::rule(std::uint64_t ordinal, const std::vector<int>& placing) {
    REFEREE_ASSERT(!in_play(ordinal));
    auto& match = matches_.at(ordinal);
    if (!match.over) closed(match);
    match.over = true;
    match.ruled = true;
    match.annulled.clear();
    std::erase_if(aside_, [ordinal](const auto& game) { return game.first.first == ordinal; });
    return formats::ruled_result(match.pairing, placing, match.terms);
}

Matches::AfterGame Matches::take_ruling_back(std::uint64_t ordinal) {
    auto& match = matches_.at(ordinal);
    REFEREE_ASSERT(match.ruled);
    match.ruled = false;
    match.over = false;
    match.reopened = true;
    match.in_play = 0;
    opened(match);
    AfterGame after;
    for (std::uint32_t number = 1; number < match.next_number; ++number) {
        const bool counted = std::ranges::any_of(match.results, [number](const auto& result) {
            return result.number == number && counts(result.status);
        });
        if (counted) continue;
        after.next.push_back(plan_again(match, number));
        ++match.in_play;
    }
    return match.in_play > 0 ? after : settle(match);
}

void Matches::drop(std::uint64_t match) {
    const auto found = matches_.find(match);
    closed(found->second);
    matches_.erase(found);
    std::erase_if(aside_, [match](const auto& game) { return game.first.first == match; });
}

void Matches::forget_annulments() {
    aside_.clear();
    for (auto& [ordinal, match] : matches_) match.annulled.clear();
}

const formats::KeptGame* Matches::play(const GameKey& key) const {
    return found_in(matches_.at(key.match), key);
}

std::map<Entrant, Matches::Showing> Matches::showings_in(const formats::MatchResult& result) const {
    const auto& match = matches_.at(result.match);
    std::map<Entrant, Showing> best;
    for (const auto& played : match.results) {
        const bool counted =
            std::any_of(result.counted.begin(), result.counted.end(), [&](const auto& game) {
                return game.number == played.number && game.attempt == played.attempt;
            });
        if (!counted) continue;
        const auto seats = seats_of(match, played.number);
        for (std::size_t seat = 0; seat < seats.size() && seat < played.width; ++seat) {
            const auto presence = played.seats()[seat].presence;
            const auto [place, is_first] = best.try_emplace(seats[seat]);
            if (is_first || presence < place->second.presence)
                place->second = {presence, played.rare ? played.rare->causes[seat] : ""};
        }
    }
    return best;
}

bool Matches::droppable(std::uint64_t match) const {
    if (!formats::traits_of(config_.format).pairs_who_is_free) return false;
    const auto found = matches_.find(match);
    if (found == matches_.end() || found->second.over || found->second.reopened) return false;
    const auto& results = found->second.results;
    return std::ranges::none_of(results, [](const auto& result) { return counts(result.status); });
}

std::vector<GameKey> Matches::games_of(std::uint64_t match) const {
    std::map<std::uint32_t, GameKey> by_number;
    const auto found = matches_.find(match);
    if (found == matches_.end()) return {};
    for (const auto& result : found->second.results) {
        if (counts(result.status)) by_number[result.number] = key_of(found->second, result);
    }
    std::vector<GameKey> keys;
    for (auto& [number, key] : by_number) keys.push_back(std::move(key));
    return keys;
}

std::optional<GameKey> Matches::counted_play(std::uint64_t match, std::uint32_t number) const {
    const auto& its = matches_.at(match);
    for (const auto& result : its.results)
        if (result.number == number && counts(result.status)) return key_of(its, result);
    return std::nullopt;
}

bool Matches::in_play(std::uint64_t match) const {
    return std::ranges::any_of(running_,
                               [match](const auto& plan) { return plan.first.match == match; });
}

bool Matches::seated_behind(std::uint64_t match, Entrant entrant) const {
    return std::any_of(matches_.upper_bound(match), matches_.end(), [entrant](const auto& later) {
        const auto& seats = later.second.pairing.seats;
        return base::contains(seats, entrant);
    });
}

std::string Matches::set_aside() const {
    std::string text;
    for (const auto& [game, aside] : aside_) {
        text += fmt::format("{}{} is set aside: it was annulled {} times; the last time because {}",
                            text.empty() ? "game " : "; game ", game_id(aside.key), aside.annulled,
                            aside.why);
    }
    return text;
}

std::vector<formats::Pairing> Matches::open() const {
    std::vector<formats::Pairing> found;
    for (const auto& [ordinal, match] : matches_) {
        if (!match.over) found.push_back(match.pairing);
    }
    return found;
}

std::vector<formats::Pairing> Matches::meetings_of(Entrant one, Entrant other) const {
    std::vector<formats::Pairing> found;
    for (const auto& [ordinal, match] : matches_) {
        const auto& seats = match.pairing.seats;
        const auto sits = [&seats](Entrant entrant) { return base::contains(seats, entrant); };
        if (sits(one) && sits(other)) found.push_back(match.pairing);
    }
    return found;
}

}  // namespace referee::contests
