#include "engines/light_cycles/arena.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"

namespace engines::light_cycles {
namespace {

constexpr std::array<Cell, 12> starts_default = {{{169, 45},
                                                  {169, 85},
                                                  {169, 125},
                                                  {45, 169},
                                                  {85, 169},
                                                  {125, 169},
                                                  {0, 45},
                                                  {0, 85},
                                                  {0, 125},
                                                  {45, 0},
                                                  {85, 0},
                                                  {125, 0}}};

std::string pair_text(Cell cell) {
    return fmt::format("[{}, {}]", cell.x, cell.y);
}

std::optional<Cell> read_cell(json::View view, const Setup& setup) {
    if (!view.is_array() || view.size() != 2) return {};
    const auto x = view.at(0).integer();
    const auto y = view.at(1).integer();
    if (!x || !y || *x < 0 || *y < 0 || *x >= setup.width || *y >= setup.height) return {};
    return Cell{static_cast<int>(*x), static_cast<int>(*y)};
}

// Requires: the sizes are read, and right.
void read_starts(const json::Placed& list, Setup& setup) {
    const auto cells =
        fmt::format("a list of {} cells such as [169, 45], one for each cycle", setup.cycles());
    if (!list.view().is_array()) return list.expected(cells);
    if (list.size() != setup.cycles())
        return list.wrong(fmt::format("expected {}, found a list of {}", cells, list.size()));
    const auto width = static_cast<std::size_t>(setup.width);
    std::vector<bool> taken(width * static_cast<std::size_t>(setup.height));
    for (const auto element : list.elements()) {
        const auto cell = read_cell(element.view(), setup);
        if (!cell)
            return element.wrong(
                fmt::format("expected [x, y] with x from 0 to {} and y from 0 to {}",
                            setup.width - 1, setup.height - 1));
        auto seat =
            taken[static_cast<std::size_t>(cell->y) * width + static_cast<std::size_t>(cell->x)];
        if (seat) return element.wrong(pair_text(*cell) + " is the start of another cycle already");
        seat = true;
        setup.starts.push_back(*cell);
    }
}

void take_usual_starts(const json::Placed& starts, Setup& setup) {
    if (setup.width != width_default || setup.height != height_default ||
        setup.teams != teams_default || setup.cycles_per_team != cycles_per_team_default) {
        return starts.wrong(fmt::format(
            "must be given where width, height, teams or cycles_per_team are not the defaults "
            "(170, 170, 4 and 3): a list of {} cells such as [169, 45]",
            setup.cycles()));
    }
    setup.starts.assign(starts_default.begin(), starts_default.end());
}

// Cell k of the grid's edge, from the upper right corner down and around clockwise.
Cell edge_cell(int k, int width, int height) {
    const int right = height - 1;
    const int bottom = width - 1;
    if (k < right) return {width - 1, k};
    k -= right;
    if (k < bottom) return {width - 1 - k, height - 1};
    k -= bottom;
    if (k < right) return {0, height - 1 - k};
    return {k - right, 0};
}

constexpr std::uint8_t entered_right = 1;
constexpr std::uint8_t entered_down = 2;
constexpr std::uint8_t entered_left = 3;
constexpr std::uint8_t entered_up = 4;

// Stays at the largest number instead of running over it.
std::int64_t saturated_sum(std::int64_t a, std::int64_t b) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    return b > most - a ? most : a + b;
}

// By how much two coordinates differ, without running over.
std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return a < b ? static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)
                 : static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
}

bool is_termination(Verdict verdict) {
    return verdict != Verdict::moved && verdict != Verdict::ignored;
}

}  // namespace

