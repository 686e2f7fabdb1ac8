#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "referee/net/loop/life.h"
#include "referee/store/records/journal.h"
#include "referee/tournament/scheduler/contest.h"

namespace referee::scheduler {

// Gives the journal the records of contests. When they are committed, the contest shows what came
// of them. Once this has ended, nobody is told of commits. On the loop's thread.
class Records {
 public:
    using OnFailed = std::function<void(const records::JournalFailure&)>;

    // The journal outlives this. `on_committed` is called after each `then` of write(); after a
    // failure, `on_failed` is called instead of both.
    Records(records::Journal& journal, OnFailed on_failed, std::function<void()> on_committed);

    // The records of what changed in the contest up to now. When they are committed and the contest
    // shows it, calls `then`. The contest outlives this.
    void write(Contest& contest, std::vector<records::Record> records, std::function<void()> then);
    // How many calls of write() are not committed yet.
    std::size_t due() const { return due_; }

 private:
    records::Journal& journal_;
    OnFailed on_failed_;
    std::function<void()> on_committed_;
    std::size_t due_ = 0;
    loop::Life life_;
};

}  // namespace referee::scheduler
