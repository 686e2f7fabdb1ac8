#include "sample_bots/cpp/walls/players.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>
#include <vector>

#include "protocol/base/split_mix.h"

namespace bots::walls {
namespace {

namespace json = protocol::json;
namespace rules = engines::walls;

std::optional<int> small(json::View view, int below) {
    const auto value = view.integer();
    if (!value || *value < 0 || *value >= below) return {};
    return static_cast<int>(*value);
}

std::optional<rules::Pawn> read_pawn(json::View view, int size) {
    const auto row = small(view.find("at").at(0), size);
    const auto column = small(view.find("at").at(1), size);
    const auto idle = small(view.find("idle"), rules::idle_max + 1);
    const auto letter = view.find("facing").text();
    const auto facing = letter.size() == 1 ? rules::facing_letters.find(letter) : std::string::npos;
    if (!row || !column || !idle || facing == std::string::npos) return {};
    rules::Pawn pawn;
    pawn.at = {*row, *column};
    pawn.facing = static_cast<rules::Facing>(facing);
    pawn.idle = *idle;
    pawn.stalled = *idle == rules::idle_max;
    return pawn;
}

using rules::Facing;
using rules::Move;

constexpr std::size_t facings_of_a_square = 4;

// Where a player can be, and by which first move it gets there soonest.
struct Place {
    rules::Square at;
    Facing facing;
    Move first;
};

class Reach {
 public:
    explicit Reach(const rules::Position& position)
        : position_(position),
          player_(position.to_move()),
          seen_(static_cast<std::size_t>(position.squares()) * facings_of_a_square) {}

    Move to_next_brick() {
        const auto& pawn = position_.pawn(player_);
        if (lays_brick(pawn.at, pawn.facing)) return Move::forward;
        mark({pawn.at, pawn.facing, Move::none});
        for (const Move move : rules::all_moves) expand(queue_.front(), move, move);
        for (std::size_t i = 1; i < queue_.size(); ++i) {
            const Place place = queue_[i];
            if (lays_brick(place.at, place.facing)) return place.first;
            for (const Move move : rules::all_moves) expand(place, move, place.first);
        }
        return Move::left;
    }

 private:
    bool lays_brick(rules::Square at, Facing facing) const {
        return position_.square(at) == rules::unmarked &&
               position_.can_enter(player_, rules::ahead_of(at, facing));
    }

    void mark(const Place& place) {
        auto seen = seen_[position_.index(place.at) * facings_of_a_square +
                          static_cast<std::size_t>(place.facing)];
        if (seen) return;
        seen = true;
        queue_.push_back(place);
    }

    void expand(const Place from, Move move, Move first) {
        if (move != Move::forward) {
            mark({from.at, rules::turned(from.facing, move), first});
            return;
        }
        const auto ahead = rules::ahead_of(from.at, from.facing);
        if (position_.can_enter(player_, ahead)) mark({ahead, from.facing, first});
    }

    const rules::Position& position_;
    int player_;
    std::vector<bool> seen_;
    std::vector<Place> queue_;
};

class RandomPlayer final : public Player {
 public:
    explicit RandomPlayer(std::uint64_t seed) : random_(seed) {}
    std::string move(const Turn&) override {
        return text_of(engines::walls::all_moves[random_() % engines::walls::all_moves.size()]);
    }

 private:
    std::mt19937_64 random_;
};

class GreedyPlayer final : public Player {
 public:
    std::string move(const Turn& turn) override {
        const auto position = read_position(turn.state);
        return text_of(position ? greedy_move(*position) : Move::left);
    }
};

class MinimaxPlayer final : public Player {
 public:
    std::string move(const Turn& turn) override {
        // The rest is for the way there and back, and for a busy machine.
        constexpr int thinking_percent = 40;
        const auto deadline = std::chrono::steady_clock::now() +
                              std::chrono::microseconds(turn.budget_us * thinking_percent / 100);
        const auto position = read_position(turn.state);
        if (!position) return text_of(Move::left);
        return text_of(search_.choose(*position, deadline));
    }

 private:
    Minimax search_;
};

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

std::optional<rules::Position> read_position(json::View state) {
    const auto size = small(state.find("size"), rules::size_max + 1);
    const auto to_move = small(state.find("to_move"), rules::players);
    if (!size || !to_move) return {};
    std::string squares;
    for (const auto row : state.find("board").elements()) squares += row.text();
    const auto a = read_pawn(state.find("players").at(0), *size);
    const auto b = read_pawn(state.find("players").at(1), *size);
    if (!a || !b || squares.size() != static_cast<std::size_t>(*size * *size)) return {};
    return rules::Position(*size, std::move(squares), {*a, *b}, *to_move);
}

std::string text_of(engines::walls::Move move) {
    switch (move) {
        case engines::walls::Move::left:
            return "\"L\"";
        case engines::walls::Move::right:
            return "\"R\"";
        default:
            return "\"F\"";
    }
}

Move greedy_move(const rules::Position& position) {
    return Reach(position).to_next_brick();
}

std::unique_ptr<Player> make_random(const GameStart& start) {
    return std::make_unique<RandomPlayer>(seed_of(start.game_id) + start.seat);
}

std::unique_ptr<Player> make_greedy(const GameStart&) {
    return std::make_unique<GreedyPlayer>();
}

std::unique_ptr<Player> make_minimax(const GameStart&) {
    return std::make_unique<MinimaxPlayer>();
}

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
