#include "engines/walls/walls.h"

#include <algorithm>
#include <utility>

#include "engines/engine_text.h"
#include "protocol/base/assertion.h"
#include "protocol/base/result.h"
#include "protocol/base/text.h"

namespace engines::walls {
namespace {

constexpr int facings = 4;

int other(int player) {
    return 1 - player;
}

constexpr std::array<std::string_view, 3> reference_bots = {"walls-random", "walls-greedy",
                                                            "walls-minimax"};
constexpr std::int64_t turn_budget_us = 1'000'000;
// Two games, so that each player moves first once; everybody keeps its seat.
constexpr std::uint32_t match_games = 2;
constexpr std::array<std::string_view, match_games> match_setups = {R"({"first":0})",
                                                                    R"({"first":1})"};

constexpr std::array<DetailMember, 1> detail_members{{{"moves", DetailMember::Is::number}}};

constexpr ByHand by_hand{
    .example = "F",
    .keys = "F, L or R",
    .legend = R"(F  one square forward, leaving a brick      L, R  turn left, right on the spot
Nine moves in a row without a new brick, and you never move again.
a (seat 0) and b (seat 1) are the players, A and B their bricks, . no brick yet;
an arrow (^ > v <) is where a player looks.
)"};

struct Params {
    int size = size_default;
    int first = 0;
};

void read_size(json::Reader& params, int& size) {
    const auto given = params.optional("size");
    if (!given) return;
    const auto value = given.view().integer().value_or(0);
    if (value < size_min || value > size_max || value % 2 == 0) {
        given.expected(fmt::format("an odd integer from {} to {}", size_min, size_max));
        return;
    }
    size = static_cast<int>(value);
}

void read_first(json::Reader& params, int& first) {
    const auto given = params.optional("first");
    if (!given) return;
    const auto value = given.view().integer();
    if (!value || *value < 0 || *value >= players) {
        given.expected("0 or 1, the player that moves first");
        return;
    }
    first = static_cast<int>(*value);
}

base::Result<Params, SetupError> read_setup(json::View view) {
    Params params;
    json::Mistakes mistakes;
    const json::Placed given(view, mistakes, "params");
    if (given) given.object(R"({"size": 5, "first": 0})");
    json::Reader reader(given);
    reader.only({"size", "first"});
    read_size(reader, params.size);
    read_first(reader, params.first);
    if (mistakes) return base::failure(refusal(mistakes));
    return params;
}

std::string setup_text(const Params& params) {
    return json::object_text([&](json::Writer& writer) {
        writer.member("size", params.size).member("first", params.first);
    });
}

std::string how_it_ended(bool all_have_a_brick, std::uint64_t moves) {
    return fmt::format(
        "the game ended after {}, when {}", base::counted(moves, "move"),
        all_have_a_brick
            ? "every square had a brick"
            : fmt::format("both were stalled: {} moves in a row without a new brick", idle_max));
}

constexpr GameInfo game_info{
    .id = "walls",
    .title = "Walls",
    .seats_min = players,
    .seats_max = players,
    .seats_default = players,
    .clock = {.budget_us = turn_budget_us},
    .match = {.games = match_games, .seats_rotate = false, .setups = match_setups},
    .move_example = "\"F\"",
    .reference_bots = reference_bots,
    .by_hand = by_hand,
    .detail = detail_members,
    .counting =
        "A turn's number counts the moves of both players, from 1 on: turn 11 is the sixth "
        "move of whoever moved first, as long as nobody is stalled. On a board A and B are "
        "the bricks of these players",
};

class WallsGame final : public Game {
 public:
    const GameInfo& info() const override { return game_info; }

    StartResult start(json::View view, std::uint32_t) const override {
        auto params = read_setup(view);
        if (!params) return base::failure(std::move(params.error()));
        return std::make_unique<WallsState>(params->size, params->first);
    }

    std::string full_params(json::View view) const override {
        const auto params = read_setup(view);
        REFEREE_ASSERT(params.has_value());
        return setup_text(*params);
    }

    std::optional<std::string> params_for(std::size_t seats) const override {
        if (seats != players) return {};
        return setup_text({});
    }