base::Result<Setup, SetupError> read_setup(json::View params) {
    Setup setup;
    json::Mistakes mistakes;
    const json::Placed given(params, mistakes, "params");
    if (given) given.object(R"({"mean_budget_us": 50000})");
    json::Reader reader(given);
    reader.only(
        {"width", "height", "teams", "cycles_per_team", "mean_budget_us", "grace_turns", "starts"});
    reader.integer("width", setup.width, 1, side_max);
    reader.integer("height", setup.height, 1, side_max);
    reader.integer("teams", setup.teams, teams_min, teams_max);
    reader.integer("cycles_per_team", setup.cycles_per_team, 1, cycles_per_team_max);
    reader.integer("mean_budget_us", setup.mean_budget_us, 1);
    reader.integer("grace_turns", setup.grace_turns, 0);
    if (mistakes) return base::failure(refusal(mistakes));
    const auto starts = reader.optional("starts");
    starts ? read_starts(starts, setup) : take_usual_starts(starts, setup);
    if (mistakes) return base::failure(refusal(mistakes));
    return setup;
}

std::string setup_text(const Setup& setup) {
    return json::object_text([&](json::Writer& writer) {
        writer.member("width", setup.width).member("height", setup.height);
        writer.member("teams", setup.teams).member("cycles_per_team", setup.cycles_per_team);
        writer.member("mean_budget_us", setup.mean_budget_us)
            .member("grace_turns", setup.grace_turns);
        writer.key("starts").begin_array();
        for (const auto& cell : setup.starts) {
            writer.begin_array().integer(cell.x).integer(cell.y).end_array();
        }
        writer.end_array();
    });
}

Setup setup_for(int teams) {
    REFEREE_ASSERT(teams >= teams_min && teams <= teams_max);
    Setup setup;
    setup.teams = teams;
    const int cycles = static_cast<int>(setup.cycles());
    if (teams <= teams_default) {
        setup.starts.assign(starts_default.begin(), starts_default.begin() + cycles);
        return setup;
    }
    const int edge = 2 * (setup.width - 1) + 2 * (setup.height - 1);
    for (int i = 0; i < cycles; ++i) {
        // The first start is a third of a distance from the corner: then nobody's share of the edge
        // ends in a corner.
        const int at = (3 * i + 1) * edge / (3 * cycles);
        setup.starts.push_back(edge_cell(at, setup.width, setup.height));
    }
    return setup;
}

Arena::Arena(Setup setup)
    : setup_(std::move(setup)),
      grid_(static_cast<std::size_t>(setup_.width) * static_cast<std::size_t>(setup_.height)),
      positions_(setup_.starts),
      living_of_(teams(), cycles_per_team()),
      used_us_(teams()),
      eliminated_turn_(teams()) {
    REFEREE_ASSERT(positions_.size() == setup_.cycles());
    for (const auto& start : setup_.starts) grid_[index(start)] = start_mark;
}

std::size_t Arena::living_teams() const {
    return static_cast<std::size_t>(std::count_if(living_of_.begin(), living_of_.end(),
                                                  [](std::size_t living) { return living > 0; }));
}

std::size_t Arena::holder(Cell cell) const {
    Cell at = cell;
    while (grid_[index(at)] != start_mark) at = step_back(at, grid_[index(at)]);
    const auto start = std::find(setup_.starts.begin(), setup_.starts.end(), at);
    return static_cast<std::size_t>(start - setup_.starts.begin());
}

Cell Arena::step_back(Cell at, Trail trail) {
    REFEREE_ASSERT(trail >= entered_right && trail <= entered_up);  // trails have no gaps
    constexpr std::array<Cell, entered_up> steps{{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}};
    const auto& step = steps[trail - entered_right];
    return {at.x + step.x, at.y + step.y};
}

Arena::Trail Arena::trail_between(Cell from, Cell to) {
    if (to.x != from.x) return to.x > from.x ? entered_right : entered_left;
    return to.y > from.y ? entered_down : entered_up;
}

Verdict Arena::judge(std::size_t cycle, const Choice& choice) const {
    if (choice.kind == Choice::Kind::missing) return Verdict::missing;
    if (choice.kind == Choice::Kind::malformed) return Verdict::malformed;
    if (choice.x < 0 || choice.y < 0 || choice.x >= setup_.width || choice.y >= setup_.height) {
        return Verdict::outside;
    }
    const Cell from = positions_[cycle];
    if (distance(choice.x, from.x) + distance(choice.y, from.y) != 1) return Verdict::not_a_step;
    const Cell to{static_cast<int>(choice.x), static_cast<int>(choice.y)};
    return occupied(to) ? Verdict::occupied : Verdict::moved;
}

