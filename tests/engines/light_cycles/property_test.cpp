// Free and occupied cells are conserved: what is occupied is just the living cycles' trails.

#include <gtest/gtest.h>

#include <set>

#include "tests/engines/conformance/driver.h"
#include "tests/engines/light_cycles/drawing.h"

namespace engines::light_cycles {
namespace {

using Trail = std::vector<std::pair<int, int>>;

Setup random_setup(tests::Random& random) {
    const int width = 2 + static_cast<int>(random.below(12));
    const int height = 6 + static_cast<int>(random.below(12));
    const int teams = 2 + static_cast<int>(random.below(3));
    const int own = 1 + static_cast<int>(random.below(3));
    std::set<std::pair<int, int>> starts;
    while (starts.size() < static_cast<std::size_t>(teams * own)) {
        starts.emplace(random.below(static_cast<std::size_t>(width)),
                       random.below(static_cast<std::size_t>(height)));
    }
    std::vector<Cell> cells;
    for (const auto& [x, y] : starts) cells.push_back({x, y});
    return small_setup(width, height, teams, cells);
}

// A step that is free, where there is one.
Cell random_step(tests::Random& random, const Arena& arena, Cell from) {
    constexpr std::pair<int, int> steps[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    Cell to = from;
    for (int tries = 0; tries < 8; ++tries) {
        const auto& [x, y] = steps[random.below(std::size(steps))];
        to = {from.x + x, from.y + y};
        const bool inside =
            to.x >= 0 && to.y >= 0 && to.x < arena.setup().width && to.y < arena.setup().height;
        if (inside && !arena.occupied(to)) return to;
    }
    return to;
}

// What is kept beside the arena: each living cycle's whole trail.
void expect_conserved(const Arena& arena, const std::vector<Trail>& trails) {
    std::set<std::pair<int, int>> expected;
    std::size_t cells = 0;
    for (const auto& trail : trails) {
        expected.insert(trail.begin(), trail.end());
        cells += trail.size();
    }
    ASSERT_EQ(expected.size(), cells) << "two trails share a cell";
    for (int y = 0; y < arena.setup().height; ++y) {
        for (int x = 0; x < arena.setup().width; ++x) {
            ASSERT_EQ(arena.occupied({x, y}), expected.contains({x, y})) << x << " " << y;
        }
    }
    for (std::size_t cycle = 0; cycle < arena.cycles(); ++cycle) {
        if (!arena.living(cycle)) continue;
        Trail walked;
        arena.walk_trail(cycle, [&](Cell cell) { walked.emplace_back(cell.x, cell.y); });
        ASSERT_EQ(Trail(walked.rbegin(), walked.rend()), trails[cycle]);
    }
}

TEST(Property, OccupiedCellsAreTheTrailsOfTheLiving) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        tests::Random random(seed);
        Arena arena(random_setup(random));
        std::vector<Trail> trails;
        for (const auto& start : arena.setup().starts) trails.push_back({{start.x, start.y}});
        while (arena.living_teams() > 1) {
            std::vector<Cell> cells;
            for (std::size_t cycle = 0; cycle < arena.cycles(); ++cycle) {
                cells.push_back(random_step(random, arena, arena.position(cycle)));
            }
            std::vector<std::int64_t> used_us(arena.teams());
            for (auto& charge : used_us) charge = static_cast<std::int64_t>(random.below(3));
            const auto verdicts = go(arena, cells, used_us);
            for (std::size_t cycle = 0; cycle < arena.cycles(); ++cycle) {
                if (verdicts[cycle] == Verdict::moved) {
                    trails[cycle].emplace_back(cells[cycle].x, cells[cycle].y);
                } else {
                    trails[cycle].clear();
                }
            }
            expect_conserved(arena, trails);
            if (HasFatalFailure()) return;
        }
    }
}

}  // namespace
}  // namespace engines::light_cycles
