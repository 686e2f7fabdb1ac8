#include "referee/tournament/scheduler/snapshot.h"

#include <algorithm>

namespace referee::scheduler {

std::optional<formats::Entrant> ContestStatus::entrant_named(std::string_view bot) const {
    const auto found = std::find_if(entries->begin(), entries->end(),
                                    [bot](const auto& entry) { return entry.name == bot; });
    if (found == entries->end()) return std::nullopt;
    return static_cast<formats::Entrant>(found - entries->begin());
}

}  // namespace referee::scheduler
