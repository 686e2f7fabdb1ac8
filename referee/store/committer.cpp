#include "referee/store/committer.h"

#include <algorithm>

namespace referee::store {
namespace {

// CROSS JOIN keeps the order: SQLite walks over the replays and looks the others up.
constexpr std::string_view oldest =
    "SELECT r.seq, length(r.zlib) FROM replays r CROSS JOIN games g ON g.seq = r.seq CROSS JOIN "
    "tournaments t ON t.tournament = g.tournament WHERE r.seq > ? AND r.bytes > 0 AND "
    "(json_valid(t.config) AND json_extract(t.config, '$.format.kind') IS 'ladder') = ? ORDER BY "
    "r.seq";

}  // namespace

Committer::Committer(Database& database, std::optional<HeadFile> head, int log_frames_max,
                     std::uint64_t replay_bytes_max)
    : database_(database),
      head_(std::move(head)),
      log_frames_max_(log_frames_max),
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
                tip = chain_.append(tip, tip.seq + 1, append.time_ms, record).value_or(tip);
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

DroppedReplays ReplayBound::keep() {
    DroppedReplays dropped;
    count_new();
    if (state_.bytes <= bytes_max_) return dropped;
    auto state = state_;
    Transaction transaction(database_);
    dropped.of_ladders = drop(state, true, store_batch_records_max);
    dropped.of_others = drop(state, false, store_batch_records_max - dropped.of_ladders);
    transaction.commit();
    state_ = state;
    return dropped;
}

void ReplayBound::count_new() {
    Statement sizes(database_,
                    "SELECT coalesce(sum(length(zlib)), 0), coalesce(max(seq), 0) FROM replays"
                    " WHERE seq > ? AND bytes > 0");
    sizes.bind(state_.counted);
    sizes.step();
    state_.bytes += static_cast<std::uint64_t>(sizes.integer(0));
    state_.counted = std::max(state_.counted, static_cast<std::uint64_t>(sizes.integer(1)));
}

std::uint64_t ReplayBound::drop(State& state, bool of_ladders, std::uint64_t most) {
    auto& from = of_ladders ? state.ladders_from : state.others_from;
    std::vector<std::uint64_t> found;
    if (state.bytes <= bytes_max_ || most == 0) return 0;
    Statement rows(database_, oldest);
    rows.bind(from, of_ladders ? 1 : 0);
    while (state.bytes > bytes_max_ && found.size() < most) {
        const bool is_one = rows.step();
        from = is_one ? static_cast<std::uint64_t>(rows.integer(0)) : state.counted;
        if (!is_one) break;
        found.push_back(from);
        state.bytes -= std::min(state.bytes, static_cast<std::uint64_t>(rows.integer(1)));
    }
    rows.reset();
    // A row that is only written over keeps its part of a page for ever, so it is deleted first.
    Statement take(database_, "DELETE FROM replays WHERE seq = ?");
    for (const auto seq : found) take.run(seq);
    Statement put(database_,
                  "INSERT INTO replays SELECT seq, 0, x'', replay FROM chain WHERE seq = ?");
    for (const auto seq : found) put.run(seq);
    return found.size();
}

}  // namespace referee::store
