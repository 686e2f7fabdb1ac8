#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "referee/store/chain.h"
#include "referee/store/database.h"
#include "referee/store/records/records.h"
#include "referee/store/store_files.h"

namespace referee::store {

// How many replays were dropped, to stay within the bound.
struct DroppedReplays {
    std::uint64_t of_ladders = 0;
    std::uint64_t of_others = 0;  // of tournaments with final standings

    bool any() const { return of_ladders + of_others > 0; }
};

// Keeps all replays of a store within a number of packed bytes. The oldest of ladders are dropped
// first, the others only when no ladder has one left. A result is never dropped, and the digest of
// a dropped replay stands in its place: the chain stays whole.
class ReplayBound {
 public:
    ReplayBound(Database& database, std::uint64_t bytes_max)
        : database_(database), bytes_max_(bytes_max) {}

    // Called after commits. In one transaction drops as many as one may have; what is above the
    // bound then is dropped by the next call. Throws, and then nothing has changed.
    DroppedReplays keep();

 private:
    struct State {
        std::uint64_t bytes = 0;    // of replays up to `counted`
        std::uint64_t counted = 0;  // the last record with a replay
        // Behind which the oldest replays stand, of ladders and of others.
        std::uint64_t ladders_from = 0;
        std::uint64_t others_from = 0;
    };
    void count_new();
    std::uint64_t drop(State& state, bool of_ladders, std::uint64_t most);

    Database& database_;
    std::uint64_t bytes_max_;
    State state_;
};

// What one append() handed over.
struct Append {
    std::int64_t time_ms = 0;
    std::vector<records::Record> records;
    records::Journal::OnCommitted on_committed;
};
std::size_t replay_bytes(const Append& append);

struct Commit {
    enum class Ended : std::uint8_t {
        committed,  // and would survive a power cut
        no_room,    // nothing is written; worth another try
        busy,       // nothing is written; somebody else writes; worth another try
        failed,     // for good
    };
    Ended ended = Ended::committed;
    std::string message;  // of an error
};

// Commits a batch as one transaction, and moves the log into the file now and then.
class Committer {
 public:
    // The log is moved once it has `log_frames_max` frames. `head` is told where the chain ends; a
    // store on a file system of a test's has none. All replays are to stay within a number of
    // bytes.
    Committer(Database& database, std::optional<HeadFile> head, int log_frames_max,
              std::uint64_t replay_bytes_max);

    Commit commit(std::span<const Append> batch);
    // The last record that is committed.
    const ChainTip& tip() const { return tip_; }
    // Called after commits: moves the log where it has grown long.
    Commit tidy_log();
    // Called after commits: drops replays as ReplayBound tells. Where that can't be done now it
    // is tried again by the next call.
    Commit drop_replays(DroppedReplays& dropped);
    // All is in the store's own file, orderly.
    void remove_head() {
        if (head_) head_->remove();
    }

 private:
    Commit ended_by(const DatabaseError& error);

    Database& database_;
    std::optional<HeadFile> head_;
    int log_frames_max_;
    ChainWriter chain_;
    ChainTip tip_;
    ReplayBound replays_;
};

}  // namespace referee::store
