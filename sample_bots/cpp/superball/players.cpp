#include "sample_bots/cpp/superball/players.h"

#include "sample_bots/cpp/superball/reading.h"
#include "sample_bots/cpp/superball/strategies.h"

namespace bots::superball {
namespace {

using ChooseMove = Move (*)(const Board& board, std::uint64_t min_score_size);

class BoardPlayer final : public kit::Player {
 public:
    BoardPlayer(const kit::GameStart& start, ChooseMove choose)
        : rules_(read_rules(start.params)), choose_(choose) {}

    std::string move(const kit::Turn& turn) override {
        const auto board = rules_ ? read_board(*rules_, turn.state) : std::nullopt;
        if (!board) return "null";  // no game of Superball: there is nothing better to say
        return '"' + engines::superball::to_text(choose_(*board, rules_->min_score_size)) + '"';
    }

 private:
    std::optional<engines::superball::Rules> rules_;
    ChooseMove choose_;
};

}  // namespace

std::unique_ptr<kit::Player> make_random(const kit::GameStart& start) {
    return std::make_unique<BoardPlayer>(start, random_move);
}

std::unique_ptr<kit::Player> make_level2(const kit::GameStart& start) {
    return std::make_unique<BoardPlayer>(start, grouping_move);
}

std::unique_ptr<kit::Player> make_level3(const kit::GameStart& start) {
    return std::make_unique<BoardPlayer>(start, goal_move);
}

std::unique_ptr<kit::Player> make_champion(const kit::GameStart& start) {
    return std::make_unique<BoardPlayer>(start, champion_move);
}

}  // namespace bots::superball
