#include "referee/store/replay_bound.h"

#include <algorithm>
#include <vector>

#include "referee/limits.h"

namespace referee::store {
namespace {

// CROSS JOIN keeps the order: SQLite walks over the replays and looks the others up.
constexpr std::string_view oldest =
    "SELECT r.seq, length(r.zlib) FROM replays r CROSS JOIN games g ON g.seq = r.seq CROSS JOIN "
    "tournaments t ON t.tournament = g.tournament WHERE r.seq > ? AND r.bytes > 0 AND "
    "(json_valid(t.config) AND json_extract(t.config, '$.format.kind') IS 'ladder') = ? ORDER BY "
    "r.seq";

}  // namespace

DroppedReplays ReplayBound::keep() {
    DroppedReplays dropped;
    count_new();
    if (state_.bytes <= bytes_max_) return dropped;
    auto state = state_;
    Transaction transaction(database_);
    dropped.of_ladders = drop(state, true, limits::store_batch_records_max);
    dropped.of_others = drop(state, false, limits::store_batch_records_max - dropped.of_ladders);
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
