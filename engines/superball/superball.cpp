#include "engines/superball/superball.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engines/engine_text.h"
#include "protocol/base/text.h"

namespace engines::superball {
namespace {

constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

void read_colors(json::Reader& params, std::string& into) {
    const auto given = params.optional("colors");
    if (!given) return;
    const auto letters = given.view().string();
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    bool good = letters && !letters->empty() && letters->size() <= colors_max &&
                std::all_of(letters->begin(), letters->end(), is_letter);
    if (good) {
        std::string sorted(*letters);
        std::sort(sorted.begin(), sorted.end());
        good = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }
    if (good) {
        into = *letters;
    } else {
        given.expected("a string of 1 to 26 different lower-case letters, such as \"pbyrg\"");
    }
}

constexpr std::int64_t turn_limit_us =
    60'000'000;  // the pace is the game's clock; this ends a hang

constexpr std::array<std::string_view, 4> reference_bots{"superball-random", "superball-level2",
                                                         "superball-level3", "superball-champion"};

constexpr std::array<DetailMember, 2> detail_members{
    {{"score", DetailMember::Is::number}, {"moves", DetailMember::Is::number}}};

constexpr ByHand by_hand{
    .example = "SWAP 0 1 7 2",
    .keys = "SWAP r1 c1 r2 c2 or SCORE r c",
    .legend = R"(SWAP r1 c1 r2 c2  exchange two pieces, by row and column; five new ones come
SCORE r c         take off the group of the piece at r, c, if it is large enough
                  and that is a goal cell; three new ones come
A letter is a piece, a capital one lies on a goal cell; . is an empty cell, * an
empty goal cell. Rows are numbered at the left, columns above.
)"};

constexpr GameInfo game_info{
    .id = "superball",
    .title = "Superball",
    .seats_min = 1,
    .seats_max = 1,
    .seats_default = 1,
    .simultaneous = false,
    .clock = {.kind = ClockKind::none, .measure = Measure::cpu, .hard_limit_us = turn_limit_us},
    .move_example = "\"SWAP 0 1 7 2\"",
    .reference_bots = reference_bots,
    .by_hand = by_hand,
    .detail = detail_members,
    .counting = "Rows and columns count from 0, the corner at the top left",
};

// Why a game ended, by the word of its outcome.
std::string_view why_ended(std::string_view by) {
    if (by == "full") return "the board was full";
    if (by == "illegal") return "a move was not possible, which leaves no points";
    if (by == "missing") return "no move was given, which leaves no points";
    return "it was too slow for its points";  // "pace"
}

// "7,2": row and column.
std::string place_of(Cell cell) {
    return fmt::format("{},{}", cell.row, cell.col);
}

class Superball final : public Game {
 public:
    const GameInfo& info() const override { return game_info; }

    StartResult start(json::View params, std::uint32_t seed) const override {
        auto rules = read_setup(params);
        if (!rules) return base::failure(std::move(rules.error()));
        return std::make_unique<SuperballState>(*rules, seed);
    }

    std::string full_params(json::View params) const override {
        return setup_text(read_setup(params).value());
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != 1) return std::nullopt;
        return setup_text(Rules());
    }

    std::string tell_end(json::View /*full_params*/, json::View detail,
                         Seat /*the only one*/) const override {
        const auto score = detail.find("score").integer().value_or(0);
        const auto by = detail.find("ended_by").text();
        const bool keeps_points = by == "full" || by == "pace";
        return fmt::format("scored {} with {}{}; it ended because {}", score,
                           base::counted(detail.find("moves").integer().value_or(0), "move"),
                           score == 0 && keeps_points ? ", none of them a SCORE" : "",
                           why_ended(by));
    }

    // People may write small letters.
    TypedMove move_from_text(std::string_view line) const override {
        std::string capitals(line);
        for (char& c : capitals) {
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        }
        const auto parsed = parse_move(capitals);
        if (const auto* swap = std::get_if<Swap>(&parsed)) return '"' + to_text(*swap) + '"';
        if (const auto* collect = std::get_if<Collect>(&parsed))
            return '"' + to_text(*collect) + '"';
        const auto* bad = std::get_if<BadMove>(&parsed);
        if (bad != nullptr && bad->knows_form) return base::failure(bad->message);
        return base::failure(typed_instead(by_hand.keys, line));
    }

    std::string move_in_words(json::View move) const override {
        const auto text = move.string();
        if (!text) return {};
        const auto parsed = parse_move(*text);
        if (const auto* swap = std::get_if<Swap>(&parsed))
            return "swap " + place_of(swap->first) + " and " + place_of(swap->second);
        if (const auto* collect = std::get_if<Collect>(&parsed))
            return "score " + place_of(collect->goal);
        return {};
    }
};

}  // namespace

base::Result<Rules, SetupError> read_setup(json::View params) {
    Rules rules;
    json::Mistakes mistakes;
    const json::Placed given(params, mistakes, "params");
    if (given) given.object(R"({"rows": 8})");
    json::Reader reader(given);
    reader.only({"rows", "cols", "min_score_size", "colors", "pace_us"});
    reader.integer("rows", rules.rows, 1, side_max, "8");
    reader.integer("cols", rules.cols, 1, side_max, "10");
    reader.integer("min_score_size", rules.min_score_size, 1, no_bound, "5");
    read_colors(reader, rules.colors);
    reader.integer("pace_us", rules.pace_us, 0, no_bound, "5000000");
    if (mistakes) return base::failure(refusal(mistakes));
    return rules;
}

std::string setup_text(const Rules& rules) {
    return json::object_text([&](json::Writer& writer) {
        writer.member("rows", rules.rows).member("cols", rules.cols);
        writer.member("min_score_size", rules.min_score_size).member("colors", rules.colors);
        writer.member("pace_us", rules.pace_us);
    });
}

std::unique_ptr<Game> make_game(const Resources&) {
    return std::make_unique<Superball>();
}

}  // namespace engines::superball
