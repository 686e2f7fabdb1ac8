#pragma once

#include <span>

#include "referee/memory/store/record_writer.h"

namespace referee::store {

// What one append() handed over.
struct Append {
    std::int64_t time_ms = 0;
    std::vector<journal::Record> records;
    journal::Journal::OnCommitted on_committed;
};

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
    // The log is moved once it has `log_frames_max` frames.
    Committer(Database& database, int log_frames_max);

    Commit commit(std::span<const Append> batch);
    // Called after commits: moves the log where it has grown long.
    Commit tidy_log();

 private:
    Commit ended_by(const DatabaseError& error);

    Database& database_;
    int log_frames_max_;
    RecordWriter writer_;
    std::uint64_t last_seq_;
};

}  // namespace referee::store
