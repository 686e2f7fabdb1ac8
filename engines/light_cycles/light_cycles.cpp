#include "engines/light_cycles/light_cycles.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/text.h"

namespace engines::light_cycles {
namespace {

constexpr Screen terminal;
constexpr char free_cell = '.';
constexpr char no_cell = '#';
constexpr std::string_view head_letters = "ABCDEFGH";
constexpr std::string_view trail_letters = "abcdefgh";
constexpr std::size_t parts_max = 3;    // side by side
constexpr std::size_t part_gap = 2;     // columns between two
constexpr std::size_t title_lines = 2;  // above each part
constexpr int part_height_max = 21;     // as far up and down as is of use in the next turns

// A character for each block of cells.
struct Picture {
    int block_width = 1;
    int block_height = 1;
    std::vector<std::string> lines;

    char& at(Cell cell) {
        return lines[static_cast<std::size_t>(cell.y / block_height)]
                    [static_cast<std::size_t>(cell.x / block_width)];
    }
};

int divided_up(int size, int parts) {
    return (size + parts - 1) / parts;
}

Picture picture_of(const Arena& arena, int block_width, int block_height) {
    const auto columns = static_cast<std::size_t>(divided_up(arena.setup().width, block_width));
    const auto lines = static_cast<std::size_t>(divided_up(arena.setup().height, block_height));
    Picture picture{block_width, block_height,
                    std::vector<std::string>(lines, std::string(columns, free_cell))};
    for (std::size_t cycle = 0; cycle < arena.cycles(); ++cycle) {
        if (!arena.living(cycle)) continue;
        arena.walk_trail(
            cycle, [&](Cell cell) { picture.at(cell) = trail_letters[arena.team_of(cycle)]; });
    }
    for (std::size_t cycle = 0; cycle < arena.cycles(); ++cycle) {
        if (arena.living(cycle)) {
            picture.at(arena.position(cycle)) = head_letters[arena.team_of(cycle)];
        }
    }
    return picture;
}

std::string teams_text(const Arena& arena) {
    std::string text;
    for (Seat team = 0; team < arena.teams(); ++team) {
        const auto out = arena.eliminated_turn(team);
        text += fmt::format("{}: team {}, {}, {} us\n", head_letters[team], team,
                            out ? fmt::format("out in turn {}", *out)
                                : fmt::format("{} living", arena.living_of(team)),
                            arena.used_us(team));
    }
    return text;
}

std::string turn_text(const Arena& arena) {
    return fmt::format("Turn {}\n", arena.turn());
}

// The lines that a screen has for the grid.
int lines_for_grid(const Arena& arena, const Screen& screen) {
    const auto others = 1 + arena.teams();
    return screen.lines > others ? static_cast<int>(screen.lines - others) : 1;
}

std::string draw_in_blocks(const Arena& arena, const Screen& screen) {
    const auto& setup = arena.setup();
    const auto picture =
        picture_of(arena, divided_up(setup.width, static_cast<int>(screen.columns)),
                   divided_up(setup.height, lines_for_grid(arena, screen)));
    auto text = turn_text(arena);
    for (const auto& line : picture.lines) text += line + "\n";
    return text + teams_text(arena);
}

std::string place_text(Cell at) {
    return fmt::format("{},{}", at.x, at.y);
}

// The grid around a cycle, a text line each, the cycle in the middle.
std::vector<std::string> part_around(const Arena& arena, Picture& picture, std::size_t cycle,
                                     int width, int height) {
    const auto& setup = arena.setup();
    const Cell head = arena.position(cycle);
    const Cell first{head.x - width / 2, head.y - height / 2};
    const Cell last{first.x + width - 1, first.y + height - 1};
    const auto range = [](int from, int to, int size) {
        return fmt::format("{}-{}", std::max(from, 0), std::min(to, size - 1));
    };
    std::vector<std::string> lines{fmt::format("cycle {} at {}", cycle, place_text(head)),
                                   fmt::format("x {}, y {}", range(first.x, last.x, setup.width),
                                               range(first.y, last.y, setup.height))};
    for (int y = first.y; y <= last.y; ++y) {
        auto& line = lines.emplace_back();
        for (int x = first.x; x <= last.x; ++x) {
            const bool inside = x >= 0 && x < setup.width && y >= 0 && y < setup.height;
            line += inside ? picture.at({x, y}) : no_cell;
        }
    }
    return lines;
}

// Living cycles that have no part of their own, in a line.
std::string others_text(const Arena& arena, std::span<const std::size_t> cycles,
                        const Screen& screen) {
    std::string text;
    for (const auto cycle : cycles) {
        const auto item = fmt::format("{}cycle {} at {}", text.empty() ? "also " : ", ", cycle,
                                      place_text(arena.position(cycle)));
        constexpr std::string_view more = " ...";
        if (text.size() + item.size() + more.size() > screen.columns) {
            text += more;
            break;
        }
        text += item;
    }
    return text.empty() ? text : text + "\n";
}

// The nearest odd number that is not above, so that there is a middle.
int odd(int number) {
    return number % 2 == 0 ? number - 1 : number;
}

constexpr std::array<std::string_view, 1> blameless{"shut_in"};

constexpr std::array<std::string_view, 2> reference_bots = {"cycles-dumb", "cycles-smarter"};
constexpr std::int64_t hard_limit_budgets = 20;
constexpr std::uint32_t match_games = 3;

constexpr std::array<DetailMember, 2> detail_members{
    {{"turns", DetailMember::Is::number}, {"survivors", DetailMember::Is::number}}};

constexpr ByHand by_hand{
    .example = "168,45 168,85 168,125",
    .keys = "such as 168,45 168,85 168,125",
    .legend = R"(168,45 168,85 168,125  the next cell of each of your cycles, as x,y: a step up,
down, left or right to a free cell; any cell for a cycle that is terminated.
x grows to the right, y downward, both from 0. A capital letter is a cycle, a
small one a trail, one letter a team (A: seat 0); . is free, # outside the grid.
)"};

// A list of cells from all the numbers in a line: "168,45 168,85 168,125".
TypedMove cells_from(std::string_view line) {
    constexpr std::string_view digits = "-0123456789";
    constexpr std::string_view expected =
        "the next cell of each of your cycles as x,y, such as 168,45 168,85 168,125";
    std::string text;
    json::Writer writer(text);
    writer.begin_array();
    std::size_t numbers = 0;
    for (auto at = line.find_first_of(digits); at != std::string_view::npos;
         at = line.find_first_of(digits, at)) {
        std::int64_t value = 0;
        const auto read = std::from_chars(line.data() + at, line.data() + line.size(), value);
        if (read.ec != std::errc()) return base::failure(typed_instead(expected, line));
        at = static_cast<std::size_t>(read.ptr - line.data());
        if (++numbers % 2 == 1) writer.begin_array();
        writer.integer(value);
        if (numbers % 2 == 0) writer.end_array();
    }
    writer.end_array();
    if (numbers == 0 || numbers % 2 == 1) return base::failure(typed_instead(expected, line));
    return text;
}

// "168,45"; a dash for a cycle of which nothing is said, or that is nowhere, as terminated ones
// are. What is no cell stays as it came.
std::string told(json::View cell) {
    if (cell.is_null() || (cell.at(0).integer() == -1 && cell.at(1).integer() == -1))
        return "\u2013";
    if (!cell.is_array()) return cell.json_text();
    return base::joined(cell.elements(), ",", [](json::View part) { return part.json_text(); });
}

constexpr GameInfo game_info{
    .id = "light_cycles",
    .title = "Light Cycles",
    .seats_min = teams_min,
    .seats_max = teams_max,
    .seats_default = teams_default,
    .simultaneous = true,
    // The budget is a mean over the game, which the rules themselves judge: a turn has only the
    // hard limit.
    .clock = {.kind = ClockKind::none,
              .measure = Measure::cpu,
              .budget_us = mean_budget_us_default,
              .hard_limit_us = hard_limit_budgets * mean_budget_us_default},
    .match = {.games = match_games, .best_of = true, .least_time = true, .setups = {}},
    .bad_move = BadMove::loses_pieces,
    .move_example = "[[168,45],[168,85],[168,125]]",
    .reference_bots = reference_bots,
    .by_hand = by_hand,
    .blameless = blameless,
    .detail = detail_members,
    .counting =
        "[168, 45] is x 168 and y 45: x counts to the right, y downward, both from 0. Turn "
        "1 is the first in which the program is asked for moves. Teams and cycles count "
        "from 0, too: team 1 has the cycles 3, 4 and 5. A cell is taken by the cycle whose "
        "trail is on it",
};

class CyclesGame final : public Game {
 public:
    const GameInfo& info() const override { return game_info; }

