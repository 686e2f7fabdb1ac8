#include "referee/arena/scheduler/snapshot.h"

#include <algorithm>

#include "referee/arena/scheduler/contest.h"

namespace referee::scheduler {

std::optional<Entrant> ContestStatus::entrant_named(std::string_view bot) const {
    const auto found = std::find_if(entries->begin(), entries->end(),
                                    [bot](const auto& entry) { return entry.name == bot; });
    if (found == entries->end()) return std::nullopt;
    return static_cast<Entrant>(found - entries->begin());
}

ContestStatus Contest::status() const {
    if (told_.entries == nullptr) {
        told_.entries = std::make_shared<const std::vector<tournament::Entry>>(entries_);
        told_.withdrawn = std::make_shared<const Withdrawn>(gone_);
    }
    return {.config = kept_config_,
            .entries = told_.entries,
            .withdrawn = told_.withdrawn,
            .state = state_,
            .state_reason = state_reason_,
            .begun = begun_,
            .over = over(),
            .round = round_,
            .games_played = games_played_,
            .matches_played = matches_played_,
            .matches_total = matches_total_,
            .set_aside = set_aside()};
}

ContestSnapshot Contest::snapshot() const {
    ContestSnapshot snapshot{status(),      results_, open_matches(), byes_,
                             ended_early(), nullptr,  nullptr};
    snapshot.left_early = snapshot.withdrawn;
    if (snapshot.over) {  // before that it takes something from everybody
        auto left = gone_;
        std::erase_if(left, [this](const auto& gone) { return !left_early(gone.first); });
        snapshot.left_early = std::make_shared<const Withdrawn>(std::move(left));
    }
    if (schedule_ != nullptr && schedule_->has_places()) snapshot.schedule = schedule_->copy();
    return snapshot;
}

}  // namespace referee::scheduler
