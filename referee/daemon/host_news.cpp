#include "referee/daemon/host.h"
#include "referee/report/log/log.h"

// What a host tells of matches, and of games that an order took back.

namespace referee::daemon {

void Host::on_match(const std::string& tournament, const formats::MatchResult& match) {
    publisher_.changed(tournament);
    tell_versions(tournament, match);
}

void Host::tell_versions(const std::string& tournament, const formats::MatchResult& match) {
    if (match.programs.empty()) return;
    const auto contest = scheduler().status_of(tournament);
    if (!contest) return;
    for (std::size_t seat = 0; seat < match.programs.size(); ++seat) {
        const auto news = version_news_.played(tournament, contest->name(match.seats[seat]),
                                               match.programs[seat]);
        if (news) log::warn("{}", *news);
    }
}

void Host::on_annulled(const std::string& tournament, const Annulled& annulled) {
    for (const auto& key : annulled.games) {
        if (annulled.count_again) {
            filed_games_.count_again(key);
        } else {
            filed_games_.annul(key, annulled.reason);
        }
    }
    const bool one = annulled.games.size() == 1;
    const auto* const what = annulled.count_again ? (one ? "counts again" : "count again")
                             : one                ? "is annulled and played again"
                                                  : "are annulled and played again";
    log::info("{} of {} {}, by order: {}",
              one ? "game " + game_id(annulled.games.front())
                  : std::to_string(annulled.games.size()) + " games",
              tournament, what, annulled.reason);
    publisher_.changed(tournament);
}

}  // namespace referee::daemon
