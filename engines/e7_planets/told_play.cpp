// What the ship did, in words.

#include <set>

#include "engines/e7_planets/state.h"
#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {

// Before the game the ship was nowhere.
std::optional<std::string> PlanetsState::tell_play(Seat /*the only one*/) const {
    json::Document places;
    const auto read = places.parse('[' + ship_rows_ + ']');
    REFEREE_ASSERT(read);
    std::set<std::string> cells;
    std::string last;
    std::int64_t moved = 0;
    for (const auto place : places.root().elements()) {
        if (place.at(0).is_null()) continue;
        auto cell = place.json_text();
        if (!last.empty() && cell != last) ++moved;
        cells.insert(cell);
        last = std::move(cell);
    }
    auto told = "the ship moved in " + std::to_string(moved) + " of " +
                base::counted(map().turns - position_.turns_left, "turn") + ", and was on " +
                base::counted(cells.size(), "cell");
    std::string moves;
    for (const auto direction : four_directions) {
        const auto times = moves_[static_cast<std::size_t>(direction)];
        if (times == 0) continue;
        moves += moves.empty() ? "; its moves: " : ", ";
        moves.append(letter(direction)) += ' ' + std::to_string(times);
    }
    told += moves;
    for (const auto& stays : stays_) {
        if (stays.turns == 0) continue;
        told += "; in " + base::counted(stays.turns, "turn") + ' ';
        told.append(stays.words).append(" (first in turn ") += std::to_string(stays.first) + ')';
    }
    return told;
}

std::string PlanetsState::tell_hindrance(Seat /*the only one*/) const {
    const auto& [bumped, waiting, stay] = stays_;
    const auto stopped = bumped.turns + waiting.turns;
    const auto turns = map().turns - position_.turns_left;
    const auto is_most = [turns](std::int64_t many) { return 2 * many > turns; };
    if (is_most(2 * stopped))
        return std::string("in over ") + (is_most(stopped) ? "half" : "a quarter") +
               " of the turns " +
               (waiting.turns == 0  ? "an asteroid field"
                : bumped.turns == 0 ? "a nebula"
                                    : "an asteroid field or a nebula") +
               " was in the ship's way";
    if (position_.caught || stay.turns == turns) return {};
    return is_most(stay.turns) ? "in over half of the turns its move was to stay"
                               : "in three of four turns, or more, nothing was in the ship's way";
}

}  // namespace engines::e7_planets
