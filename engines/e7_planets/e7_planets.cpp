#include "engines/e7_planets/e7_planets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <numeric>

#include "engines/e7_planets/map.h"
#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::e7_planets {
namespace {

// Ghosts take the edges of the grid for walls.
bool ghost_can_enter(const Map& map, const GhostStart& ghost, Cell cell) {
    return map.contains(cell) && (ghost.transparency == neither || map.at(cell) != asteroid_field);
}

// After the drop at the start of a turn: a wait of w lasts the next w turns.
bool held_after_drop(std::int64_t wait) {
    return wait >= 0;
}

Direction choice_back_and_forth(const Map& map, const GhostStart& ghost, const Mover& mover) {
    if (ghost_can_enter(map, ghost, Map::beside(mover.cell, mover.heading))) return mover.heading;
    const auto back = opposite(mover.heading);
    return ghost_can_enter(map, ghost, Map::beside(mover.cell, back)) ? back : Direction::stay;
}

Direction choice_toward_player(const Map& map, const GhostStart& ghost, const Mover& mover,
                               Cell ship) {
    const auto down = ship.row - mover.cell.row;
    const auto right = ship.column - mover.cell.column;
    const auto vertical = down < 0 ? Direction::up : Direction::down;
    const auto horizontal = right < 0 ? Direction::left : Direction::right;
    const bool vertical_open = ghost_can_enter(map, ghost, Map::beside(mover.cell, vertical));
    const bool horizontal_open = ghost_can_enter(map, ghost, Map::beside(mover.cell, horizontal));
    bool takes_vertical = map.rows > map.columns;
    if (down == 0 || right == 0) {
        takes_vertical = right == 0;
    } else if (vertical_open != horizontal_open) {
        takes_vertical = vertical_open;
    } else if (std::abs(down) != std::abs(right)) {
        takes_vertical = std::abs(down) > std::abs(right);
    }
    if (takes_vertical) return vertical_open ? vertical : Direction::stay;
    return horizontal_open ? horizontal : Direction::stay;
}

void enter(const Map& map, Mover& mover, Cell cell) {
    if (cell == mover.cell) return;
    mover.cell = cell;
    mover.wait = map.at(cell);
}

void move_ghost(const Map& map, const GhostStart& ghost, Mover& mover, Cell old_ship) {
    const auto choice = ghost_choice(map, ghost, mover, old_ship);
    --mover.wait;
    const bool slowed = ghost.transparency == slowed_and_blocked;
    if (choice == Direction::stay || (slowed && held_after_drop(mover.wait))) return;
    if (ghost.type == GhostType::back_and_forth) mover.heading = choice;
    enter(map, mover, Map::beside(mover.cell, choice));
}

constexpr std::int64_t turn_us = 1'000'000;
constexpr std::int64_t hung_after_us = 60'000'000;
constexpr std::string_view default_map = "three_blocks_ghosts";  // small, and has everything
constexpr std::array<std::string_view, 3> reference_bots = {"e7-random", "e7-greedy", "e7-planner"};

constexpr std::array<DetailMember, 6> detail_members{
    {{"win", DetailMember::Is::truth},
     {"max_turns", DetailMember::Is::number},
     {"n_turns", DetailMember::Is::number},
     {"score", DetailMember::Is::number},
     {"scraps_total_value", DetailMember::Is::number},
     {"caught", DetailMember::Is::truth}}};

constexpr std::string_view keys = "U, D, L, R or .";
constexpr ByHand by_hand{
    .example = "U",
    .keys = keys,
    .legend = R"(U, D  one row up, down      L, R  one column left, right      .  stay
Off one edge you come back on the opposite one. Pick up all scraps in time.
@ is your ship, $5 a scrap worth 5, # an asteroid field, . empty space, 3 a
nebula that costs 3 turns; b0 is a ghost back and forth, t0 one toward you
(0: asteroid fields and nebulae hold it; 1: asteroid fields alone; 2: nothing).
)"};

GameInfo game_info() {
    GameInfo info;
    info.id = "e7_planets";
    info.title = "E7 Planets";
    info.clock.kind = ClockKind::turn;
    info.clock.measure = Measure::wall;
    info.clock.budget_us = turn_us;
    info.clock.waits_for_late = true;
    info.clock.hung_after_us = hung_after_us;
    info.move_example = "\"U\"";
    info.reference_bots = reference_bots;
    info.by_hand = by_hand;
    info.detail = detail_members;
    info.counting =
        "Turn 1 is the first in which the program is asked for a move. Off one edge the ship comes "
        "back on the opposite one. The score is the worth of the scraps that were picked up, which "
        "the map tells of each. What could be had on a map "
        "with ghosts is the best score there without them: beside them "
        "there may be no play that has all of it";
    info.first_setups = R"([{"map": "one_scrap"}, {"map": "two_scrap"}])";
    return info;
}

// What comparing two games looks at, in this order.
struct Standing {
    Score score;
    bool win = false;
    bool not_caught = false;
    std::int64_t fewer_turns = 0;
    auto operator<=>(const Standing&) const = default;
};

Standing standing(const Outcome& outcome) {
    json::Document detail;
    const auto parsed = detail.parse(outcome.detail);
    REFEREE_ASSERT(parsed);
    const auto root = detail.root();
    return {outcome.scores.front(), root.find("win").boolean().value_or(false),
            !root.find("caught").boolean().value_or(false),
            -root.find("n_turns").integer().value_or(0)};
}

// ", on the same cell as ghost 1", ", as it changed places with ghost 3": how it was caught.
std::string tell_catch(json::View detail) {
    std::string told;
    for (const auto& [member, how] :
         {std::pair("ghosts_catch_samespot", ", on the same cell as ghost "),
          std::pair("ghosts_catch_switch", ", as it changed places with ghost ")}) {
        const auto ghosts = base::joined(
            detail.find(member).elements(), " and ",
            [](json::View ghost) { return std::to_string(ghost.integer().value_or(0)); });
        if (!ghosts.empty()) told += how + ghosts;
    }
    return told;
}

std::string tell_scraps(json::View detail) {
    const auto number = [&](const char* name) { return detail.find(name).integer().value_or(0); };
    const auto left = static_cast<std::int64_t>(detail.find("scraps_left").size());
    const auto picked = static_cast<std::int64_t>(detail.find("scraps_picked_up").size());
    return fmt::format("picked up {} of {}, worth {} of {} (reachable or not)", picked,
                       base::counted(picked + left, "scrap"), number("score"),
                       number("scraps_total_value"));
}

class PlanetsGame final : public Game {
 public:
    explicit PlanetsGame(const Resources& resources) : info_(game_info()), maps_(resources) {}

