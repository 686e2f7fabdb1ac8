#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "referee/net/loop/life.h"
#include "referee/store/records/records.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {

// What the end of a game brought.
struct GameEnd {
    std::shared_ptr<const records::GameRecord> game;
    std::optional<formats::MatchResult> match;  // whose last game it was
    std::vector<records::Record> withdrawn;     // bots that were away or silent too often by it
};

// Gives the journal the records of contests. When they are committed, the contest shows what came
// of them. Once this has ended, nobody is told of commits. On the loop's thread.
class ContestJournal {
 public:
    using OnFailed = std::function<void(const records::JournalFailure&)>;

    // The journal outlives this. `on_committed` is called after each `then` of write(); after a
    // failure, `on_failed` is called instead of both.
    ContestJournal(records::Journal& journal, OnFailed on_failed,
                   std::function<void()> on_committed)
        : journal_(journal),
          on_failed_(std::move(on_failed)),
          on_committed_(std::move(on_committed)) {}

    // The records of what changed in the contest up to now. When they are committed and the contest
    // shows it, calls `then`. The contest outlives this.
    void write(Contest& contest, std::vector<records::Record> records, std::function<void()> then) {
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
    // A game of the contest has ended, wherever it was played: as write(), of all that this
    // brought. `records`: of its start, where they aren't written yet.
    void write_end(Contest& contest, std::vector<records::Record> records,
                   std::shared_ptr<const records::GameRecord> game,
                   std::function<void(const GameEnd&)> then) {
        auto match = contest.finished(game->result);
        records.emplace_back(*game);
        auto withdrawn = contest.withdraw_idle();
        records.insert(records.end(), withdrawn.begin(), withdrawn.end());
        write(contest, std::move(records),
              [end = GameEnd{std::move(game), std::move(match), std::move(withdrawn)},
               then = std::move(then)] { then(end); });
    }
    // How many calls of these are not committed yet.
    std::size_t due() const { return due_; }

 private:
    records::Journal& journal_;
    OnFailed on_failed_;
    std::function<void()> on_committed_;
    std::size_t due_ = 0;
    loop::Life life_;
};

}  // namespace referee::contests
