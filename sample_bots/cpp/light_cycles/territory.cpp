#include "sample_bots/cpp/light_cycles/territory.h"

#include <algorithm>

namespace bots::light_cycles {

void Territory::put(std::size_t index, Mark mark) {
    marks_[index] = mark;
    queue_.push_back(static_cast<std::uint32_t>(index));
}

// Breadth first. Within a step the others come before the team, because they do in the queue to
// begin with; so a cell that both reach at once is the others'.
void Territory::spread(std::size_t until) {
    for (; next_ < until && next_ < queue_.size(); ++next_) {
        const std::size_t from = queue_[next_];
        const auto mark = static_cast<Mark>(marks_[from]);
        for (const std::size_t to : {from - 1, from + 1, from - stride_, from + stride_}) {
            if (marks_[to] == free_cell) {
                put(to, mark);
            } else if ((mark >= mates && marks_[to] == others) ||
                       (mark == others && marks_[to] >= mates)) {
                contested_ = true;
            }
        }
    }
}

Territory::Share Territory::measure(const Field& field, std::size_t cycle, Cell target,
                                    const std::vector<Cell>& decided, std::size_t cells_max) {
    const auto team = field.team_of(cycle);
    const auto first_own = team * field.cycles_per_team();
    marks_ = field.blocked();
    stride_ = field.stride();
    queue_.clear();
    next_ = 0;
    contested_ = false;
    for (std::size_t i = 0; i < field.cycles(); ++i) {
        if (field.team_of(i) != team && field.living(i))
            put(field.index(field.position(i)), others);
    }
    for (std::size_t i = first_own + decided.size(); i < first_own + field.cycles_per_team(); ++i) {
        if (i != cycle && field.living(i)) put(field.index(field.position(i)), mates);
    }
    // Those that have chosen are a step ahead; their cells are taken before anybody runs.
    const auto to_move = queue_.size();
    std::vector<std::uint32_t> ahead;
    for (std::size_t i = 0; i < decided.size(); ++i) {
        if (decided[i] == Cell{-1, -1} || !field.free(decided[i])) continue;
        marks_[field.index(decided[i])] = mates;
        ahead.push_back(static_cast<std::uint32_t>(field.index(decided[i])));
    }
    marks_[field.index(target)] = self;
    ahead.push_back(static_cast<std::uint32_t>(field.index(target)));
    spread(to_move);
    queue_.insert(queue_.end(), ahead.begin(), ahead.end());
    spread(cells_max);
    Share share;
    for (const auto index : queue_) {
        share.own += marks_[index] == self;
        share.team += marks_[index] >= mates;
    }
    share.contested = contested_;
    return share;
}

}  // namespace bots::light_cycles
