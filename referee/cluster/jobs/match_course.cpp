#include "referee/cluster/jobs/match_course.h"

#include "referee/contest/formats/match.h"

namespace referee::jobs {

MatchCourse::MatchCourse(const JobMatch& match, const config::TournamentConfig& tournament,
                         const engines::Game& rules)
    : match_(match), tournament_(tournament), rules_(rules) {}

const JobGame* MatchCourse::next() const {
    if (stopped_ || begun_ == match_.games.size()) return nullptr;
    if (!tournament_.match.solo && ended_ < begun_) return nullptr;
    return &match_.games[begun_];
}

void MatchCourse::end(const GameResult& result) {
    ++ended_;
    results_.push_back(result);
    // Solo games don't wait for each other, so one of them stops no other one.
    if (!tournament_.match.solo) stopped_ = !counts(result.status) || is_decided();
}

bool MatchCourse::is_decided() const {
    tournament::Pairing pairing;
    const auto& first = match_.games.front();
    pairing.match = first.key.match;
    for (tournament::Entrant seat = 0; seat < first.bots.size(); ++seat)
        pairing.seats.push_back(seat);
    tournament::MatchTerms terms;
    terms.one_goes_on = match_.one_goes_on;
    terms.extra_games = match_.extra_games;
    return tournament::fold_match(tournament_.match, pairing, results_, rules_, terms).over;
}

}  // namespace referee::jobs
