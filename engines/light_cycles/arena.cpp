#include "engines/light_cycles/arena.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "protocol/base/assertion.h"

namespace engines::light_cycles {
namespace {

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

Cell Arena::step_back(Cell at, Trail trail) {
    REFEREE_ASSERT(trail >= entered_right && trail <= entered_up);  // trails have no gaps
    switch (trail) {
        case entered_right:
            return {at.x - 1, at.y};
        case entered_down:
            return {at.x, at.y - 1};
        case entered_left:
            return {at.x + 1, at.y};
        default:
            return {at.x, at.y + 1};
    }
}

Arena::Trail Arena::trail_between(Cell from, Cell to) {
    if (to.x != from.x) return to.x > from.x ? entered_right : entered_left;
    return to.y > from.y ? entered_down : entered_up;
}

Verdict Arena::judge(std::size_t cycle, const Choice& choice) const {
    switch (choice.kind) {
        case Choice::Kind::missing:
            return Verdict::missing;
        case Choice::Kind::malformed:
            return Verdict::malformed;
        case Choice::Kind::cell:
            break;
    }
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