    std::string tell_end(json::View full_params, json::View detail, Seat seat) const override {
        const auto laid = [&](Seat of) {
            return detail.find("bricks").at(of).unsigned_integer().value_or(0);
        };
        const auto own = laid(seat);
        const auto other = laid(1 - seat);
        const auto size = full_params.find("size").unsigned_integer().value_or(0);
        return fmt::format("laid {}, {}; {}", base::counted(own, "brick"),
                           own == other ? "as many as the other player"
                                        : fmt::format("the other player {}", other),
                           how_it_ended(own + other == size * size,
                                        detail.find("moves").unsigned_integer().value_or(0)));
    }

    TypedMove move_from_text(std::string_view line) const override {
        const auto word = typed_word(line);
        if (word == "F" || word == "f") return "\"F\"";
        if (word == "L" || word == "l") return "\"L\"";
        if (word == "R" || word == "r") return "\"R\"";
        return base::failure(typed_instead(by_hand.keys, line));
    }

    std::string move_in_words(json::View move) const override {
        const auto letter = move.string();
        if (letter == "F") return "forward";
        if (letter == "L") return "turn left";
        if (letter == "R") return "turn right";
        return {};
    }
};

}  // namespace

Square ahead_of(Square from, Facing facing) {
    constexpr std::array<Square, facings> steps{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};
    const auto& step = steps.at(static_cast<std::size_t>(facing));
    return {from.row + step.row, from.column + step.column};
}

Facing turned(Facing facing, Move turn) {
    const int steps = turn == Move::right ? 1 : facings - 1;
    return static_cast<Facing>((static_cast<int>(facing) + steps) % facings);
}

Position::Position(int size, int first)
    : size_(size),
      squares_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), unmarked),
      to_move_(first) {
    REFEREE_ASSERT(size >= size_min && size <= size_max && size % 2 == 1);
    REFEREE_ASSERT(first == 0 || first == 1);
    const int centre = size / 2;
    pawns_[0].at = {centre, centre - 1};
    pawns_[0].facing = Facing::west;
    pawns_[1].at = {centre, centre + 1};
    pawns_[1].facing = Facing::east;
}

Position::Position(int size, std::string squares, const std::array<Pawn, players>& pawns,
                   int to_move)
    : size_(size), squares_(std::move(squares)), pawns_(pawns), to_move_(to_move) {
    REFEREE_ASSERT(squares_.size() == static_cast<std::size_t>(this->squares()));
    for (std::size_t i = 0; i < pawns_.size(); ++i) {
        REFEREE_ASSERT(on_board(pawns_[i].at));
        pawns_[i].bricks =
            static_cast<int>(std::count(squares_.begin(), squares_.end(), brick_letters[i]));
    }
}

bool Position::on_board(Square at) const {
    return at.row >= 0 && at.row < size_ && at.column >= 0 && at.column < size_;
}

bool Position::can_enter(int player, Square at) const {
    return on_board(at) && at != pawn(other(player)).at &&
           square(at) != brick_letters[static_cast<std::size_t>(other(player))];
}

Played Position::play(Move move) {
    REFEREE_ASSERT(!over());
    const int player = to_move_;
    Pawn& pawn = pawns_[static_cast<std::size_t>(player)];
    Played played{player, pawn, false};
    if (move == Move::left || move == Move::right) {
        pawn.facing = turned(pawn.facing, move);
    } else if (move == Move::forward) {
        const Square ahead = ahead_of(pawn.at, pawn.facing);
        if (can_enter(player, ahead)) {
            char& left_behind = squares_[index(pawn.at)];
            if (left_behind == unmarked) {
                left_behind = brick_letters[static_cast<std::size_t>(player)];
                played.new_brick = true;
            }
            pawn.at = ahead;
        }
    }
    if (played.new_brick) {
        ++pawn.bricks;
        pawn.idle = 0;
    } else {
        pawn.stalled = ++pawn.idle >= idle_max;
    }
    to_move_ = next_after(player);
    return played;
}

void Position::undo(const Played& played) {
    pawns_[static_cast<std::size_t>(played.player)] = played.before;
    if (played.new_brick) squares_[index(played.before.at)] = unmarked;
    to_move_ = played.player;
}

int Position::next_after(int player) const {
    if (bricks() == squares()) return nobody;
    if (!pawn(other(player)).stalled) return other(player);
    return pawn(player).stalled ? nobody : player;
}

std::unique_ptr<Game> make_game(const Resources&) {
    return std::make_unique<WallsGame>();
}

}  // namespace engines::walls
