#include "engines/longest_game.h"

#include <algorithm>
#include <array>
#include <string>

namespace engines {
namespace {

// What the bounds are made of: all params, and the state before the first turn.
struct Beginning {
    json::View params;
    json::View state;

    std::int64_t param(std::string_view name) const {
        return params.find(name).integer().value_or(0);
    }
};
using Bound = std::int64_t (*)(const Beginning&);

// A player has laid a brick, or is stalled, within so many moves.
constexpr std::int64_t walls_moves_a_brick = 9;

std::int64_t walls(const Beginning& game) {
    const auto squares = game.param("size") * game.param("size");
    return walls_moves_a_brick * (squares + 2);  // both are stalled in the end
}

// Each turn a cycle takes a free cell, or the last ones are terminated.
std::int64_t light_cycles(const Beginning& game) {
    return game.param("width") * game.param("height") + 1;
}

// Each turn is a step or more.
std::int64_t snake_labyrinth(const Beginning& game) {
    return game.param("max_steps");
}

std::int64_t e7_planets(const Beginning& game) {
    return game.state.find("remaining_turns").integer().value_or(0);
}

struct Row {
    std::string_view game;
    Bound bound;
};
// Superball has no last turn: who scores makes room for more.
constexpr std::array<Row, 4> bounds{{{"walls", walls},
                                     {"light_cycles", light_cycles},
                                     {"snake_labyrinth", snake_labyrinth},
                                     {"e7_planets", e7_planets}}};

}  // namespace

std::optional<std::int64_t> turns_most(const Game& game, json::View params) {
    const auto id = game.info().id;
    const auto* const row =
        std::find_if(bounds.begin(), bounds.end(), [id](const Row& one) { return one.game == id; });
    if (row == bounds.end()) return std::nullopt;
    const auto begun = game.start(params, 1);
    if (!begun) return std::nullopt;
    std::string state_text;
    json::Writer writer(state_text);
    (*begun)->write_state(writer);
    const auto full_text = game.full_params(params);
    json::Document full;
    json::Document state;
    if (!full.parse(full_text) || !state.parse(state_text)) return std::nullopt;
    const auto turns = row->bound({full.root(), state.root()});
    return turns > 0 ? std::optional(turns) : std::nullopt;
}

}  // namespace engines
