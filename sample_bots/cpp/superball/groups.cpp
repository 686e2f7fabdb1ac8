#include "sample_bots/cpp/superball/groups.h"

#include <algorithm>

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

}  // namespace bots::superball
