#include "referee/scheduler/contest.h"

#include "protocol/json/assertion.h"
#include "referee/config/entries.h"
#include "referee/limits.h"

namespace referee::scheduler {

Contest::Contest(const config::TournamentConfig& config, const std::vector<config::BotConfig>& bots,
                 const engines::Game& game)
    : config_(config), game_(game) {
    entries_ = config::entries_of(config, bots);
    for (const auto& entry : entries_) names_.push_back(entry.name);
    schedule_ = tournament::make_schedule(config_.format, entries_, config_.seed);
}

std::vector<tournament::Pairing> Contest::open_matches() const {
    std::vector<tournament::Pairing> open;
    for (const auto& [ordinal, match] : matches_) open.push_back(match.pairing);
    return open;
}

std::vector<journal::Record> Contest::draw(std::size_t window) {
    std::vector<journal::Record> records;
    while (!over_ && waiting_.size() < window) {
        const auto next = schedule_->next();
        if (std::holds_alternative<tournament::Schedule::Wait>(next)) break;
        if (std::holds_alternative<tournament::Schedule::Finished>(next)) {
            over_ = true;
            break;
        }
        journal::PairingRecord record;
        record.tournament = config_.id;
        if (const auto* bye = std::get_if<tournament::Bye>(&next)) {
            byes_.push_back(*bye);
            record.round = bye->round;
            record.bots = {names_[bye->entrant]};
        } else {
            const auto& pairing = std::get<tournament::Pairing>(next);
            record.match = pairing.match;
            record.round = pairing.round;
            for (const auto entrant : pairing.seats) record.bots.push_back(names_[entrant]);
            round_ = std::max(round_, pairing.round);
            auto& match = matches_[pairing.match];
            match.pairing = pairing;
            plan_games(match);
        }
        records.emplace_back(std::move(record));
    }
    return records;
}

// The games of a match are played one after the other, for a match may be decided early; solo
// games don't wait for one another.
void Contest::plan_games(Match& match) {
    const auto most = tournament::games_most(config_.match, match.pairing.seats.size());
    const auto at_once = config_.match.solo ? most : 1;
    while (match.next_number <= most && match.in_play < at_once) {
        waiting_.push_back(plan(match, match.next_number, 1));
        ++match.next_number;
        ++match.in_play;
    }
}

GamePlan Contest::plan(const Match& match, std::uint32_t number, std::uint32_t attempt) const {
    const auto planned = tournament::planned_game(config_.match, match.pairing, number, config_.seed);
    GamePlan plan;
    plan.key = {config_.id, match.pairing.match, number, attempt};
    plan.round = match.pairing.round;
    plan.games_max = tournament::games_most(config_.match, match.pairing.seats.size());
    plan.setup = planned.setup;
    plan.seed = planned.seed;
    plan.entrants = planned.seats;
    return plan;
}

GamePlan Contest::take(std::size_t i) {
    auto plan = std::move(waiting_[i]);
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    return plan;
}

std::optional<tournament::MatchResult> Contest::finished(const GameResult& result) {
    const auto found = matches_.find(result.key.match);
    REFEREE_ASSERT(found != matches_.end());
    auto& match = found->second;
    if (!counts(result.status)) {
        if (result.status == GameStatus::interrupted) return std::nullopt;
        if (result.key.attempt > limits::replays_max) {
            stuck_ = "game " + game_id(result.key) + " was annulled " + std::to_string(result.key.attempt) +
                     " times; the last time because " + result.reason;
            return std::nullopt;
        }
        waiting_.push_front(plan(match, result.key.number, result.key.attempt + 1));
        return std::nullopt;
    }
    ++games_played_;
    --match.in_play;
    match.results.push_back(result);
    const auto tally = tournament::fold_match(config_.match, match.pairing, match.results, game_);
    if (!tally.over) {
        plan_games(match);
        return std::nullopt;
    }
    const auto ordinal = result.key.match;
    results_[ordinal] = tally.result;
    matches_.erase(found);
    schedule_->record(tally.result);
    return tally.result;
}

}  // namespace referee::scheduler
