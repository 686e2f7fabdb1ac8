#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contest/formats/schedule.h"
#include "referee/roster/pseudonyms/pseudonyms.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest.h"
#include "referee/tournament/contests/contest_journal.h"
#include "referee/tournament/contests/contest_snapshot.h"
#include "referee/tournament/scheduler/scheduled_contest.h"
#include "referee/tournament/scheduler/scheduler_context.h"
#include "referee/tournament/scheduler/waits.h"
#include "referee/tournament/table/table.h"

namespace referee::scheduler {

// The scheduler tells observers how things go. All that it is told is recorded already.
class Observer {
 public:
    virtual ~Observer() = default;
    // All that does not go on at present. Told when other things wait than before, or for other
    // bots; at most once a second.
    virtual void on_waits(const std::vector<Wait>& /*waiting*/) {}
    virtual void on_game_started(const std::string& /*tournament*/, const table::Table& /*table*/) {
    }
    // A game is over. It may be kept: it is never changed. `table`: where it was played; null:
    // elsewhere.
    virtual void on_game(const std::shared_ptr<const records::GameRecord>& /*game*/,
                         const table::Table* /*table*/) {}
    virtual void on_match(const std::string& /*tournament*/,
                          const formats::MatchResult& /*match*/) {}
    // A match of a ladder is not played, and why.
    virtual void on_dropped(const std::string& /*tournament*/, const std::string& /*reason*/) {}
    // The tournament is in another state: over, paused, resumed or aborted.
    virtual void on_state(const std::string& /*tournament*/, records::TournamentState /*state*/,
                          const std::string& /*reason*/) {}
    // The calendar brings something else next.
    virtual void on_timetable(const contests::ContestStatus& /*contest*/) {}
    // Games that counted don't any more, by order, and are played again; or they count again.
    struct Annulled {
        std::vector<GameKey> games;
        std::string reason;
        bool count_again = false;
    };
    virtual void on_annulled(const std::string& /*tournament*/, const Annulled& /*annulled*/) {}
    // A game of the tournament is set aside, because it was annulled again and again. What people
    // should know of it comes by on_waits().
    virtual void on_set_aside(const std::string& /*tournament*/) {}
    // A bot is out of the tournament; or it was let in, for the first time or again.
    virtual void on_withdrawn(const std::string& /*tournament*/, const std::string& /*bot*/,
                              const std::string& /*reason*/) {}
    virtual void on_admitted(const std::string& /*tournament*/, const std::string& /*bot*/) {}
    // Nothing can be recorded for now, so no game begins. Empty: the trouble is over.
    virtual void on_store_trouble(const std::string& /*trouble*/) {}
};

// All who are told, in the order in which they were added.
template <typename Told>
class ObserverList {
 public:
    // The observer outlives this.
    void add(Told& observer) { all_.push_back(&observer); }
    // Calls that member of each observer, as in tell(&Observer::on_store_trouble, trouble).
    template <typename... Parameters, typename... Arguments>
    void tell(void (Told::*event)(Parameters...), const Arguments&... arguments) const {
        for (auto* observer : all_) (observer->*event)(arguments...);
    }
    const std::vector<Told*>& all() const { return all_; }

 private:
    std::vector<Told*> all_;
};
using Observers = ObserverList<Observer>;

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
    std::shared_ptr<const pseudonyms::Pseudonyms> in(const std::string& tournament) {
        hidden_.set_secret(settings_.names_secret);
        if (hidden_.are_hidden()) hidden_.learn(names());
        return hidden_.in(tournament);
    }
    pseudonyms::NameMask name_mask_of(const std::string& tournament, const std::string& bot) {
        return {in(tournament), bot};
    }
    // Of everybody; some stand twice.
    std::vector<std::string_view> names() const;

 private:
    const Settings& settings_;
    const lobby::Lobby& lobby_;
    const ScheduledContests& contests_;
    pseudonyms::HiddenNames hidden_;
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
    // A game is over, and perhaps its match, or it is set aside. `table` as in
    // Observer::on_game(): bots are told of the match only where they sat down at it.
    void ended(const contests::Contest& contest, const contests::GameEnd& end,
               const table::Table* table) const;
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
