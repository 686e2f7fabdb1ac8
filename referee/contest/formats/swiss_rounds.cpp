#include "referee/contest/formats/swiss_rounds.h"

#include <algorithm>
#include <utility>

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

}  // namespace referee::formats
