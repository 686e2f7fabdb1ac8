#include "referee/tournament/scheduler/records.h"

#include <utility>

namespace referee::scheduler {

Records::Records(records::Journal& journal, OnFailed on_failed, std::function<void()> on_committed)
    : journal_(journal), on_failed_(std::move(on_failed)), on_committed_(std::move(on_committed)) {}

void Records::write(Contest& contest, std::vector<records::Record> records,
                    std::function<void()> then) {
    ++due_;
    const auto committed = [this, &contest, changes = contest.changes(), lasts = life_.watch(),
                            then = std::move(then)](const records::Committed& told) {
        --due_;
        if (!told) return on_failed_(told.error());
        contest.committed(changes);
        then();
        if (lasts()) on_committed_();
    };
    journal_.append(std::move(records), life_.while_it_lasts(committed));
}

}  // namespace referee::scheduler