    const GameInfo& info() const override { return info_; }
    const MapCollection* maps() const override { return &maps_; }

    StartResult start(json::View params, std::uint32_t /*seed*/) const override {
        auto read = read_setup(params);
        if (!read) return base::failure(std::move(read.error()));
        return std::make_unique<PlanetsState>(*std::move(read));
    }

    // A map that ships stays a name, by the version of the maps; any other is written out, so
    // that a replay needs nothing beside it.
    std::string full_params(json::View params) const override {
        const auto name = params.find("map").string();
        const auto found = name ? maps_.find(*name) : std::nullopt;
        if (found && found->is_shipped) return maps_.params_for_map(found->name);
        auto read = read_setup(params);
        REFEREE_ASSERT(read.has_value());
        return json::object_text([&](json::Writer& writer) {
            PlanetsState(*std::move(read)).write_state(writer.key("map"));
        });
    }

    std::optional<std::int64_t> attainable(json::View params) const override {
        const auto read = read_setup(params);
        REFEREE_ASSERT(read.has_value());
        return e7_planets::attainable(*read).bound;
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != 1) return std::nullopt;
        return maps_.params_for_map(default_map);
    }

    std::weak_ordering compare(const Outcome& a, const Outcome& b) const override {
        return standing(a) <=> standing(b);
    }

    std::string tell_end(json::View /*full_params*/, json::View detail,
                         Seat /*the only one*/) const override {
        const auto turns = detail.find("n_turns").integer().value_or(0);
        const bool won = detail.find("win").boolean().value_or(false);
        const bool caught = detail.find("caught").boolean().value_or(false);
        return tell_scraps(detail) +
               (won ? ", in " + base::counted(turns, "turn")
                : caught
                    ? "; the ship was caught in turn " + std::to_string(turns) + tell_catch(detail)
                    : "; after " + base::counted(turns, "turn") + " no turns were left");
    }

    std::string tell_end_without_map(json::View detail) const override {
        if (detail.find("win").boolean().value_or(false)) return "all scraps were picked up";
        if (!detail.find("caught").boolean().value_or(false)) return "the turns ran out";
        return "a ghost caught the ship in turn " +
               std::to_string(detail.find("n_turns").integer().value_or(0));
    }

    TypedMove move_from_text(std::string_view line) const override {
        const auto word = typed_word(line);
        if (word.size() != 1) return base::failure(typed_instead(keys, line));
        const auto key = static_cast<char>(std::toupper(static_cast<unsigned char>(word.front())));
        if (std::string_view("UDLR.").find(key) == std::string_view::npos) {
            return base::failure(typed_instead(keys, line));
        }
        return std::string{'"', key, '"'};
    }