    StartResult start(json::View params, std::uint32_t) const override {
        auto setup = read_setup(params);
        if (!setup) return base::failure(std::move(setup.error()));
        return std::make_unique<CyclesState>(*std::move(setup));
    }

    std::string full_params(json::View params) const override {
        const auto setup = read_setup(params);
        REFEREE_ASSERT(setup.has_value());
        return setup_text(*setup);
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats < game_info.seats_min || seats > game_info.seats_max) return {};
        return setup_text(setup_for(static_cast<int>(seats)));
    }

    std::optional<std::string> params_with_seats(json::View params,
                                                 std::size_t seats) const override {
        auto setup = read_setup(params).value();
        if (seats < game_info.seats_min || seats > static_cast<std::size_t>(setup.teams)) return {};
        setup.teams = static_cast<int>(seats);
        setup.starts.resize(setup.cycles());
        return setup_text(setup);
    }

    std::string tell_end(json::View /*full_params*/, json::View detail, Seat seat) const override {
        const auto turns = detail.find("turns").integer().value_or(0);
        const auto out_in = detail.find("eliminated_turn").at(seat).integer();
        if (!out_in) {
            return "outlasted all others, with " +
                   base::counted(detail.find("survivors").integer().value_or(0), "living cycle") +
                   " after " + base::counted(turns, "turn");
        }
        std::int64_t longer = 0;
        std::int64_t as_long = 0;
        for (const auto other : detail.find("eliminated_turn").elements()) {
            longer += !other.integer() || *other.integer() > *out_in ? 1 : 0;
            as_long += other.integer() == out_in ? 1 : 0;
        }
        return fmt::format("its last cycle was terminated in turn {}; {} lasted longer{}", *out_in,
                           base::counted(longer, "team"),
                           as_long > 1 ? fmt::format(", {} as long", as_long - 1) : "");
    }

