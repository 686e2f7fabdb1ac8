#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "referee/arena/scheduler/contest.h"
#include "referee/connections/runtime/life.h"
#include "referee/memory/journal/journal.h"

namespace referee::scheduler {

// Writes down what changed contests, and shows it when it stands. What is committed when this is
// gone is news to nobody. On the loop's thread.
class Records {
 public:
    using OnFailed = std::function<void(const journal::JournalFailure&)>;

    // The journal outlives this. `on_committed` is told behind each record's own continuation;
    // `on_failed` instead of both.
    Records(journal::Journal& journal, OnFailed on_failed, std::function<void()> on_committed);

    // What changed the contest last; goes on with `then` once it stands and the contest shows it.
    // The contest outlives this.
    void write(Contest& contest, std::vector<journal::Record> records, std::function<void()> then);
    // How many were written down, and don't stand yet.
    std::size_t due() const { return due_; }

 private:
    journal::Journal& journal_;
    OnFailed on_failed_;
    std::function<void()> on_committed_;
    std::size_t due_ = 0;
    runtime::Life life_;
};

}  // namespace referee::scheduler
