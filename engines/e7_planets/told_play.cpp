// What the ship did, in words.

#include <algorithm>
#include <set>

#include "engines/e7_planets/e7_planets.h"
#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {

// Of the turn that was played last, and the code of what the ship's move came to; empty: it moved.
std::string_view PlanetsState::way_it_was_caught(std::string_view code) const {
    if (!events_.switched.empty()) return "it was caught as each moved to where the other was";
    if (code == "bumped") return "it was caught as an asteroid field blocked it";
    if (code == "waiting") return "it was caught as a nebula held it";
    if (code == "stay") return "it was caught as its move was to stay";
    if (!code.empty()) return "it was caught as no valid move came";
    // A ghost that stood still has its last row twice.
    const bool onto = std::any_of(events_.same_spot.begin(), events_.same_spot.end(),
                                  [this](const std::size_t ghost) {
                                      const auto& rows = ghost_rows_[ghost];
                                      const auto last = rows.substr(rows.rfind(",["));
                                      return rows.ends_with(last + last);
                                  });
    return onto ? "it was caught as it moved onto a ghost"
                : "it was caught as both moved to the same cell";
}

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
    auto told = fmt::format("{}{}the ship moved in {} of {}, and was on {}", caught_,
                            caught_.empty() ? "" : "; ", moved,
                            base::counted(map().turns - position_.turns_left, "turn"),
                            base::counted(cells.size(), "cell"));
    std::string moves;
    for (const auto direction : four_directions) {
        const auto times = moves_[static_cast<std::size_t>(direction)];
        if (times == 0) continue;
        moves += fmt::format("{}{} {}", moves.empty() ? "; its moves: " : ", ", letter(direction),
                             times);
    }
    told += moves;
    for (const auto& stays : stays_) {
        if (stays.turns == 0) continue;
        told += fmt::format("; in {} {} (first in turn {})", base::counted(stays.turns, "turn"),
                            stays.words, stays.first);
    }
    return told;
}

std::vector<std::string> PlanetsState::tell_play_without_map(Seat /*the only one*/) const {
    std::vector<std::string> told;
    const auto tell = [&told](std::string words) {
        if (!words.empty()) told.push_back(std::move(words));
    };
    tell(std::string(caught_));
    tell(hindrance());
    tell(picked_up_.empty() ? "no scrap was picked up" : "");
    return told;
}

// What was in the ship's way most of all.
std::string PlanetsState::hindrance() const {
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
