#pragma once

#include <string>
#include <vector>

#include "engines/light_cycles/arena.h"

// Small arenas from a few words, for tables of cases.

namespace engines::light_cycles {

// A setup of so many teams of as many cycles as the starts make up. Requires: divisible.
Setup small_setup(int width, int height, int teams, std::vector<Cell> starts);

// The occupied cells, row by row: '#' or '.'.
std::vector<std::string> drawn(const Arena& arena);

Choice to(Cell cell);

// One turn towards these cells; cycles that are terminated take any.
std::vector<Verdict> go(Arena& arena, const std::vector<Cell>& cells,
                        std::vector<std::int64_t> used_us = {});

}  // namespace engines::light_cycles
