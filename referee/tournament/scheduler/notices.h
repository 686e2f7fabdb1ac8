#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "referee/roster/pseudonyms/aliases.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/scheduler/observer.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/slot.h"

// What bots that are connected are told of a tournament, besides their games. Observers are told
// too who takes part.

namespace referee::scheduler {

// What bots are told that others are called in a tournament: by their names, or by pseudonyms where
// the settings hide names. Knows everybody who is here or takes part in anything, so that no text
// names somebody who plays elsewhere.
class DisplayNames {
 public:
    // All outlive it.
    DisplayNames(const Settings& settings, const lobby::Lobby& lobby, const Slots& slots)
        : settings_(settings), lobby_(lobby), slots_(slots) {}

    // Null where names are told.
    std::shared_ptr<const pseudonyms::Aliases> in(const std::string& tournament);
    pseudonyms::NameMask name_mask_of(const std::string& tournament, const std::string& bot) {
        return {in(tournament), bot};
    }
    // Of everybody; some stand twice.
    std::vector<std::string_view> names() const;

 private:
    const Settings& settings_;
    const lobby::Lobby& lobby_;
    const Slots& slots_;
    // They take a digest a name, so they are made anew only where somebody is new.
    std::map<std::string, std::shared_ptr<const pseudonyms::Aliases>> aliases_;
    std::vector<std::string> names_;  // that they were made of
    std::string secret_;              // and with
};

// What an arbiter set as the result of a match, and why, with all names: "the arbiter set the
// result of match friday/3: Ada 1, Bob 2; the handout was wrong". Empty: nobody did.
std::string words_of_ruling(const contests::Contest& contest, std::uint64_t match);

void tell_withdrawn(const SchedulerContext& with, const Observers& observers,
                    const contests::Contest& contest, const records::WithdrawalRecord& withdrawal,
                    DisplayNames& names);
void tell_admitted(const SchedulerContext& with, const Observers& observers,
                   const contests::Contest& contest, const std::string& name);
// Tells each bot how many of its games don't count any more, or count again, and why.
void tell_annulled(const SchedulerContext& with, const Observers& observers,
                   const contests::Contest& contest, const Observer::Annulled& annulled,
                   DisplayNames& names);
// Tells all bots of the match.
void tell_match(lobby::Lobby& lobby, const contests::Contest& contest,
                const formats::MatchResult& match, DisplayNames& names);

}  // namespace referee::scheduler
