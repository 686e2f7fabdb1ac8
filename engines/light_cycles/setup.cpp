#include "engines/light_cycles/setup.h"

#include <array>

#include "engines/refusal.h"
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
    return "[" + std::to_string(cell.x) + ", " + std::to_string(cell.y) + "]";
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
    const auto cells = "a list of " + std::to_string(setup.cycles()) +
                       " cells such as [169, 45], one for each cycle";
    if (!list.view().is_array()) return list.expected(cells);
    if (list.size() != setup.cycles())
        return list.wrong("expected " + cells + ", found a list of " + std::to_string(list.size()));
    const auto width = static_cast<std::size_t>(setup.width);
    std::vector<bool> taken(width * static_cast<std::size_t>(setup.height));
    for (const auto element : list.elements()) {
        const auto cell = read_cell(element.view(), setup);
        if (!cell) {
            return element.wrong("expected [x, y] with x from 0 to " +
                                 std::to_string(setup.width - 1) + " and y from 0 to " +
                                 std::to_string(setup.height - 1));
        }
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
        return starts.wrong(
            "must be given where width, height, teams or cycles_per_team are not the defaults "
            "(170, 170, 4 and 3): a list of " +
            std::to_string(setup.cycles()) + " cells such as [169, 45]");
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
    std::string text;
    json::Writer writer(text);
    writer.begin_object().member("width", setup.width).member("height", setup.height);
    writer.member("teams", setup.teams).member("cycles_per_team", setup.cycles_per_team);
    writer.member("mean_budget_us", setup.mean_budget_us).member("grace_turns", setup.grace_turns);
    writer.key("starts").begin_array();
    for (const auto& cell : setup.starts) {
        writer.begin_array().integer(cell.x).integer(cell.y).end_array();
    }
    writer.end_array().end_object();
    return text;
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
        // A third of a distance from the corner: then nobody's share of the edge ends in one.
        const int at = (3 * i + 1) * edge / (3 * cycles);
        setup.starts.push_back(edge_cell(at, setup.width, setup.height));
    }
    return setup;
}

}  // namespace engines::light_cycles
