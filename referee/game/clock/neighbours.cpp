#include "referee/game/clock/neighbours.h"

#include <algorithm>

#include "protocol/base/assertion.h"

namespace referee::clock {
namespace {

void insert(std::vector<Duration>& sorted, Duration time) {
    sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), time), time);
}

void erase(std::vector<Duration>& sorted, Duration time) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), time);
    REFEREE_ASSERT(found != sorted.end() && *found == time);
    sorted.erase(found);
}

// The median as if `own` were not there.
Duration median_without(const std::vector<Duration>& sorted, Duration own) {
    const auto place = std::lower_bound(sorted.begin(), sorted.end(), own) - sorted.begin();
    const auto middle = static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    return sorted[static_cast<std::size_t>(middle < place ? middle : middle + 1)];
}

}  // namespace

void Neighbours::add(const Way& way) {
    if (!way.known()) return;
    insert(round_trips_, way.round_trip);
    insert(mosts_, way.most);
}

void Neighbours::remove(const Way& way) {
    if (!way.known()) return;
    erase(round_trips_, way.round_trip);
    erase(mosts_, way.most);
}

std::size_t Neighbours::others(const Way& own) const {
    return round_trips_.size() - (own.known() ? 1 : 0);
}

Way Neighbours::median_of_others(const Way& own) const {
    REFEREE_ASSERT(others(own) > 0);
    if (own.known())
        return {median_without(round_trips_, own.round_trip), median_without(mosts_, own.most)};
    const auto middle = round_trips_.size() / 2;
    return {round_trips_[middle], mosts_[middle]};
}

}  // namespace referee::clock
