#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/net/loop/life.h"
#include "referee/store/records/journal.h"
#include "referee/tournament/contests/contest.h"

namespace referee::contests {

// Gives the journal the records of contests. When they are committed, the contest shows what came
// of them. Once this has ended, nobody is told of commits. On the loop's thread.
class ContestJournal {
 public:
    using OnFailed = std::function<void(const records::JournalFailure&)>;

    // The journal outlives this. `on_committed` is called after each `then` of write(); after a
    // failure, `on_failed` is called instead of both.
    ContestJournal(records::Journal& journal, OnFailed on_failed,
                   std::function<void()> on_committed);

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

// What a former run recorded of a contest: applied to a new one, it makes the same contest. It may
// come from elsewhere and be damaged, so each record is looked at first.
class RecordedPast {
 public:
    // Whether it fits, or what is wrong. The contest must not be used where it doesn't.
    using Fits = base::Result<void, std::string>;

    // The contest outlives this. It was made for the same tournament, and nothing has happened in
    // it but what was applied.
    explicit RecordedPast(Contest& contest) : contest_(contest) {}

    // The next record, in their order. What it changes shows at once: it is committed already.
    Fits apply(const records::Record& record);
    // The same of what is not committed yet.
    Fits take_in(const records::Record& record);
    // After the last record: whether matches can be drawn of the field that it came to. Too few
    // entries may be on record.
    Fits drawable() const;

 private:
    Fits apply_withdrawal(const records::WithdrawalRecord& record);
    Fits apply_pairing(const records::PairingRecord& record);
    Fits apply_drop(const records::DroppedRecord& record);
    Fits apply_start(const records::StartRecord& record);
    Fits apply_game(const records::GameRecord& record);
    Fits apply_annulment(const records::AnnulmentRecord& record);
    Fits apply_restoration(const records::RestorationRecord& record);
    Fits apply_state(const records::StateRecord& record);
    Fits apply_ruling(const records::RulingRecord& record);
    template <typename Wish>
    Fits apply_wish(const Wish& record);

    Contest& contest_;
};

}  // namespace referee::contests
