#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contest/formats/match.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/observer.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"

namespace referee::scheduler {

// What bots are told that others are called in a tournament: by their names, or by pseudonyms where
// the settings hide names. Knows everybody who is here or takes part in anything, so that no text
// names somebody who plays elsewhere.
class DisplayNames {
 public:
    // All outlive it.
    DisplayNames(const Settings& settings, const lobby::Lobby& lobby,
                 const ScheduledContests& contests)
        : settings_(settings), lobby_(lobby), contests_(contests) {}

    // Null where names are told.
    std::shared_ptr<const pseudonyms::Pseudonyms> in(const std::string& tournament);
    pseudonyms::NameMask name_mask_of(const std::string& tournament, const std::string& bot) {
        return {in(tournament), bot};
    }
    // Of everybody; some stand twice.
    std::vector<std::string_view> names() const;

 private:
    const Settings& settings_;
    const lobby::Lobby& lobby_;
    const ScheduledContests& contests_;
    // They take a digest a name, so they are made anew only where somebody is new.
    std::map<std::string, std::shared_ptr<const pseudonyms::Pseudonyms>> pseudonyms_;
    std::vector<std::string> names_;  // that they were made of
    std::string secret_;              // and with
};

// What an arbiter set as the result of a match, and why, with all names: "the arbiter set the
// result of match friday/3: Ada 1, Bob 2; the handout was wrong". Empty: nobody did.
std::string words_of_ruling(const contests::Contest& contest, std::uint64_t match);

// "ann takes part in friday from the next round on"; a ladder has no rounds.
std::string takes_part(const std::string& bot, const config::TournamentConfig& tournament);

// Tells bots that are connected of a tournament what isn't about one of their games alone, and
// observers the same.
class Notices {
 public:
    // All outlive it.
    Notices(const SchedulerContext& context, const Observers& observers, DisplayNames& names)
        : context_(context), observers_(observers), names_(names) {}

    // What came of an order's records.
    void recorded(const contests::Contest& contest,
                  const std::vector<records::Record>& records) const;
    // The tournament is in another state, for that reason. Bots aren't told.
    void state(const contests::Contest& contest, const std::string& reason) const;
    // Tells all bots of the match what it came to.
    void match(const contests::Contest& contest, const formats::MatchResult& match) const;

 private:
    void withdrawn(const contests::Contest& contest,
                   const records::WithdrawalRecord& withdrawal) const;
    void admitted(const contests::Contest& contest, const std::string& name) const;
    // Tells each bot how many of its games don't count any more, or count again, and why.
    void annulled(const contests::Contest& contest, const Observer::Annulled& annulled) const;

    const SchedulerContext& context_;
    const Observers& observers_;
    DisplayNames& names_;
};

}  // namespace referee::scheduler
