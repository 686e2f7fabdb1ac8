#include "referee/contest/standings/crosstable.h"

namespace referee::standings {

void StandingsRow::add(RoundEntry entry, std::span<const Meeting> with) {
    entry.first_meeting = static_cast<std::uint32_t>(meetings.size());
    entry.meetings = static_cast<std::uint16_t>(with.size());
    meetings.insert(meetings.end(), with.begin(), with.end());
    rounds.push_back(entry);
}

}  // namespace referee::standings
