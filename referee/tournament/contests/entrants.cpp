#include "referee/tournament/contests/entrants.h"

#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"

namespace referee::contests {

void Entrants::add(formats::Entry entry) {
    by_name_.emplace(entry.name, entries_->size());
    entries_.change().push_back(std::move(entry));
}

void Entrants::withdraw(Entrant entrant, std::uint32_t round, const std::string& reason,
                        Leave leave) {
    entries_.change()[entrant].last_round = round - 1;
    if (withdrawn_.change().emplace(entrant, reason).second) leaves_[entrant] = leave;
    const auto row = idle_.find(entrant);
    if (row != idle_.end() && is_too_long(row->second)) gone_as_idle_.insert(entrant);
}

void Entrants::come_back(Entrant entrant) {
    entries_.change()[entrant].last_round = UINT32_MAX;
    withdrawn_.change().erase(entrant);
    idle_.erase(entrant);
    gone_as_idle_.erase(entrant);
}

void Entrants::wish_bye(Entrant entrant, std::uint32_t round,
                        std::optional<formats::ByeKind> kind) {
    entries_.change()[entrant].ask_for_bye(round, kind);
}

unsigned Entrants::left_in_a_row(Entrant entrant) const {
    const auto* times = base::find_in(left_in_a_row_, entrant);
    return times == nullptr ? 0 : *times;
}

std::optional<Entrant> Entrants::named(std::string_view bot) const {
    const auto* found = base::find_in(by_name_, bot);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

void Entrants::note(Entrant entrant, formats::Presence presence, std::string cause) {
    using formats::Presence;
    if (presence == Presence::no_turn) return;
    if (presence == Presence::played) {
        idle_.erase(entrant);
        return;
    }
    auto& row = idle_[entrant];
    ++(presence == Presence::away ? row.away : row.silent);
    if (!cause.empty()) row.cause = std::move(cause);
}

void Entrants::annulled(Entrant entrant) {
    if (!withdrawn_as_idle(entrant)) idle_.erase(entrant);
}

bool Entrants::is_too_long(const IdleRow& row) const {
    return withdraw_after_ > 0 && row.away + row.silent >= withdraw_after_;
}

std::vector<Entrant> Entrants::idle_too_long() const {
    std::vector<Entrant> found;
    for (const auto& [entrant, row] : idle_) {
        if (is_too_long(row) && !withdrawn(entrant)) found.push_back(entrant);
    }
    return found;
}

std::string Entrants::idle_reason(Entrant entrant) const {
    const auto& [away, silent, cause] = idle_.at(entrant);
    const auto matches =
        base::counted(away + silent, "match", "matches in a row") +
        (cause.empty() ? std::string() : ", the last time for this: " + base::visible_line(cause));
    if (silent == 0) return "it did not show up in " + matches;
    if (away == 0) return "it gave no valid move in " + matches;
    return "it did not show up or gave no valid move in " + matches;
}

}  // namespace referee::contests
