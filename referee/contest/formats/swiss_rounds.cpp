#include "referee/contest/formats/swiss_rounds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/swiss.h"

namespace referee::formats {

SwissRounds::SwissRounds(const FormatConfig& config, std::vector<Entry> entries,
                         std::vector<Entrant> numbers)
    : config_(config),
      field_(std::move(entries)),
      forbidden_(options().forbidden_pairs),
      numbers_(std::move(numbers)),
      rounds_(options().rounds != 0 ? options().rounds
                                    : default_rounds(field_.size(), options().seats)) {}

void SwissRounds::withdraw(Entrant entrant, std::uint32_t round) {
    field_.withdraw(entrant, std::max(round, drawn() + 1));
}

std::optional<Entrant> SwissRounds::enter(const Entry& entry, std::uint32_t round) {
    if (round <= drawn() || round > rounds_) return std::nullopt;
    const Entrant entrant = field_.enter(entry, round);
    numbers_.push_back(entrant);
    entered();
    return entrant;
}

bool SwissRounds::come_back(Entrant entrant, std::uint32_t round) {
    if (round > rounds_) return false;
    field_.come_back(entrant);
    return true;
}

void SwissRounds::forbid(const ForbiddenPairs& pairs, bool lifted) {
    lifted ? lift(forbidden_, pairs) : formats::forbid(forbidden_, pairs);
    keep_apart();
}

std::size_t SwissRounds::index_of(Entrant entrant) const {
    return static_cast<std::size_t>(std::find(numbers_.begin(), numbers_.end(), entrant) -
                                    numbers_.begin());
}

bool SwissRounds::tries_again() {
    ended_early_.clear();
    return drawn() < rounds_;
}

bool SwissRounds::is_deserted(std::uint32_t round) const {
    return !on_record() && field_.left_from(round) < 2;
}

void SwissRounds::end_early(std::uint32_t round, const std::string& why) {
    ended_early_ = "round " + std::to_string(round) + " can't be " + why;
}

bool SwissField::there(Entrant entrant, std::uint32_t round) const {
    const auto& entry = entries_[entrant];
    return entry.first_round <= round && round <= entry.last_round;
}

std::size_t SwissField::left_from(std::uint32_t round) const {
    return static_cast<std::size_t>(
        std::count_if(entries_.begin(), entries_.end(),
                      [round](const auto& entry) { return entry.last_round >= round; }));
}

std::optional<ByeKind> SwissField::asked_for_bye(Entrant entrant, std::uint32_t round) const {
    const auto has = [round](const std::vector<std::uint32_t>& rounds) {
        return std::find(rounds.begin(), rounds.end(), round) != rounds.end();
    };
    if (has(entries_[entrant].half_point_byes)) return ByeKind::half_point;
    if (has(entries_[entrant].zero_point_byes)) return ByeKind::zero_point;
    return std::nullopt;
}

void SwissField::wish_bye(Entrant entrant, std::uint32_t round, ByeKind kind, bool taken_back) {
    auto& entry = entries_[entrant];
    std::erase(entry.half_point_byes, round);
    std::erase(entry.zero_point_byes, round);
    if (taken_back) return;
    (kind == ByeKind::half_point ? entry.half_point_byes : entry.zero_point_byes).push_back(round);
}

void SwissField::withdraw(Entrant entrant, std::uint32_t round) {
    REFEREE_ASSERT(entrant < entries_.size() && round >= 1);
    auto& last = entries_[entrant].last_round;
    last = std::min(last, round - 1);
}

Entrant SwissField::enter(const Entry& entry, std::uint32_t round) {
    entries_.push_back(entry);
    entries_.back().first_round = round;
    entered_late_.push_back(entries_.size() - 1);
    return entries_.size() - 1;
}

std::vector<Bye> SwissField::byes(std::uint32_t round, engines::Score half) const {
    std::vector<Bye> byes;
    for (const auto entrant : entered_late_) {
        if (entries_[entrant].first_round != round) continue;
        for (std::uint32_t missed = 1; missed < round; ++missed) {
            byes.push_back({missed, entrant, {}, ByeKind::zero_point});
        }
    }
    for (Entrant entrant = 0; entrant < entries_.size(); ++entrant) {
        const bool late =
            std::find(entered_late_.begin(), entered_late_.end(), entrant) != entered_late_.end();
        if (plays(entrant, round) || (late && round < entries_[entrant].first_round)) continue;
        if (there(entrant, round) && asked_for_bye(entrant, round) == ByeKind::half_point) {
            byes.push_back({round, entrant, half, ByeKind::half_point});
        } else {
            byes.push_back({round, entrant, {}, ByeKind::zero_point});
        }
    }
    return byes;
}

std::vector<Entrant> SwissField::named(const std::vector<std::string>& bots) const {
    std::vector<Entrant> found;
    for (const auto& bot : bots) {
        const auto at = std::find_if(entries_.begin(), entries_.end(),
                                     [&bot](const auto& entry) { return entry.name == bot; });
        if (at != entries_.end()) found.push_back(static_cast<Entrant>(at - entries_.begin()));
    }
    return found;
}

std::vector<std::vector<Entrant>> SwissField::teams() const {
    std::map<std::string, std::vector<Entrant>> by_name;
    for (Entrant entrant = 0; entrant < entries_.size(); ++entrant) {
        if (!entries_[entrant].team.empty()) by_name[entries_[entrant].team].push_back(entrant);
    }
    std::vector<std::vector<Entrant>> teams;
    for (auto& [name, members] : by_name) {
        if (members.size() > 1) teams.push_back(std::move(members));
    }
    return teams;
}

}  // namespace referee::formats