    TypedMove move_from_text(std::string_view line) const override { return cells_from(line); }

    std::string move_in_words(json::View move) const override {
        return base::joined(move.elements(), "  ", told);
    }
};

}  // namespace

std::string draw_arena(const Arena& arena) {
    constexpr Screen without_its_title{terminal.columns, terminal.lines - 1};
    return draw_in_blocks(arena, without_its_title);
}

std::string draw_around_team(const Arena& arena, Seat team, const Screen& screen) {
    const auto own = arena.cycles_per_team();
    std::vector<std::size_t> living;
    for (auto cycle = team * own; cycle < (team + 1) * own; ++cycle) {
        if (arena.living(cycle)) living.push_back(cycle);
    }
    const auto& setup = arena.setup();
    const bool fits = setup.width <= static_cast<int>(screen.columns) &&
                      setup.height <= lines_for_grid(arena, screen);
    if (fits || living.empty()) return draw_in_blocks(arena, screen);

    const auto parts = std::min(living.size(), parts_max);
    const auto columns = std::max(screen.columns, parts * part_gap + parts);
    const int width = odd(static_cast<int>((columns - (parts - 1) * part_gap) / parts));
    // A line tells of cycles without a part; that of the turn is left out.
    const auto texts = title_lines + (living.size() > parts ? 1U : 0U) - 1;
    const int height = odd(
        std::clamp(lines_for_grid(arena, screen) - static_cast<int>(texts), 1, part_height_max));
    auto picture = picture_of(arena, 1, 1);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < parts; ++i) {
        const auto part = part_around(arena, picture, living[i], width, height);
        lines.resize(part.size());
        for (std::size_t line = 0; line < part.size(); ++line) {
            lines[line].resize(i * (static_cast<std::size_t>(width) + part_gap), ' ');
            lines[line] += part[line];
        }
    }
    std::string text;
    for (const auto& line : lines) text += line + "\n";
    return text + others_text(arena, std::span(living).subspan(parts), screen) + teams_text(arena);
}

std::unique_ptr<Game> make_game(const Resources&) {
    return std::make_unique<CyclesGame>();
}

}  // namespace engines::light_cycles
