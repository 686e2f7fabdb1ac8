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

#include "referee/contest/formats/match_fold.h"
#include "referee/contest/formats/schedule.h"
#include "referee/tournament/contests/contest_snapshot.h"

namespace referee::contests {

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

    // How it took part in a match that has ended, in the order of their ends. It was idle where it
    // was away or without a valid move; a match in which it had no turn counts neither way.
    // `cause`: why, where that is known.
    void note(Entrant entrant, formats::Presence presence, std::string cause = {});
    // A game of it was annulled by order: its row of idle matches begins anew, unless it is
    // withdrawn for that.
    void annulled(Entrant entrant);
    // Who is to be withdrawn because it was idle in too many matches in a row.
    std::vector<Entrant> idle_too_long() const;
    // Why, in plain words. Requires: idle_too_long() names it.
    std::string idle_reason(Entrant entrant) const;

    // It left a match of a ladder before the first turn; or it played one.
    void left_match(Entrant entrant) { ++left_in_a_row_[entrant]; }
    void played_match(Entrant entrant) { left_in_a_row_.erase(entrant); }
    // The matches that it left since it last played one.
    unsigned left_in_a_row(Entrant entrant) const;

    std::size_t size() const { return entries_->size(); }
    bool empty() const { return entries_->empty(); }
    const formats::Entry& entry(Entrant entrant) const { return (*entries_)[entrant]; }
    const std::vector<formats::Entry>& entries() const { return *entries_; }
    std::optional<Entrant> named(std::string_view bot) const;
    bool withdrawn(Entrant entrant) const { return withdrawn_->contains(entrant); }
    // Those who are withdrawn, and why.
    const Withdrawn& all_withdrawn() const { return *withdrawn_; }
    bool withdrawn_as_idle(Entrant entrant) const { return gone_as_idle_.contains(entrant); }
    // Requires: it is withdrawn.
    const Leave& leave_of(Entrant entrant) const { return leaves_.at(entrant); }

    // It sits that round out, or doesn't after all.
    void wish_bye(Entrant entrant, std::uint32_t round, std::optional<formats::ByeKind> kind);

    // The same as they are now, for other threads.
    std::shared_ptr<const std::vector<formats::Entry>> shared_entries() const {
        return entries_.shared();
    }
    std::shared_ptr<const Withdrawn> shared_withdrawn() const { return withdrawn_.shared(); }

 private:
    struct IdleRow {
        std::uint32_t away = 0;
        std::uint32_t silent = 0;
        std::string cause{};  // of the last of them for which one is known
    };
    bool is_too_long(const IdleRow& row) const;

    std::uint32_t withdraw_after_;
    Shared<std::vector<formats::Entry>> entries_;
    std::map<std::string, Entrant, std::less<>> by_name_;
    Shared<Withdrawn> withdrawn_;
    std::map<Entrant, Leave> leaves_;
    std::map<Entrant, unsigned> left_in_a_row_;
    std::map<Entrant, IdleRow> idle_;
    std::set<Entrant> gone_as_idle_;
};

}  // namespace referee::contests