    std::string move_in_words(json::View move) const override {
        const auto letter = move.string();
        if (letter == "U") return "up";
        if (letter == "D") return "down";
        if (letter == "L") return "left";
        if (letter == "R") return "right";
        if (letter == ".") return "stay";
        return {};
    }

 private:
    base::Result<Map, SetupError> read_setup(json::View params) const {
        json::Mistakes mistakes;
        const json::Placed given(params, mistakes, "params");
        if (given) given.object(R"({"map": "one_scrap"})");
        json::Reader reader(given);
        reader.only({"map"});
        const auto member = reader.member("map");
        std::optional<Map> map;
        if (const auto name = member.view().string()) {
            map = named_map(member, *name);
        } else if (member.view().is_object()) {
            map = read_map(member);
        } else {
            member.expected(R"(a map's name or a map, as in {"map": "one_scrap"})");
        }
        if (mistakes) return base::failure(refusal(mistakes));
        return *std::move(map);
    }

    std::optional<Map> named_map(const json::Placed& given, std::string_view name) const {
        const auto found = maps_.find(name);
        if (!found) {
            const auto meant = base::did_you_mean(name, maps_.names());
            given.wrong("there is no map of that name" +
                        (meant.empty() ? "; expected one such as 'one_scrap'; " : meant + ' ') +
                        "`referee maps e7_planets` lists all");
            return std::nullopt;
        }
        auto read = read_map_text(found->text);
        if (read) return *std::move(read);
        const auto& error = read.error();
        given.wrong(fmt::format("the file of the map '{}' is wrong: line {}: {}: {}", found->name,
                                error.line, error.member, error.message));
        return std::nullopt;
    }

    const GameInfo info_;
    const PlanetsMaps maps_;
};

}  // namespace

Position initial_position(const Map& map) {
    Position position;
    position.ship = {map.ship, map.at(map.ship), Direction::stay};
    for (const auto& ghost : map.ghosts) {
        Mover mover{ghost.cell, map.at(ghost.cell), Direction::stay};
        for (const auto direction : four_directions) {
            if (ghost.type == GhostType::back_and_forth &&
                Map::beside(ghost.before, direction) == ghost.cell) {
                mover.heading = direction;
            }
        }
        position.ghosts.push_back(mover);
    }
    position.scraps_left.resize(map.scraps.size());
    std::iota(position.scraps_left.begin(), position.scraps_left.end(), std::size_t{0});
    position.turns_left = map.turns;
    return position;
}

Verdict judge(const Map& map, const Position& position, Direction move) {
    if (move == Direction::stay) return Verdict::carried_out;
    if (held_after_drop(position.ship.wait - 1)) return Verdict::waiting;
    return map.at(map.wrapped(position.ship.cell, move)) == asteroid_field ? Verdict::bumped
                                                                           : Verdict::carried_out;
}

Direction ghost_choice(const Map& map, const GhostStart& ghost, const Mover& mover, Cell ship) {
    return ghost.type == GhostType::back_and_forth ? choice_back_and_forth(map, ghost, mover)
                                                   : choice_toward_player(map, ghost, mover, ship);
}

void play_turn(const Map& map, Position& position, Direction move, TurnEvents& events) {
    REFEREE_ASSERT(!over(position));
    events.picked_up.reset();
    events.same_spot.clear();
    events.switched.clear();

    const auto old_ship = position.ship.cell;
    const bool moves = judge(map, position, move) == Verdict::carried_out;
    --position.ship.wait;
    if (moves) enter(map, position.ship, map.wrapped(old_ship, move));
    const auto new_ship = position.ship.cell;

    for (std::size_t i = 0; i < position.ghosts.size(); ++i) {
        auto& ghost = position.ghosts[i];
        const auto before = ghost;
        move_ghost(map, map.ghosts[i], ghost, old_ship);
        if (ghost.cell == new_ship) {
            events.same_spot.push_back(i);
        } else if (ghost.cell == old_ship && before.cell == new_ship) {
            events.switched.push_back(i);
            ghost.cell = before.cell;
        }
    }

    auto& left = position.scraps_left;
    const auto scrap = std::find_if(left.begin(), left.end(),
                                    [&](std::size_t i) { return map.scraps[i].cell == new_ship; });
    if (scrap != left.end()) {
        events.picked_up = *scrap;
        position.score += map.scraps[*scrap].value;
        left.erase(scrap);
    }
    --position.turns_left;
    position.caught = !events.same_spot.empty() || !events.switched.empty();
}

bool won(const Position& position) {
    return position.scraps_left.empty() && !position.caught;
}

bool over(const Position& position) {
    return position.caught || position.scraps_left.empty() || position.turns_left == 0;
}

std::unique_ptr<Game> make_game(const Resources& resources) {
    return std::make_unique<PlanetsGame>(resources);
}

}  // namespace engines::e7_planets
