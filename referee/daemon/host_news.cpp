#include "referee/daemon/host.h"
#include "referee/report/log/log.h"

// What a host tells of matches, of games that an order took back, and of how the kernel prefers the
// referee to other programs.

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

void Host::keep_priority() {
    if (loop::has_lost_priority(priority_)) {
        priority_losses_.lost();
        priority_ = loop::raise_priority();
    }
    if (const auto news = priority_losses_.news(timers_.now(), doubted_turns_))
        log::warn("{}", *news);
}

std::string_view Host::present_priority() const {
    using Kind = loop::Priority::Kind;
    if (loop::has_lost_priority(priority_)) return "lost";
    if (priority_.kind == Kind::realtime) return "real-time";
    return priority_.kind == Kind::nice ? "nice" : "plain";
}

std::uint64_t Host::times_priority_was_lost() const {
    return priority_losses_.count() + (loop::has_lost_priority(priority_) ? 1 : 0);
}

std::string Host::priority() const {
    return config_.high_priority
               ? loop::describe(priority_)
               : "the referee runs as any other program, as \"priority\" in the config says";
}

}  // namespace referee::daemon
