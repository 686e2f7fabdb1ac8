#include "sample_bots/cpp/light_cycles/players.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace bots::light_cycles {

namespace {

namespace json = protocol::json;
namespace rules = engines::light_cycles;

constexpr std::int16_t nobody = -1;

int small(json::View view, int most) {
    return static_cast<int>(std::clamp<std::int64_t>(view.integer().value_or(0), 0, most));
}

using engines::light_cycles::nowhere;

// Chooses for one cycle of its team after the other.
class TeamPlayer : public Player {
 public:
    explicit TeamPlayer(const GameStart& start)
        : field_(start.params, start.state),
          team_(start.seat),
          random_(seed_of(start.game_id) + start.seat) {}

    std::string move(const Turn& turn) final {
        field_.update(turn.state);
        std::vector<Cell> chosen;
        const auto own = field_.cycles_per_team();
        for (std::size_t i = 0; i < own; ++i) {
            const auto cycle = team_ * own + i;
            const bool living = cycle < field_.cycles() && field_.living(cycle);
            chosen.push_back(living ? choose(cycle, chosen) : nowhere);
        }
        return move_text(chosen);
    }

 protected:
    const Field& field() const { return field_; }
    std::uint64_t draw() { return random_(); }

 private:
    // `decided`: where the cycles before it go.
    virtual Cell choose(std::size_t cycle, const std::vector<Cell>& decided) = 0;

    Field field_;
    std::size_t team_;
    std::mt19937_64 random_;
};

class DumbPlayer final : public TeamPlayer {
 public:
    using TeamPlayer::TeamPlayer;

 private:
    Cell choose(std::size_t cycle, const std::vector<Cell>& /*decided*/) override {
        const Cell at = field().position(cycle);
        const auto last = field().last_step(cycle);
        if (last != no_step && field().free(moved(at, last))) return moved(at, last);
        std::vector<Cell> legal;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (field().free(moved(at, step))) legal.push_back(moved(at, step));
        }
        return legal.empty() ? at : legal[draw() % legal.size()];
    }
};

// How far a look goes, from the mean budget: any machine of today does far more cells in that time.
constexpr std::int64_t cells_per_us = 8;
constexpr std::int64_t cells_min = 64;
constexpr std::int64_t cells_a_look_max = 1 << 20;

// What a step is worth beside the cells that the team then reaches first. Going to and fro beside
// its own trail keeps the way open to the cells that come free when other teams' trails vanish; a
// spiral would shut that way.
constexpr double trail_bonus = 5;
constexpr double wall_bonus = 1;
constexpr double straight_bonus = 0.1;
constexpr double contest_factor = 0.5;  // where another team may choose the same cell
// Chance decides between steps that are worth about the same, so that games of the same setup
// differ.
constexpr double whim_max = 2;

class SmarterPlayer final : public TeamPlayer {
 public:
    explicit SmarterPlayer(const GameStart& start) : TeamPlayer(start) {
        const auto looks =
            static_cast<std::int64_t>(field().cycles_per_team() * (steps.size() - 1));
        const auto cells =
            std::min(field().mean_budget_us(), cells_a_look_max) * cells_per_us / looks;
        cells_a_look_ = static_cast<std::size_t>(std::clamp(cells, cells_min, cells_a_look_max));
    }

 private:
    Cell choose(std::size_t cycle, const std::vector<Cell>& decided) override {
        const Cell at = field().position(cycle);
        Cell best = at;
        double best_worth = -1;
        for (std::size_t step = 0; step < steps.size(); ++step) {
            const Cell target = moved(at, step);
            const bool taken = std::find(decided.begin(), decided.end(), target) != decided.end();
            if (!field().free(target) || taken) continue;
            const double worth = worth_of(cycle, step, target, decided) + whim();
            if (worth <= best_worth) continue;
            best_worth = worth;
            best = target;
        }
        return best;
    }

    double whim() {
        return static_cast<double>(draw()) / static_cast<double>(std::mt19937_64::max()) * whim_max;
    }

    double worth_of(std::size_t cycle, std::size_t step, Cell target,
                    const std::vector<Cell>& decided) {
        const auto cells = territory_.measure(field(), cycle, target, decided, cells_a_look_);
        auto worth = static_cast<double>(cells);
        if (rival_beside(cycle, target)) worth *= contest_factor;
        for (std::size_t beside = 0; beside < steps.size(); ++beside) {
            const Cell cell = moved(target, beside);
            if (!field().free(cell)) worth += wall_bonus;
            if (field().on_trail(cell, cycle)) worth += trail_bonus;
        }
        if (field().last_step(cycle) == step) worth += straight_bonus;
        return worth;
    }

    // Whether a cycle of another team could go to the cell in this turn.
    bool rival_beside(std::size_t cycle, Cell target) const {
        for (std::size_t i = 0; i < field().cycles(); ++i) {
            if (field().team_of(i) == field().team_of(cycle) || !field().living(i)) continue;
            const Cell at = field().position(i);
            if (std::abs(at.x - target.x) + std::abs(at.y - target.y) == 1) return true;
        }
        return false;
    }

    std::size_t cells_a_look_;
    Territory territory_;
};

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

std::unique_ptr<Player> make_dumb(const GameStart& start) {
    return std::make_unique<DumbPlayer>(start);
}

std::unique_ptr<Player> make_smarter(const GameStart& start) {
    return std::make_unique<SmarterPlayer>(start);
}

}  // namespace bots::light_cycles