std::span<const Verdict> Arena::play(std::span<const Choice> choices,
                                     std::span<const std::int64_t> used_us) {
    REFEREE_ASSERT(choices.size() == cycles() && used_us.size() == teams());
    ++turn_;
    for (std::size_t team = 0; team < teams(); ++team) {
        used_us_[team] = saturated_sum(used_us_[team], used_us[team]);
    }
    judge_all(choices);
    settle_contests(choices);
    // Cells that are entered were free, so none of them is on a trail that vanishes.
    for (std::size_t cycle = 0; cycle < cycles(); ++cycle) {
        if (is_termination(verdicts_[cycle])) terminate(cycle);
        if (verdicts_[cycle] != Verdict::moved) continue;
        const Cell to{static_cast<int>(choices[cycle].x), static_cast<int>(choices[cycle].y)};
        grid_[index(to)] = trail_between(positions_[cycle], to);
        positions_[cycle] = to;
    }
    return verdicts_;
}

// total / turns > budget, in whole numbers that can't run over.
bool Arena::over_mean(std::size_t team) const {
    const std::int64_t total = used_us_[team];
    return turn_ > setup_.grace_turns && total > 0 && (total - 1) / turn_ >= setup_.mean_budget_us;
}

void Arena::judge_all(std::span<const Choice> choices) {
    verdicts_.assign(cycles(), Verdict::ignored);
    for (std::size_t team = 0; team < teams(); ++team) {
        const bool out_of_time = over_mean(team);
        const std::size_t first = team * cycles_per_team();
        for (std::size_t cycle = first; cycle < first + cycles_per_team(); ++cycle) {
            if (!living(cycle)) continue;
            verdicts_[cycle] = out_of_time ? Verdict::over_mean : judge(cycle, choices[cycle]);
        }
    }
}

void Arena::settle_contests(std::span<const Choice> choices) {
    contenders_.clear();
    for (std::size_t cycle = 0; cycle < cycles(); ++cycle) {
        if (verdicts_[cycle] != Verdict::moved) continue;
        const Cell to{static_cast<int>(choices[cycle].x), static_cast<int>(choices[cycle].y)};
        contenders_.push_back({index(to), cycle});
    }
    std::sort(contenders_.begin(), contenders_.end(), [](const Contender& a, const Contender& b) {
        return a.cell != b.cell ? a.cell < b.cell : a.cycle < b.cycle;
    });
    const std::span<const Contender> all = contenders_;
    for (std::size_t begin = 0; begin < all.size();) {
        std::size_t end = begin + 1;
        while (end < all.size() && all[end].cell == all[begin].cell) ++end;
        if (end - begin > 1) settle_contest(all.subspan(begin, end - begin));
        begin = end;
    }
}

void Arena::settle_contest(std::span<const Contender> contenders) {
    const auto time_of = [&](const Contender& one) { return used_us_[team_of(one.cycle)]; };
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const auto& one : contenders) least = std::min(least, time_of(one));
    const auto sharing = std::count_if(contenders.begin(), contenders.end(),
                                       [&](const Contender& one) { return time_of(one) == least; });
    for (const auto& one : contenders) {
        if (time_of(one) != least) {
            verdicts_[one.cycle] = Verdict::contest_lost;
        } else if (sharing > 1) {
            verdicts_[one.cycle] = Verdict::contest_tied;
        }
    }
}

void Arena::eliminate(std::size_t team) {
    const std::size_t first = team * cycles_per_team();
    for (std::size_t cycle = first; cycle < first + cycles_per_team(); ++cycle) {
        if (living(cycle)) terminate(cycle);
    }
}

void Arena::terminate(std::size_t cycle) {
    Cell at = positions_[cycle];
    for (Trail trail = 0; trail != start_mark;) {
        trail = std::exchange(grid_[index(at)], Trail{0});
        if (trail != start_mark) at = step_back(at, trail);
    }
    positions_[cycle] = nowhere;
    const std::size_t team = team_of(cycle);
    if (--living_of_[team] == 0) eliminated_turn_[team] = turn_;
}

}  // namespace engines::light_cycles
