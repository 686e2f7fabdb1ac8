#include "referee/cluster/jobs/match_progress.h"

#include "referee/contest/formats/match.h"

namespace referee::jobs {

MatchProgress::MatchProgress(const JobMatch& match, const config::TournamentConfig& tournament,
                             const engines::Game& rules)
    : match_(match), tournament_(tournament), rules_(rules) {}

const JobGame* MatchProgress::next() const {
    if (stopped_ || begun_ == match_.games.size()) return nullptr;
    if (!tournament_.match.solo && ended_ < begun_) return nullptr;
    return &match_.games[begun_];
}

void MatchProgress::end(const GameResult& result) {
    ++ended_;
    results_.push_back(result);
    // Solo games don't wait for each other, so one of them stops no other one.
    if (!tournament_.match.solo) stopped_ = !counts(result.status) || is_decided();
}

bool MatchProgress::is_decided() const {
    formats::Pairing pairing;
    const auto& first = match_.games.front();
    pairing.match = first.key.match;
    for (formats::Entrant seat = 0; seat < first.bots.size(); ++seat) pairing.seats.push_back(seat);
    formats::MatchTerms terms;
    terms.one_goes_on = match_.one_goes_on;
    terms.extra_games = match_.extra_games;
    return formats::fold_match(tournament_.match, pairing, results_, rules_, terms).over;
}

}  // namespace referee::jobs
