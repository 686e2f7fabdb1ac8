#include "sample_bots/cpp/light_cycles/territory.h"

#include <algorithm>

#include "engines/light_cycles/arena.h"

namespace bots::light_cycles {

using engines::light_cycles::nowhere;

void Territory::put(std::size_t index, Mark mark) {
    marks_[index] = mark;
    queue_.push_back(static_cast<std::uint32_t>(index));
}

// Other teams before the own one.
void Territory::put_those_to_move(const Field& field, std::size_t cycle, std::size_t decided) {
    const auto team = field.team_of(cycle);
    for (std::size_t i = 0; i < field.cycles(); ++i) {
        const bool rival = field.team_of(i) != team && field.living(i);
        if (rival) put(field.index(field.position(i)), others);
    }
    const auto first = team * field.cycles_per_team();
    for (std::size_t i = first + decided; i < first + field.cycles_per_team(); ++i) {
        if (i != cycle && field.living(i)) put(field.index(field.position(i)), own);
    }
}

// Breadth first. Within a step the others come before the team, because they do in the queue to
// begin with; so a cell that both reach at once is the others'.
void Territory::spread(std::size_t until) {
    for (; next_ < until && next_ < queue_.size(); ++next_) {
        const std::size_t from = queue_[next_];
        const auto mark = static_cast<Mark>(marks_[from]);
        for (const std::size_t to : {from - 1, from + 1, from - stride_, from + stride_}) {
            if (marks_[to] == free_cell) put(to, mark);
        }
    }
}

std::size_t Territory::measure(const Field& field, std::size_t cycle, Cell target,
                               const std::vector<Cell>& decided, std::size_t cells_max) {
    marks_ = field.blocked();
    stride_ = field.stride();
    queue_.clear();
    ahead_.clear();
    next_ = 0;
    put_those_to_move(field, cycle, decided.size());
    const auto to_move = queue_.size();
    // Those that have chosen are a step ahead; their cells are taken before anybody runs.
    const auto take = [&](Cell cell) {
        marks_[field.index(cell)] = own;
        ahead_.push_back(static_cast<std::uint32_t>(field.index(cell)));
    };
    for (const auto& cell : decided) {
        if (cell != nowhere && field.free(cell)) take(cell);
    }
    take(target);
    spread(to_move);
    queue_.insert(queue_.end(), ahead_.begin(), ahead_.end());
    spread(cells_max);
    return static_cast<std::size_t>(std::count_if(
        queue_.begin(), queue_.end(), [&](std::uint32_t index) { return marks_[index] == own; }));
}

}  // namespace bots::light_cycles
