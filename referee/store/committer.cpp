#include "referee/store/committer.h"

namespace referee::store {

Committer::Committer(Database& database, std::optional<HeadFile> head, int log_frames_max,
                     std::uint64_t replay_bytes_max)
    : database_(database),
      head_(std::move(head)),
      log_frames_max_(log_frames_max),
      writer_(database),
      chain_(database),
      tip_(tip_of(database)),
      replays_(database, replay_bytes_max) {}

std::size_t replay_bytes(const Append& append) {
    std::size_t bytes = 0;
    for (const auto& record : append.records) {
        if (const auto* game = std::get_if<records::GameRecord>(&record))
            bytes += game->replay.size();
    }
    return bytes;
}

Commit Committer::commit(std::span<const Append> batch) {
    auto tip = tip_;
    try {
        Transaction transaction(database_);
        for (const auto& append : batch) {
            for (const auto& record : append.records) {
                if (writer_.insert(tip.seq + 1, append.time_ms, record))
                    tip = chain_.append(tip, tip.seq + 1, append.time_ms, record);
            }
        }
        transaction.commit();
    } catch (const DatabaseError& error) {
        return ended_by(error);
    }
    tip_ = tip;
    if (head_) {
        if (const auto written = head_->write(tip_); !written)
            return {Commit::Ended::failed, written.error()};
    }
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

Commit Committer::drop_replays(DroppedReplays& dropped) {
    try {
        dropped = replays_.keep();
    } catch (const DatabaseError& error) {
        if (!error.is_busy() && !error.is_full()) return ended_by(error);
    }
    return {};
}

Commit Committer::ended_by(const DatabaseError& error) {
    if (error.is_full()) return {Commit::Ended::no_room, error.what()};
    if (error.is_busy()) return {Commit::Ended::busy, error.what()};
    return {Commit::Ended::failed, error.what()};
}

}  // namespace referee::store
