#include "engines/light_cycles/light_cycles.h"

#include <array>
#include <charconv>

#include "engines/light_cycles/setup.h"
#include "engines/light_cycles/state.h"
#include "engines/words.h"
#include "protocol/base/assertion.h"

namespace engines::light_cycles {
namespace {

constexpr std::array<std::string_view, 2> reference_bots = {"cycles-dumb", "cycles-smarter"};
constexpr std::int64_t hard_limit_budgets = 20;
constexpr std::uint32_t match_games = 3;

constexpr std::array<std::string_view, 1> blameless{"shut_in"};

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
    std::string text;
    json::Writer writer(text);
    if (!cell.is_array()) {
        cell.write(writer);
        return text;
    }
    for (const auto part : cell.elements()) {
        if (!text.empty()) text += ',';
        json::Writer of_part(text);
        part.write(of_part);
    }
    return text;
}

class CyclesGame final : public Game {
 public:
    CyclesGame() {
        info_.id = "light_cycles";
        info_.title = "Light Cycles";
        info_.seats_min = teams_min;
        info_.seats_max = teams_max;
        info_.seats_default = teams_default;
        info_.simultaneous = true;
        // The budget is a mean over the game, which the rules themselves judge: a turn has only the
        // hard limit.
        info_.clock.kind = ClockKind::none;
        info_.clock.measure = Measure::cpu;
        info_.clock.budget_us = mean_budget_us_default;
        info_.clock.hard_limit_us = hard_limit_budgets * mean_budget_us_default;
        info_.match.games = match_games;
        info_.match.best_of = true;
        info_.match.least_time = true;
        info_.bad_move = BadMove::loses_pieces;
        info_.move_example = "[[168,45],[168,85],[168,125]]";
        info_.reference_bots = reference_bots;
        info_.by_hand = by_hand;
        info_.blameless = blameless;
        info_.detail = detail_members;
    }

    const GameInfo& info() const override { return info_; }

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
        if (seats < info_.seats_min || seats > info_.seats_max) return {};
        return setup_text(setup_for(static_cast<int>(seats)));
    }

    std::optional<std::string> params_with_seats(json::View params,
                                                 std::size_t seats) const override {
        auto setup = read_setup(params).value();
        if (seats < info_.seats_min || seats > static_cast<std::size_t>(setup.teams)) return {};
        setup.teams = static_cast<int>(seats);
        setup.starts.resize(setup.cycles());
        return setup_text(setup);
    }

    std::string tell_end(json::View /*full_params*/, json::View detail, Seat seat) const override {
        const auto turns = detail.find("turns").integer().value_or(0);
        const auto out_in = detail.find("eliminated_turn").at(seat).integer();
        if (!out_in) {
            return "outlasted all others, with " +
                   counted(detail.find("survivors").integer().value_or(0), "living cycle") +
                   " after " + counted(turns, "turn");
        }
        std::int64_t longer = 0;
        std::int64_t as_long = 0;
        for (const auto other : detail.find("eliminated_turn").elements()) {
            longer += !other.integer() || *other.integer() > *out_in ? 1 : 0;
            as_long += other.integer() == out_in ? 1 : 0;
        }
        return "its last cycle was terminated in turn " + std::to_string(*out_in) + "; " +
               counted(longer, "team") + " lasted longer" +
               (as_long > 1 ? ", " + std::to_string(as_long - 1) + " as long" : "");
    }

    TypedMove move_from_text(std::string_view line) const override { return cells_from(line); }

    std::string move_in_words(json::View move) const override {
        std::string words;
        for (const auto cell : move.elements()) words += (words.empty() ? "" : "  ") + told(cell);
        return words;
    }

 private:
    GameInfo info_;
};

}  // namespace

std::unique_ptr<Game> make_game(const Resources&) {
    return std::make_unique<CyclesGame>();
}

}  // namespace engines::light_cycles
