#include "referee/tournament/contests/entrants.h"

#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace referee::contests {

void Entrants::changed() {
    shared_entries_ = nullptr;
    shared_withdrawn_ = nullptr;
}

void Entrants::add(formats::Entry entry) {
    changed();
    by_name_.emplace(entry.name, entries_.size());
    entries_.push_back(std::move(entry));
}

void Entrants::withdraw(Entrant entrant, std::uint32_t round, const std::string& reason,
                        Leave leave) {
    changed();
    entries_[entrant].last_round = round - 1;
    if (withdrawn_.emplace(entrant, reason).second) leaves_[entrant] = leave;
    if (idle_.too_many(entrant, withdraw_after_)) idle_.go(entrant);
}

void Entrants::come_back(Entrant entrant) {
    changed();
    entries_[entrant].last_round = UINT32_MAX;
    withdrawn_.erase(entrant);
    idle_.forget(entrant);
}

void Entrants::wish_bye(Entrant entrant, std::uint32_t round,
                        std::optional<formats::ByeKind> kind) {
    changed();
    entries_[entrant].ask_for_bye(round, kind);
}

std::vector<Entrant> Entrants::idle_too_long() const {
    auto found = idle_.too_many(withdraw_after_);
    std::erase_if(found, [this](const auto entrant) { return withdrawn(entrant); });
    return found;
}

unsigned Entrants::left_in_a_row(Entrant entrant) const {
    const auto found = left_in_a_row_.find(entrant);
    return found == left_in_a_row_.end() ? 0 : found->second;
}

std::optional<Entrant> Entrants::named(std::string_view bot) const {
    const auto found = by_name_.find(bot);
    return found == by_name_.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const std::vector<formats::Entry>> Entrants::shared_entries() const {
    if (shared_entries_ == nullptr)
        shared_entries_ = std::make_shared<const std::vector<formats::Entry>>(entries_);
    return shared_entries_;
}

std::shared_ptr<const Withdrawn> Entrants::shared_withdrawn() const {
    if (shared_withdrawn_ == nullptr)
        shared_withdrawn_ = std::make_shared<const Withdrawn>(withdrawn_);
    return shared_withdrawn_;
}

using formats::Entrant;
using formats::Presence;

void IdleMatches::add(Entrant entrant, Presence presence, std::string cause) {
    const bool idle = presence == Presence::away || presence == Presence::silent;
    if (idle && !cause.empty()) rows_[entrant].cause = std::move(cause);
    switch (presence) {
        case Presence::played:
            rows_.erase(entrant);
            return;
        case Presence::no_turn:
            return;
        case Presence::away:
            ++rows_[entrant].away;
            return;
        case Presence::silent:
            ++rows_[entrant].silent;
            return;
    }
}

void IdleMatches::annulled(Entrant entrant) {
    if (!is_gone(entrant)) rows_.erase(entrant);
}

bool IdleMatches::too_many(Entrant entrant, std::uint32_t most) const {
    const auto row = rows_.find(entrant);
    return most > 0 && row != rows_.end() && row->second.away + row->second.silent >= most;
}

std::vector<Entrant> IdleMatches::too_many(std::uint32_t most) const {
    std::vector<Entrant> found;
    for (const auto& [entrant, row] : rows_) {
        if (too_many(entrant, most)) found.push_back(entrant);
    }
    return found;
}

std::string IdleMatches::reason(Entrant entrant) const {
    const auto row = rows_.find(entrant);
    REFEREE_ASSERT(row != rows_.end());
    const auto& [away, silent, cause] = row->second;
    const auto matches = base::counted(away + silent, "match", "matches in a row") +
                         (cause.empty() ? std::string() : ", the last time for this: " + cause);
    if (silent == 0) return "it did not show up in " + matches;
    if (away == 0) return "it gave no valid move in " + matches;
    return "it did not show up or gave no valid move in " + matches;
}

void IdleMatches::forget(Entrant entrant) {
    rows_.erase(entrant);
    gone_.erase(entrant);
}

}  // namespace referee::contests
