#include "tests/engines/light_cycles/drawing.h"

#include <utility>

namespace engines::light_cycles {

Setup small_setup(int width, int height, int teams, std::vector<Cell> starts) {
    Setup setup;
    setup.width = width;
    setup.height = height;
    setup.teams = teams;
    setup.cycles_per_team = static_cast<int>(starts.size()) / teams;
    setup.starts = std::move(starts);
    return setup;
}

std::vector<std::string> drawn(const Arena& arena) {
    std::vector<std::string> rows;
    for (int y = 0; y < arena.setup().height; ++y) {
        rows.emplace_back();
        for (int x = 0; x < arena.setup().width; ++x) {
            rows.back() += arena.occupied({x, y}) ? '#' : '.';
        }
    }
    return rows;
}

Choice to(Cell cell) {
    return {Choice::Kind::cell, cell.x, cell.y};
}

std::vector<Verdict> go(Arena& arena, const std::vector<Cell>& cells,
                        std::vector<std::int64_t> used_us) {
    std::vector<Choice> choices;
    for (const auto& cell : cells) choices.push_back(to(cell));
    used_us.resize(arena.teams());
    const auto verdicts = arena.play(choices, used_us);
    return {verdicts.begin(), verdicts.end()};
}

}  // namespace engines::light_cycles
