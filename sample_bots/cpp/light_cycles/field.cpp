#include "sample_bots/cpp/light_cycles/players.h"

#include <algorithm>
#include <optional>

namespace bots::light_cycles {
namespace {

namespace json = protocol::json;
namespace rules = engines::light_cycles;

constexpr std::int16_t nobody = -1;

int small(json::View view, int most) {
    return static_cast<int>(std::clamp<std::int64_t>(view.integer().value_or(0), 0, most));
}

}  // namespace

Field::Field(json::View params, json::View state)
    : width_(small(params.find("width"), rules::side_max)),
      height_(small(params.find("height"), rules::side_max)),
      mean_budget_us_(params.find("mean_budget_us").integer().value_or(0)) {
    cycles_per_team_ = static_cast<std::size_t>(
        std::max(1, small(params.find("cycles_per_team"), rules::cycles_per_team_max)));
    blocked_.assign(stride() * (static_cast<std::size_t>(height_) + 2), 1);
    for (int y = 0; y < height_; ++y) {
        const auto row = blocked_.begin() + static_cast<std::ptrdiff_t>(index({0, y}));
        std::fill(row, row + width_, std::uint8_t{0});
    }
    owner_.assign(blocked_.size(), nobody);
    trails_.resize(state.find("cycles").size());
    update(state);
}

void Field::update(json::View state) {
    std::size_t next = 0;
    for (const auto entry : state.find("cycles").elements()) {
        if (next == trails_.size()) return;
        const auto cycle = static_cast<std::int16_t>(next);
        auto& trail = trails_[next++];
        const Cell at{static_cast<int>(entry.at(0).integer().value_or(-1)),
                      static_cast<int>(entry.at(1).integer().value_or(-1))};
        if (at.x < 0 || at.y < 0 || at.x >= width_ || at.y >= height_) {
            for (const auto& cell : trail) {
                blocked_[index(cell)] = 0;
                owner_[index(cell)] = nobody;
            }
            trail.clear();
        } else if (trail.empty() || trail.back() != at) {
            trail.push_back(at);
            blocked_[index(at)] = 1;
            owner_[index(at)] = cycle;
        }
    }
}

std::size_t Field::last_step(std::size_t cycle) const {
    const auto& trail = trails_[cycle];
    if (trail.size() < 2) return no_step;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (moved(trail[trail.size() - 2], step) == trail.back()) return step;
    }
    return no_step;
}

// FNV-1a.
std::uint64_t chance_of(std::string_view game_id, std::size_t seat) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char c : game_id) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    return hash + seat;
}

std::string move_text(const std::vector<Cell>& cells) {
    std::string text;
    json::Writer writer(text);
    writer.begin_array();
    for (const auto& cell : cells) {
        writer.begin_array().integer(cell.x).integer(cell.y).end_array();
    }
    writer.end_array();
    return text;
}

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
