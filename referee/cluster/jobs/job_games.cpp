#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/cluster/jobs/job_run.h"
#include "referee/contest/formats/match.h"
#include "referee/net/loop/wall_clock.h"
#include "referee/tournament/config_limits.h"

// How the games of a job begin and end.

namespace referee::jobs {

void JobRun::look_at(Instant at) {
    if (look_ && look_at_ <= at) return;
    if (look_) timers_.cancel(*look_);
    look_at_ = at;
    look_ = timers_.schedule(at, [this] {
        look_.reset();
        begin_games();
    });
}

void JobRun::begin_games() {
    if (over_) return;
    const auto at_once = tournament::games_at_once(referee_.config());
    std::erase_if(away_since_, [](const auto& away) { return away.first->connected(); });
    for (auto& match : matches_) {
        while (playing_.size() < at_once) {
            const auto* game = match.next();
            if (game == nullptr) break;
            auto seating = seating_for(match, *game);
            if (!seating) break;
            match.begin();
            seat(match, *game, *std::move(seating));
        }
    }
    over_ = std::all_of(matches_.begin(), matches_.end(),
                        [](const auto& match) { return match.over(); });
    if (over_) stop({});
}

std::optional<JobRun::Seating> JobRun::seating_for(const MatchProgress& match,
                                                   const MatchTask::Game& game) {
    Seating seating;
    bool busy = false;
    for (engines::Seat seat = 0; seat < game.bots.size(); ++seat) {
        auto& bot = referee_.lobby().bot(game.bots[seat]);
        seating.bots.push_back(&bot);
        if (leaving_.contains(&bot)) {
            busy = true;
            continue;
        }
        const bool plays = bot.plays(match.tournament().game);
        if (bot.free_seats() > 0 && plays) continue;
        if ((bot.connected() && plays) || !bot.places().empty()) {
            busy = true;
            continue;
        }
        supply_->want(bot);
        const auto until = awaited_until(bot, match.tournament());
        if (timers_.now() >= until) {
            seating.absent.push_back(seat);
        } else {
            busy = true;
            look_at(until);
        }
    }
    if (busy) return std::nullopt;
    return seating;
}

// A bot that is being started has all its time to log in.
Instant JobRun::awaited_until(const lobby::Bot& bot, const config::TournamentConfig& tournament) {
    const auto since = away_since_.emplace(&bot, timers_.now()).first->second;
    const auto coming = supply_->coming(bot);
    if (coming.given_up) return since;
    const auto until = since + tournament.no_show_after;
    return std::max(until, coming.until.value_or(until));
}

void JobRun::seat(MatchProgress& match, const MatchTask::Game& game, Seating seating) {
    const auto& tournament = match.tournament();
    play::PlaySetup setup;
    setup.key = game.key;
    setup.game = &match.rules();
    setup.params =
        formats::setup_for(match.rules(), tournament.setups[game.setup], game.bots.size());
    setup.seed = game.seed;
    setup.bots = game.bots;
    setup.clock = tournament.clock;
    setup.faults = tournament.faults;
    setup.ready_budget = tournament.ready_budget;
    for (const auto seat : seating.absent)
        setup.absences[seat] = supply_->coming(*seating.bots[seat]).absence;
    const table::MatchFacts facts{match_id(game.key.tournament, game.key.match),
                                  match.match().games_max};
    const auto place = ++last_place_;
    auto& playing = playing_[place];
    playing.match = &match;
    playing.game = &game;
    playing.table = std::make_unique<table::Table>(
        std::move(setup), facts, std::move(seating.bots), timers_, watch_, referee_.cores(),
        [this, place](table::Table&) { finished(place); });
    // A game may end while it begins, so its place isn't looked at behind this call.
    playing.table->start(seating.absent);
}

// Not from inside the table's own call, which it would not outlive.
void JobRun::finished(std::size_t place) {
    const auto& playing = playing_.at(place);
    const auto& play = playing.table->play();
    played_.emplace(playing.game->key,
                    JobGameResult{loop::wall_clock_ms(), {play.result(), play.replay()}});
    for (const auto* bot : playing.table->bots()) leaving_.insert(bot);
    timers_.schedule(timers_.now(), [this, place] { close(place); });
}

void JobRun::close(std::size_t place) {
    if (over_) return;  // the run was stopped
    auto node = playing_.extract(place);
    REFEREE_ASSERT(!node.empty());
    auto& playing = node.mapped();
    playing.table->announce();
    playing.match->end(playing.table->play().result());
    const bool match_over = playing.match->over();
    const auto bots = playing.table->bots();
    playing.table.reset();
    for (auto* bot : bots) {
        leaving_.erase(leaving_.find(bot));
        supply_->game_over(*bot, match_over);
    }
    look();
}

std::vector<JobGameResult> JobRun::take_games() {
    std::vector<JobGameResult> games;
    for (const auto& match : job_.matches) {
        for (const auto& game : match.games) {
            auto found = played_.find(game.key);
            if (found != played_.end()) games.push_back(std::move(found->second));
        }
    }
    played_.clear();
    return games;
}

}  // namespace referee::jobs
