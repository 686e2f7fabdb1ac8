#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"
#include "referee/tournament/contests/contest_view.h"

namespace referee::contests {

// In how many matches in a row each entrant was idle: away, or without a valid move. The row is in
// the order in which the matches ended. A match in which it had no turn counts neither way.
class IdleMatches {
 public:
    // `cause`: why, where that is known; it stands in the reason of a withdrawal.
    void add(formats::Entrant entrant, formats::Presence presence, std::string cause = {});
    // A game of the entrant was annulled by order: its row begins anew, unless it is withdrawn.
    void annulled(formats::Entrant entrant);
    // Whether its row has reached `most`, so that it is to be withdrawn; never where `most` is 0.
    bool too_many(formats::Entrant entrant, std::uint32_t most) const;
    // All of whom that holds.
    std::vector<formats::Entrant> too_many(std::uint32_t most) const;
    // The reason of such a withdrawal, in plain words. Requires: too_many().
    std::string reason(formats::Entrant entrant) const;

    // It is withdrawn for having been idle, until forget().
    void go(formats::Entrant entrant) { gone_.insert(entrant); }
    bool is_gone(formats::Entrant entrant) const { return gone_.contains(entrant); }
    // It is back, and nothing is held against it.
    void forget(formats::Entrant entrant);

 private:
    struct Row {
        std::uint32_t away = 0;
        std::uint32_t silent = 0;
        std::string cause{};  // of the last of them for which one is known
    };
    std::map<formats::Entrant, Row> rows_;
    std::set<formats::Entrant> gone_;
};

using formats::Entrant;

// Who takes part in a contest, in the order of entry: who is withdrawn and why, who was away or
// silent in too many matches in a row, and who leaves matches of a ladder. An entrant that is asked
// for must have entered.
class Entrants {
 public:
    // A bot is withdrawn for being idle after so many matches in a row; 0: never.
    explicit Entrants(std::uint32_t withdraw_after) : withdraw_after_(withdraw_after) {}

    // Behind all others.
    void add(formats::Entry entry);

    // How the matches stood when a bot was withdrawn.
    struct Leave {
        bool in_match = false;         // it sat in one that had no result
        std::uint64_t last_match = 0;  // the ordinal of the one that was drawn last
    };
    // It plays no round from `round` on. If it is withdrawn already, the first reason and the first
    // leave stay. If it was idle in too many matches, it counts as withdrawn for that.
    void withdraw(Entrant entrant, std::uint32_t round, const std::string& reason, Leave leave);
    // It plays again, and nothing is held against it.
    void come_back(Entrant entrant);

    // How it took part in a match that has ended.
    void note(Entrant entrant, formats::Presence presence, std::string cause = {}) {
        idle_.add(entrant, presence, std::move(cause));
    }
    // A game of it was annulled by order: its row of idle matches begins anew.
    void annulled(Entrant entrant) { idle_.annulled(entrant); }
    // Who is to be withdrawn because it was idle in too many matches in a row.
    std::vector<Entrant> idle_too_long() const;
    // Why, in plain words. Requires: idle_too_long() names it.
    std::string idle_reason(Entrant entrant) const { return idle_.reason(entrant); }

    // It left a match of a ladder before the first turn; or it played one.
    void left_match(Entrant entrant) { ++left_in_a_row_[entrant]; }
    void played_match(Entrant entrant) { left_in_a_row_.erase(entrant); }
    // The matches that it left since it last played one.
    unsigned left_in_a_row(Entrant entrant) const;

    std::size_t size() const { return entries_.size(); }
    bool empty() const { return entries_.empty(); }
    const formats::Entry& entry(Entrant entrant) const { return entries_[entrant]; }
    const std::vector<formats::Entry>& entries() const { return entries_; }
    std::optional<Entrant> named(std::string_view bot) const;
    bool withdrawn(Entrant entrant) const { return withdrawn_.contains(entrant); }
    // Those who are withdrawn, and why.
    const Withdrawn& all_withdrawn() const { return withdrawn_; }
    bool withdrawn_as_idle(Entrant entrant) const { return idle_.is_gone(entrant); }
    // Requires: it is withdrawn.
    const Leave& leave_of(Entrant entrant) const { return leaves_.at(entrant); }

    // It sits that round out, or doesn't after all.
    void wish_bye(Entrant entrant, std::uint32_t round, std::optional<formats::ByeKind> kind);

    // The same as values that never change: calls between two changes share one copy.
    std::shared_ptr<const std::vector<formats::Entry>> shared_entries() const;
    std::shared_ptr<const Withdrawn> shared_withdrawn() const;

 private:
    void changed();

    std::uint32_t withdraw_after_;
    std::vector<formats::Entry> entries_;
    std::map<std::string, Entrant, std::less<>> by_name_;
    Withdrawn withdrawn_;
    std::map<Entrant, Leave> leaves_;
    std::map<Entrant, unsigned> left_in_a_row_;
    IdleMatches idle_;
    // Null where there is none since the last change.
    mutable std::shared_ptr<const std::vector<formats::Entry>> shared_entries_;
    mutable std::shared_ptr<const Withdrawn> shared_withdrawn_;
};

}  // namespace referee::contests
