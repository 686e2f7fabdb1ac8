#include "sample_bots/cpp/walls/minimax.h"

#include <algorithm>

#include "protocol/base/split_mix.h"

namespace bots::walls {
namespace {

namespace rules = engines::walls;
using rules::Move;
using rules::Position;

constexpr int win_points = 30000;
constexpr int brick_points = 100;  // of an estimate: a brick laid, or one nearer than the other's
constexpr int reach_points = 5;    // a square within reach at all
constexpr int idle_points = 2;
constexpr int estimate_max = 20000;  // stays below what is proven
constexpr std::size_t table_entries = 1U << 17U;
constexpr std::uint64_t nodes_between_clock_reads = 128;
constexpr int unreachable = -1;
constexpr int facings = 4;

int sign(int value) {
    return (value > 0) - (value < 0);
}

int other(int player) {
    return 1 - player;
}

std::size_t seat(int player) {
    return static_cast<std::size_t>(player);
}

}  // namespace

Minimax::Minimax(int depth_max) : table_(table_entries), depth_max_(depth_max) {}

Move Minimax::choose(Position position, std::chrono::steady_clock::time_point deadline) {
    deadline_ = deadline;
    nodes_ = 0;
    stopped_ = false;
    proven_ = false;
    prepare(position);
    Move best = Move::forward;
    for (depth_ = 1; depth_ <= depth_max_; ++depth_) {
        Entry entry;
        entry.best = best;
        const auto value = search_moves(position, depth_, -win_points, win_points, entry);
        if (stopped_) break;
        proven_ = value.proven;
        // All is lost: what looked best before is the best hope.
        if (proven_ && value.points == -win_points) break;
        best = entry.best;
        if (proven_) break;
    }
    return best;
}

Minimax::Value Minimax::search(Position& position, int depth, int alpha, int beta) {
    if (out_of_time()) return {};
    const auto estimated = estimate(position);
    if (estimated.proven || depth == 0) return estimated;
    const auto key = key_of(position);
    auto& slot = table_[key % table_.size()];
    Entry entry;
    if (slot.bound != Bound::none && slot.key == key) {
        entry.best = slot.best;
        const bool deep_enough = slot.proven || slot.depth >= depth;
        const bool cuts = slot.bound == Bound::exact ||
                          (slot.bound == Bound::at_least && slot.points >= beta) ||
                          (slot.bound == Bound::at_most && slot.points <= alpha);
        if (deep_enough && cuts) return {slot.points, slot.proven};
    }
    const auto value = search_moves(position, depth, alpha, beta, entry);
    if (stopped_) return {};
    entry.key = key;
    entry.depth = static_cast<std::int16_t>(depth);
    entry.points = static_cast<std::int16_t>(value.points);
    entry.proven = value.proven;
    slot = entry;
    return value;
}

// `entry.best` is tried first, and becomes the best move; `entry.bound` says what the value is.
Minimax::Value Minimax::search_moves(Position& position, int depth, int alpha, int beta,
                                     Entry& entry) {
    const int player = position.to_move();
    auto moves = rules::all_moves;
    if (const auto first = std::find(moves.begin(), moves.end(), entry.best);
        first != moves.end()) {
        std::rotate(moves.begin(), first, first + 1);
    }
    Value best{-win_points - 1, false};
    bool all_proven = true;
    entry.bound = Bound::at_most;
    for (const Move move : moves) {
        const auto played = position.play(move);
        const auto brick =
            brick_keys_[position.index(played.before.at) * rules::players + seat(player)];
        if (played.new_brick) bricks_key_ ^= brick;
        Value value;
        if (position.over()) {
            const int lead = position.pawn(player).bricks - position.pawn(other(player)).bricks;
            value = {sign(lead) * win_points, true};
        } else if (position.to_move() == player) {
            value = search(position, depth - 1, alpha, beta);
        } else {
            value = search(position, depth - 1, -beta, -alpha);
            value.points = -value.points;
        }
        if (played.new_brick) bricks_key_ ^= brick;
        position.undo(played);
        if (stopped_) return {};
        all_proven = all_proven && value.proven;
        if (value.points > best.points) {
            best = value;
            entry.best = move;
        }
        if (value.points > alpha) {
            alpha = value.points;
            entry.bound = Bound::exact;
        }
        if (alpha >= beta) {
            entry.bound = Bound::at_least;
            return best;
        }
    }
    best.proven = all_proven;
    return best;
}

// Bricks in hand, squares nearer to one than to the other, and squares in reach. Nobody can lay
// more bricks than there are unmarked squares in reach, and that number only falls: so some
// positions are proven long before their end.
Minimax::Value Minimax::estimate(const Position& position) {
    const int player = position.to_move();
    for (int i = 0; i < rules::players; ++i) measure_distances(position, i);
    const auto& own = distances_[seat(player)];
    const auto& others = distances_[seat(other(player))];
    int own_reach = 0;
    int other_reach = 0;
    int nearer = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (position.board()[i] != rules::unmarked) continue;
        own_reach += own[i] != unreachable;
        other_reach += others[i] != unreachable;
        if (own[i] != unreachable && (others[i] == unreachable || own[i] <= others[i])) {
            ++nearer;
        } else if (others[i] != unreachable) {
            --nearer;
        }
    }
    const auto& self = position.pawn(player);
    const auto& rival = position.pawn(other(player));
    const int lead = self.bricks - rival.bricks;
    if (lead > other_reach) return {win_points, true};
    if (-lead > own_reach) return {-win_points, true};
    if (lead == 0 && own_reach == 0 && other_reach == 0) return {0, true};
    const int points = brick_points * (lead + nearer) + reach_points * (own_reach - other_reach) +
                       idle_points * (rival.idle - self.idle);
    return {std::clamp(points, -estimate_max, estimate_max), false};
}

