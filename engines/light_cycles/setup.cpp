#include "engines/light_cycles/setup.h"

#include <array>
#include <limits>
#include <utility>

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

constexpr std::int64_t no_bound = std::numeric_limits<std::int64_t>::max();

std::string found(json::View view) {
    if (view.kind() != json::Kind::integer) return std::string(json::describe(view.kind()));
    std::string text;
    json::Writer writer(text);
    view.write(writer);
    return text;
}

std::string pair_text(Cell cell) {
    return "[" + std::to_string(cell.x) + ", " + std::to_string(cell.y) + "]";
}

template <typename Integer>
std::optional<SetupError> read_integer(std::string_view name, json::View view, std::int64_t least,
                                       std::int64_t most, Integer& out) {
    const auto value = view.integer();
    if (!value || *value < least || *value > most) {
        auto expected = "expected an integer from " + std::to_string(least);
        if (most != no_bound) expected += " to " + std::to_string(most);
        return SetupError{"params." + std::string(name), expected + ", found " + found(view)};
    }
    out = static_cast<Integer>(*value);
    return {};
}

// All but `starts`, which is kept for when the sizes are known.
std::optional<SetupError> read_member(const json::Member& member, Setup& setup,
                                      json::View& starts) {
    const auto& [name, value] = member;
    if (name == "width") return read_integer(name, value, 1, side_max, setup.width);
    if (name == "height") return read_integer(name, value, 1, side_max, setup.height);
    if (name == "teams") return read_integer(name, value, teams_min, teams_max, setup.teams);
    if (name == "cycles_per_team") {
        return read_integer(name, value, 1, cycles_per_team_max, setup.cycles_per_team);
    }
    if (name == "mean_budget_us") {
        return read_integer(name, value, 1, no_bound, setup.mean_budget_us);
    }
    if (name == "grace_turns") return read_integer(name, value, 0, no_bound, setup.grace_turns);
    if (name == "starts") {
        starts = value;
        return {};
    }
    return SetupError{"params." + std::string(name),
                      "Light Cycles has no such parameter; it has \"width\", \"height\", "
                      "\"teams\", \"cycles_per_team\", \"mean_budget_us\", \"grace_turns\" and "
                      "\"starts\""};
}

std::optional<Cell> read_cell(json::View view, const Setup& setup) {
    if (!view.is_array() || view.size() != 2) return {};
    const auto x = view.at(0).integer();
    const auto y = view.at(1).integer();
    if (!x || !y || *x < 0 || *y < 0 || *x >= setup.width || *y >= setup.height) return {};
    return Cell{static_cast<int>(*x), static_cast<int>(*y)};
}

std::optional<SetupError> read_starts(json::View view, Setup& setup) {
    if (!view.is_array() || view.size() != setup.cycles()) {
        const auto what = view.is_array() ? "a list of " + std::to_string(view.size())
                                          : std::string(json::describe(view.kind()));
        return SetupError{"params.starts",
                          "expected a list of " + std::to_string(setup.cycles()) +
                              " cells such as [169, 45], one for each cycle, found " + what};
    }
    const auto width = static_cast<std::size_t>(setup.width);
    std::vector<bool> taken(width * static_cast<std::size_t>(setup.height));
    for (const auto element : view.elements()) {
        const auto field = "params.starts[" + std::to_string(setup.starts.size()) + "]";
        const auto cell = read_cell(element, setup);
        if (!cell) {
            return SetupError{field, "expected [x, y] with x from 0 to " +
                                         std::to_string(setup.width - 1) + " and y from 0 to " +
                                         std::to_string(setup.height - 1)};
        }
        auto seat =
            taken[static_cast<std::size_t>(cell->y) * width + static_cast<std::size_t>(cell->x)];
        if (seat) {
            return SetupError{field, pair_text(*cell) + " is the start of another cycle already"};
        }
        seat = true;
        setup.starts.push_back(*cell);
    }
    return {};
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

std::variant<Setup, SetupError> read_setup(json::View params) {
    Setup setup;
    json::View starts;
    if (params && !params.is_object()) {
        return SetupError{
            "params",
            "expected an object such as {\"mean_budget_us\": 50000}, found " + found(params)};
    }
    for (const auto& member : params.members()) {
        if (auto error = read_member(member, setup, starts)) return std::move(*error);
    }
    if (starts) {
        if (auto error = read_starts(starts, setup)) return std::move(*error);
        return setup;
    }
    if (setup.width != width_default || setup.height != height_default ||
        setup.teams != teams_default || setup.cycles_per_team != cycles_per_team_default) {
        return SetupError{"params.starts",
                          "must be given where width, height, teams or cycles_per_team are not "
                          "the defaults (170, 170, 4 and 3): a list of " +
                              std::to_string(setup.cycles()) + " cells such as [169, 45]"};
    }
    setup.starts.assign(starts_default.begin(), starts_default.end());
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
