#include "referee/memory/store/committer.h"

#include "referee/memory/store/record_reader.h"

namespace referee::store {

Committer::Committer(Database& database, int log_frames_max)
    : database_(database),
      log_frames_max_(log_frames_max),
      writer_(database),
      last_seq_(last_seq(database)) {}

Commit Committer::commit(std::span<const Append> batch) {
    auto seq = last_seq_;
    try {
        Transaction transaction(database_);
        for (const auto& append : batch) {
            for (const auto& record : append.records) {
                if (writer_.insert(seq + 1, append.time_ms, record)) ++seq;
            }
        }
        transaction.commit();
    } catch (const DatabaseError& error) {
        return ended_by(error);
    }
    last_seq_ = seq;
    return {};
}

// The log is moved here because SQLite's own checkpoint would hide an error of the disk.
Commit Committer::tidy_log() {
    if (database_.log_frames() < log_frames_max_) return {};
    try {
        database_.checkpoint();
    } catch (const DatabaseError& error) {
        if (error.is_busy()) return {};  // somebody else does it
        return ended_by(error);
    }
    return {};
}

Commit Committer::ended_by(const DatabaseError& error) {
    if (error.is_full()) return {Commit::Ended::no_room, error.what()};
    if (error.is_busy()) return {Commit::Ended::busy, error.what()};
    return {Commit::Ended::failed, error.what()};
}

}  // namespace referee::store
