#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "referee/contest/formats/schedule.h"

namespace referee::formats {

// The entrants of a Swiss tournament: who is there in which round.
class SwissField {
 public:
    explicit SwissField(std::vector<Entry> entries) : entries_(std::move(entries)) {}

    std::size_t size() const { return entries_.size(); }
    const Entry& entry(Entrant entrant) const { return entries_[entrant]; }

    bool there(Entrant entrant, std::uint32_t round) const;
    // How many are not withdrawn before that round.
    std::size_t left_from(std::uint32_t round) const;
    // The bye that it asked for in that round, if any.
    std::optional<ByeKind> asked_for_bye(Entrant entrant, std::uint32_t round) const;
    bool plays(Entrant entrant, std::uint32_t round) const {
        return there(entrant, round) && !asked_for_bye(entrant, round);
    }
    void wish_bye(Entrant entrant, std::uint32_t round, ByeKind kind, bool taken_back);
    void withdraw(Entrant entrant, std::uint32_t round);
    // A withdrawn entrant is there again; rounds that were drawn meanwhile stand.
    void come_back(Entrant entrant) { entries_[entrant].last_round = UINT32_MAX; }
    Entrant enter(const Entry& entry, std::uint32_t round);

    // Byes of those who don't play: half a point where that was asked for, else none. A late entry
    // gets those of the rounds that it missed when its first round is drawn.
    std::vector<Bye> byes(std::uint32_t round, engines::Score half) const;

    // The teams of more than one entrant.
    std::vector<std::vector<Entrant>> teams() const;
    // Those of them who are in it, in the order of the list.
    std::vector<Entrant> named(const std::vector<std::string>& bots) const;

 private:
    std::vector<Entry> entries_;
    std::vector<Entrant> entered_late_;  // while the tournament was running
};

}  // namespace referee::formats
