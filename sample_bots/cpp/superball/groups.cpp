#include "sample_bots/cpp/superball/groups.h"

#include <algorithm>
#include <array>

namespace bots::superball {

std::vector<int> distances_to_goal(const Board& board) {
    std::vector<int> distances(static_cast<std::size_t>(board.size()), board.rows() + board.cols());
    std::vector<int> reached;
    reached.reserve(distances.size());
    for (int cell = 0; cell < board.size(); ++cell) {
        if (!board.is_goal(cell)) continue;
        distances[static_cast<std::size_t>(cell)] = 0;
        reached.push_back(cell);
    }
    for (std::size_t next = 0; next < reached.size(); ++next) {
        const int beyond = distances[static_cast<std::size_t>(reached[next])] + 1;
        for (const int neighbour : Neighbours(board, reached[next])) {
            auto& distance = distances[static_cast<std::size_t>(neighbour)];
            if (distance <= beyond) continue;
            distance = beyond;
            reached.push_back(neighbour);
        }
    }
    return distances;
}

Grouping::Grouping(const Board& board) : Grouping(board, distances_to_goal(board)) {}

Grouping::Grouping(const Board& board, const std::vector<int>& distances)
    : labels_(static_cast<std::size_t>(board.size()), -1) {
    std::vector<int> reached;
    reached.reserve(labels_.size());
    groups_.reserve(labels_.size());
    for (int first = 0; first < board.size(); ++first) {
        if (board.is_empty(first) || group_of(first) >= 0) continue;
        const int label = static_cast<int>(groups_.size());
        Group group{board.at(first), 0, -1, board.rows() + board.cols()};
        reached.assign(1, first);
        labels_[static_cast<std::size_t>(first)] = label;
        for (std::size_t next = 0; next < reached.size(); ++next) {
            const int cell = reached[next];
            group.goal_distance =
                std::min(group.goal_distance, distances[static_cast<std::size_t>(cell)]);
            if (board.is_goal(cell) && (group.goal_cell < 0 || cell < group.goal_cell)) {
                group.goal_cell = cell;
            }
            for (const int neighbour : Neighbours(board, cell)) {
                if (board.at(neighbour) != group.color || group_of(neighbour) >= 0) continue;
                labels_[static_cast<std::size_t>(neighbour)] = label;
                reached.push_back(neighbour);
            }
        }
        group.size = static_cast<int>(reached.size());
        groups_.push_back(group);
    }
}

namespace {

using engines::superball::no_piece;

constexpr std::size_t kept_per_color_pair = 16;  // pieces of one colour that want to be another
constexpr std::size_t tried_max = 60;            // swaps that are tried out

// A piece, and what the board gains by its turning into another colour.
struct Change {
    int cell = 0;
    double gain = 0;
};

struct Candidate {
    int first = 0;
    int second = 0;
    double gain = 0;
};

double rated(const Grouping& grouping, const GroupRating& rating) {
    double sum = 0;
    for (const auto& group : grouping.groups()) sum += rating(group);
    return sum;
}

// Weighs swaps by the sum of their two halves: exact where the halves don't touch the same groups.
class SwapWeigher {
 public:
    SwapWeigher(const Board& board, const GroupRating& rating)
        : board_(board),
          rating_(rating),
          distances_(distances_to_goal(board)),
          grouping_(board, distances_) {}

    double rate(const Board& other) const { return rated(Grouping(other, distances_), rating_); }

    std::vector<Candidate> best_candidates() {
        collect_changes();
        std::vector<Candidate> candidates;
        for (int a = 0; a < board_.colors(); ++a) {
            for (int b = a + 1; b < board_.colors(); ++b) {
                for (const auto& first : changes(a, b)) {
                    for (const auto& second : changes(b, a)) {
                        candidates.push_back({first.cell, second.cell, first.gain + second.gain});
                    }
                }
            }
        }
        keep_best(candidates, tried_max);
        return candidates;
    }

 private:
    template <typename Item>
    static void keep_best(std::vector<Item>& items, std::size_t count) {
        const auto better = [](const Item& a, const Item& b) { return a.gain > b.gain; };
        if (items.size() > count) {
            std::nth_element(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(count),
                             items.end(), better);
            items.resize(count);
        }
        std::stable_sort(items.begin(), items.end(), better);
    }

    std::vector<Change>& changes(int from, int to) {
        return changes_[static_cast<std::size_t>(from * board_.colors() + to)];
    }

    void collect_changes() {
        changes_.resize(static_cast<std::size_t>(board_.colors() * board_.colors()));
        for (int cell = 0; cell < board_.size(); ++cell) {
            const Color own = board_.at(cell);
            if (own == no_piece) continue;
            const double loss = loss_without(cell);
            for (int other = 0; other < board_.colors(); ++other) {
                const auto color = static_cast<Color>(other);
                if (color == own) continue;
                changes(own, color).push_back({cell, gain_with(cell, color) - loss});
            }
        }
        for (auto& list : changes_) keep_best(list, kept_per_color_pair);
    }

    // What its group loses with this piece; that it may fall apart is not looked at.
    double loss_without(int cell) const {
        Group group = grouping_.groups()[static_cast<std::size_t>(grouping_.group_of(cell))];
        const double before = rating_(group);
        group.size -= 1;
        return before - (group.size > 0 ? rating_(group) : 0);
    }

    // What a piece of that colour in this place brings, by joining the groups around it.
    double gain_with(int cell, Color color) const {
        Group joined{color, 1, board_.is_goal(cell) ? cell : -1,
                     distances_[static_cast<std::size_t>(cell)]};
        double before = 0;
        std::array<int, 4> seen{};
        std::size_t seen_count = 0;
        for (const int neighbour : Neighbours(board_, cell)) {
            if (board_.at(neighbour) != color) continue;
            const int label = grouping_.group_of(neighbour);
            if (std::find(seen.begin(), seen.begin() + seen_count, label) !=
                seen.begin() + seen_count)
                continue;
            seen[seen_count++] = label;
            const auto& group = grouping_.groups()[static_cast<std::size_t>(label)];
            before += rating_(group);
            joined.size += group.size;
            joined.goal_distance = std::min(joined.goal_distance, group.goal_distance);
            if (joined.goal_cell < 0) joined.goal_cell = group.goal_cell;
        }
        return rating_(joined) - before;
    }

    const Board& board_;
    const GroupRating& rating_;
    std::vector<int> distances_;
    Grouping grouping_;
    std::vector<std::vector<Change>> changes_;  // by colour from, colour to
};

}  // namespace

double rate(const Board& board, const GroupRating& rating) {
    return rated(Grouping(board), rating);
}

std::optional<engines::superball::Swap> best_swap(const Board& board, const GroupRating& rating) {
    std::optional<engines::superball::Swap> best;
    double best_rating = 0;
    Board tried = board;
    SwapWeigher weigher(board, rating);
    for (const auto& candidate : weigher.best_candidates()) {
        tried.swap(candidate.first, candidate.second);
        const double now = weigher.rate(tried);
        tried.swap(candidate.first, candidate.second);
        if (best && now <= best_rating) continue;
        best = engines::superball::Swap{board.cell(candidate.first), board.cell(candidate.second)};
        best_rating = now;
    }
    return best;
}

}  // namespace bots::superball