// Steps from the player to each square, turns not counted; unreachable for a stalled player.
void Minimax::measure_distances(const Position& position, int player) {
    auto& distances = distances_[seat(player)];
    distances.assign(static_cast<std::size_t>(position.squares()), unreachable);
    const auto& pawn = position.pawn(player);
    queue_.clear();
    const auto reach = [&](rules::Square at, int distance) {
        auto& known = distances[position.index(at)];
        if (known != unreachable) return;
        known = distance;
        queue_.push_back(at);
    };
    if (!pawn.stalled) reach(pawn.at, 0);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const auto from = queue_[i];
        const int distance = distances[position.index(from)];
        for (int facing = 0; facing < facings; ++facing) {
            const auto next = rules::ahead_of(from, static_cast<rules::Facing>(facing));
            if (position.can_enter(player, next)) reach(next, distance + 1);
        }
    }
}

bool Minimax::out_of_time() {
    if (++nodes_ % nodes_between_clock_reads == 0) {
        stopped_ = stopped_ || std::chrono::steady_clock::now() >= deadline_;
    }
    return stopped_;
}

std::uint64_t Minimax::key_of(const Position& position) const {
    constexpr unsigned square_bits = 14;
    constexpr unsigned facing_bits = 2;
    constexpr unsigned idle_bits = 4;
    std::uint64_t packed = static_cast<std::uint64_t>(position.to_move());
    for (int i = 0; i < rules::players; ++i) {
        const auto& pawn = position.pawn(i);
        packed = (packed << square_bits) | position.index(pawn.at);
        packed = (packed << facing_bits) | static_cast<std::uint64_t>(pawn.facing);
        packed = (packed << idle_bits) | static_cast<std::uint64_t>(pawn.idle);
    }
    return bricks_key_ ^ base::SplitMix(packed).next();
}

void Minimax::prepare(const Position& position) {
    const auto squares = static_cast<std::size_t>(position.squares());
    base::SplitMix random(base::SplitMix::stride + squares);
    brick_keys_.resize(squares * rules::players);
    for (auto& key : brick_keys_) key = random.next();
    bricks_key_ = 0;
    for (int row = 0; row < position.size(); ++row) {
        for (int column = 0; column < position.size(); ++column) {
            const auto index = position.index({row, column});
            const auto letter = rules::brick_letters.find(position.square({row, column}));
            if (letter == std::string_view::npos) continue;
            bricks_key_ ^= brick_keys_[index * rules::players + letter];
        }
    }
}

}  // namespace bots::walls
