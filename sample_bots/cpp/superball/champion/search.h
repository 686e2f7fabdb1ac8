#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/superball/position.h"
#include "protocol/base/split_mix.h"
#include "sample_bots/cpp/superball/champion/evaluation.h"

// Which move is best: by the evaluation of the board that it leaves, and, for the most promising
// ones, by playing on with pieces dealt by own random numbers: one turn, or some turns where the
// board is in danger.
namespace bots::superball::champion {

// A move on sets of cells.
struct Choice {
    bool collects = false;
    Bits cells = 0;       // the group collected, or the two cells swapped
    int color = 0;        // of the group, or of one of the two
    int other_color = 0;  // of the other of the two
    float worth = 0;      // of the board that it leaves
};

// Plays the move; new pieces don't come by it.
void play(Pieces& pieces, const Choice& choice);
// How many pieces come after the move.
int dealt_after(const Choice& choice);

class Search {
 public:
    // Requires: the field fits the board, 1 or more for min_score_size. The field must outlive it.
    Search(const Field& field, std::uint64_t min_score_size, std::uint64_t seed);

    // The best move by looking ahead. Nothing where every move ends the game.
    std::optional<Choice> choose(const Pieces& pieces);
    // The best move by evaluation alone, likewise.
    std::optional<Choice> best(const Pieces& pieces);

    // Deals that many pieces; false where the board is too full for it.
    bool deal(Pieces& pieces, int count, base::SplitMix& random) const;

 private:
    // A piece on the board, and what changes by taking it away or by another colour in its place.
    struct Piece {
        Bits at = 0;
        int color = 0;
        float without = 0;
        std::array<float, colors_max> with{};
    };
    struct ColorParts;

    // The best moves by evaluation alone, best first.
    void list(const Pieces& pieces, std::size_t count, std::size_t exact);
    void list_collects(const Pieces& pieces, Bits empty);
    void list_swaps(const Pieces& pieces, Bits empty, std::size_t exact);
    // Fills swaps_ with the most promising ones.
    void collect_swaps(std::size_t count_max);
    void weigh_pieces(const Pieces& pieces, Bits empty, const Weights& weights);
    ColorParts parts_of(Bits pieces, Bits empty, const Weights& weights) const;
    // Near enough for choosing which swaps to evaluate in full: liberties of joined groups are
    // taken to stay as they were.
    float gain_with(Bits at, const ColorParts& parts, Bits empty, const Weights& weights) const;
    // Plays on for so many turns, each by evaluation alone: what they and the board after them are
    // worth.
    float look_ahead(const Pieces& pieces, const Choice& choice, int turns, std::uint64_t seed);

    const Field& field_;
    std::uint64_t min_score_size_;
    Evaluation evaluation_;
    base::SplitMix random_;
    // Kept between calls for their memory.
    std::vector<Choice> choices_;
    std::vector<Choice> swaps_;
    std::vector<Piece> weighed_;
};

}  // namespace bots::superball::champion
