#include "sample_bots/cpp/snake_labyrinth/exact.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sample_bots/cpp/snake_labyrinth/bound.h"

namespace bots::snake_labyrinth {
namespace {

namespace rules_of = engines::snake_labyrinth;
namespace cell = rules_of::cell;

// A whole position, apart from the steps made.
struct State {
    Square head = 0;
    std::int64_t drill = 0;
    std::int64_t coins = 0;
    std::vector<Square> body;    // from behind the head to the tail
    std::vector<Square> opened;  // squares whose object or wall is gone, ascending
};

constexpr std::size_t bytes_a_square = 2;  // the largest board has 65,536
constexpr unsigned bits_a_byte = 8;

void put(std::string& key, std::uint64_t value) {
    for (std::size_t i = 0; i < bytes_a_square; ++i)
        key += static_cast<char>(value >> (i * bits_a_byte));
}

std::uint64_t take(std::string_view& key) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes_a_square; ++i) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(key[i]))
                 << (i * bits_a_byte);
    }
    key.remove_prefix(bytes_a_square);
    return value;
}

// One text for each position, and back.
std::string pack(const State& state) {
    std::string key;
    put(key, state.head);
    put(key, static_cast<std::uint64_t>(state.drill));
    put(key, static_cast<std::uint64_t>(state.coins));
    put(key, state.body.size());
    for (const auto square : state.body) put(key, square);
    for (const auto square : state.opened) put(key, square);
    return key;
}

State unpack(std::string_view key) {
    State state;
    state.head = static_cast<Square>(take(key));
    state.drill = static_cast<std::int64_t>(take(key));
    state.coins = static_cast<std::int64_t>(take(key));
    for (auto left = take(key); left > 0; --left)
        state.body.push_back(static_cast<Square>(take(key)));
    while (!key.empty()) state.opened.push_back(static_cast<Square>(take(key)));
    return state;
}

class Search {
 public:
    Search(const Position& from, const Grid& grid, const Route& known, std::size_t positions_max)
        : from_(from),
          grid_(grid),
          bound_(from.walk, grid),
          best_(known),
          positions_max_(positions_max) {}

    std::optional<Route> run() {
        const auto& walk = from_.walk;
        add({walk.head(), walk.drill_uses(), walk.coins(), walk.body(), {}}, walk.steps(), 0,
            cell::start);
        while (!open_.empty()) {
            // The most promising first, and among equals the one reached last.
            auto& [promise, entries] = *open_.begin();
            if (entries.empty()) {
                open_.erase(open_.begin());
                continue;
            }
            const auto entry = entries.back();
            entries.pop_back();
            if (!can_beat(-promise, entry.steps) || entry.steps != nodes_[entry.node].steps)
                continue;
            if (nodes_.size() > positions_max_) return std::nullopt;
            expand(entry.node);
        }
        return best_;
    }

 private:
    struct Node {
        const std::string* key;
        std::int64_t steps;
        std::size_t before;
        char letter;
    };
    struct Entry {
        std::size_t node;
        std::int64_t steps;  // out of date where the node's are fewer now
    };

    // With equal scores fewer steps win; the bound says nothing of those, so equals are looked at.
    bool can_beat(std::int64_t promise, std::int64_t steps) const {
        if (!best_.is_out) return true;
        if (promise != best_.score) return promise > best_.score;
        return steps < best_.steps;
    }

    void add(const State& state, std::int64_t steps, std::size_t before, char letter) {
        const auto to_exit = bound_.steps_to_exit(state.head);
        if (to_exit == Bound::unreachable || steps + to_exit > from_.steps_max) return;
        const auto gain = bound_.gain(state.head, state.opened);
        const auto promise =
            rules_of::points_at_start + rules_of::points_a_coin * state.coins - steps + gain;
        if (!can_beat(promise, steps)) return;
        const auto [at, is_new] = known_.try_emplace(pack(state), nodes_.size());
        if (is_new) {
            nodes_.push_back({&at->first, steps, before, letter});
        } else {
            auto& node = nodes_[at->second];
            if (node.steps <= steps) return;
            node.steps = steps;
            node.before = before;
            node.letter = letter;
        }
        open_[-promise].push_back({at->second, steps});
    }

    void expand(std::size_t index) {
        const auto state = unpack(*nodes_[index].key);
        const auto steps = nodes_[index].steps + 1;
        for (const auto direction : rules_of::all_directions) {
            const auto square = grid_.around(state.head)[static_cast<std::size_t>(direction)];
            if (square == no_square) continue;
            const char object = object_on(state, square);
            if (object == cell::wall && state.drill == 0) continue;
            if (object == cell::exit) {
                reach_exit(index, state, steps, rules_of::letter_of(direction));
            } else {
                add(moved(state, square, object), steps, index, rules_of::letter_of(direction));
            }
        }
    }

    char object_on(const State& state, Square square) const {
        const char object = from_.walk.cells()[square];
        if (object == cell::empty) return object;
        const bool gone = std::binary_search(state.opened.begin(), state.opened.end(), square);
        return gone ? cell::empty : object;
    }

    State moved(const State& state, Square square, char object) const {
        State next = state;
        next.head = square;
        if (from_.walk.has_body()) {
            next.body.insert(next.body.begin(), state.head);
            if (object != cell::coin) next.body.pop_back();
        }
        switch (object) {
            case cell::coin:
                ++next.coins;
                break;
            case cell::mishap:
                next.coins /= 2;
                next.body.resize(next.body.size() / 2);
                break;
            case cell::drill:
                next.drill += rules_of::uses_a_drill;
                break;
            case cell::wall:
                --next.drill;
                break;
            default:
                break;
        }
        if (object != cell::empty) {
            next.opened.insert(std::upper_bound(next.opened.begin(), next.opened.end(), square),
                               square);
        }
        const auto met = std::find(next.body.begin(), next.body.end(), square);
        if (met != next.body.end()) {
            next.body.erase(met, next.body.end());
            next.coins = static_cast<std::int64_t>(next.body.size());
        }
        return next;
    }

    void reach_exit(std::size_t index, const State& state, std::int64_t steps, char letter) {
        if (steps > from_.steps_max) return;
        const auto score =
            rules_of::points_at_start + rules_of::points_a_coin * state.coins - steps;
        Route route{{}, true, score, steps};
        if (!route.is_better_than(best_)) return;
        route.letters += letter;
        for (auto node = index; nodes_[node].letter != cell::start; node = nodes_[node].before) {
            route.letters += nodes_[node].letter;
        }
        std::reverse(route.letters.begin(), route.letters.end());
        best_ = std::move(route);
    }

    const Position& from_;
    const Grid& grid_;
    Bound bound_;
    Route best_;
    const std::size_t positions_max_;
    std::unordered_map<std::string, std::size_t> known_;  // only looked up, never walked through
    std::vector<Node> nodes_;
    std::map<std::int64_t, std::vector<Entry>> open_;  // by promise, the largest first
};

}  // namespace

std::optional<Route> exact_search(const Position& from, const Grid& grid, const Route& known,
                                  std::size_t positions_max) {
    return Search(from, grid, known, positions_max).run();
}

}  // namespace bots::snake_labyrinth
