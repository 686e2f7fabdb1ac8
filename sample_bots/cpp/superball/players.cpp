#include "sample_bots/cpp/superball/players.h"

#include <vector>

#include "engines/superball/superball.h"
#include "protocol/base/assertion.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/superball/champion/search.h"

namespace bots::superball {

std::optional<engines::superball::Rules> read_rules(protocol::json::View params) {
    auto read = engines::superball::read_setup(params);
    return read ? std::optional(*std::move(read)) : std::nullopt;
}

std::optional<engines::superball::Board> read_board(const engines::superball::Rules& rules,
                                                    protocol::json::View state) {
    const auto rows = state.find("board");
    if (rows.size() != static_cast<std::size_t>(rules.rows) || !rows.is_array())
        return std::nullopt;
    engines::superball::Board board(rules);
    int row = 0;
    for (const auto element : rows.elements()) {
        const auto letters = element.string();
        if (!letters || !board.set_row(row++, *letters)) return std::nullopt;
    }
    return board;
}

namespace {

using engines::superball::Collect;
using engines::superball::dealt_after_swap;
using engines::superball::no_piece;
using engines::superball::Swap;

std::vector<int> pieces_of(const Board& board) {
    std::vector<int> pieces;
    for (int cell = 0; cell < board.size(); ++cell) {
        if (!board.is_empty(cell)) pieces.push_back(cell);
    }
    return pieces;
}

// FNV-1a over the pieces, so that the same board always gets the same numbers.
std::uint64_t hash_of(const Board& board) {
    constexpr std::uint64_t basis = 0xCBF29CE484222325ULL;
    constexpr std::uint64_t prime = 0x100000001B3ULL;
    std::uint64_t hash = basis;
    for (int cell = 0; cell < board.size(); ++cell) {
        hash = (hash ^ static_cast<std::uint64_t>(board.at(cell) - no_piece)) * prime;
    }
    return hash;
}

Move swap_or_any(const Board& board, const GroupRating& rating) {
    const auto swap = best_swap(board, rating);
    return swap ? Move(*swap) : any_swap(board);
}

// Where the next swap's pieces don't fit in.
std::optional<Collect> set_if_crowded(const Board& board, std::uint64_t min_score_size) {
    return board.empty() < dealt_after_swap ? largest_set(board, min_score_size) : std::nullopt;
}

using ChooseMove = Move (*)(const Board& board, std::uint64_t min_score_size);

class BoardPlayer final : public Player {
 public:
    BoardPlayer(const GameStart& start, ChooseMove choose)
        : rules_(read_rules(start.params)), choose_(choose) {}

    std::string move(const Turn& turn) override {
        const auto board = rules_ ? read_board(*rules_, turn.state) : std::nullopt;
        if (!board) return "null";  // no game of Superball: there is nothing better to say
        return '"' + engines::superball::to_text(choose_(*board, rules_->min_score_size)) + '"';
    }

 private:
    std::optional<engines::superball::Rules> rules_;
    ChooseMove choose_;
};

}  // namespace

std::optional<Collect> largest_set(const Board& board, std::uint64_t min_score_size) {
    const Group* largest = nullptr;
    const Grouping grouping(board);
    for (const auto& group : grouping.groups()) {
        if (group.goal_cell < 0 || static_cast<std::uint64_t>(group.size) < min_score_size)
            continue;
        if (largest != nullptr && group.size <= largest->size) continue;
        largest = &group;
    }
    if (largest == nullptr) return std::nullopt;
    return Collect{board.cell(largest->goal_cell)};
}

Move any_swap(const Board& board) {
    const auto pieces = pieces_of(board);
    REFEREE_ASSERT(pieces.size() >= 2);
    return Swap{board.cell(pieces.front()), board.cell(pieces.back())};
}

Move random_move(const Board& board, std::uint64_t min_score_size) {
    if (const auto set = set_if_crowded(board, min_score_size)) return *set;
    const auto pieces = pieces_of(board);
    REFEREE_ASSERT(pieces.size() >= 2);
    base::SplitMix random(hash_of(board));
    const auto first = random.below(pieces.size());
    const auto second = (first + 1 + random.below(pieces.size() - 1)) % pieces.size();
    return Swap{board.cell(pieces[first]), board.cell(pieces[second])};
}

Move grouping_move(const Board& board, std::uint64_t min_score_size) {
    if (const auto set = set_if_crowded(board, min_score_size)) return *set;
    return swap_or_any(
        board, [](const Group& group) { return static_cast<double>(group.size) * group.size; });
}

Move goal_move(const Board& board, std::uint64_t min_score_size) {
    if (const auto set = set_if_crowded(board, min_score_size)) return *set;
    return swap_or_any(board, [](const Group& group) {
        constexpr double loss_per_step = 0.2;  // of a group's worth, for its way to a goal cell
        return static_cast<double>(group.size) * group.size /
               (1 + loss_per_step * group.goal_distance);
    });
}

Move champion_move(const Board& board, std::uint64_t min_score_size) {
    if (!champion::Field::fits(board)) return goal_move(board, min_score_size);
    const champion::Field field(board);
    champion::Search search(field, min_score_size, hash_of(board));
    const auto choice = search.choose(champion::pieces_on(board, field));
    if (!choice) return any_swap(board);
    const auto cell_of = [&](champion::Bits set) {
        return board.cell(field.cell(champion::lowest_place(set)));
    };
    if (choice->collects) return Collect{cell_of(choice->cells & field.goals())};
    const auto first = champion::lowest(choice->cells);
    return Swap{cell_of(first), cell_of(choice->cells ^ first)};
}

std::unique_ptr<Player> make_random(const GameStart& start) {
    return std::make_unique<BoardPlayer>(start, random_move);
}

std::unique_ptr<Player> make_level2(const GameStart& start) {
    return std::make_unique<BoardPlayer>(start, grouping_move);
}

std::unique_ptr<Player> make_level3(const GameStart& start) {
    return std::make_unique<BoardPlayer>(start, goal_move);
}

std::unique_ptr<Player> make_champion(const GameStart& start) {
    return std::make_unique<BoardPlayer>(start, champion_move);
}

}  // namespace bots::superball
