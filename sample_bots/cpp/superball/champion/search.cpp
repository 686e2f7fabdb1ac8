#include "sample_bots/cpp/superball/champion/search.h"

#include <algorithm>
#include <limits>

namespace bots::superball::champion {
namespace {

using engines::superball::dealt_after_score;
using engines::superball::dealt_after_swap;

constexpr std::size_t exact_first = 40;  // swaps evaluated in full, of those on the board
constexpr std::size_t exact_later = 12;  // and of those later on
constexpr std::size_t spare_swaps = 4;   // times as many are kept until the best are picked

// Rounds of looking ahead: so many moves are played on with so many more deals each, and the best
// of them by the mean of all their deals go on to the next round.
struct Round {
    std::size_t moves;
    int deals;
};
struct Outlook {
    std::array<Round, 3> rounds;
    int turns;  // that are played on
};
constexpr Outlook usual{{{{8, 2}, {4, 2}, {2, 4}}}, 1};
// Nearly all games are lost on few of their boards: about one in eleven is worth less than this,
// and there the player looks further.
constexpr float safe_worth = 0.9F;
constexpr Outlook in_danger{{{{8, 6}, {4, 6}, {2, 12}}}, 4};

bool better(const Choice& a, const Choice& b) {
    return a.worth > b.worth;
}

Bits nth_bit(Bits set, std::size_t n) {
    for (; n > 0; --n) set &= set - 1;
    return lowest(set);
}

}  // namespace

void play(Pieces& pieces, const Choice& choice) {
    pieces.of[static_cast<std::size_t>(choice.color)] ^= choice.cells;
    if (!choice.collects) pieces.of[static_cast<std::size_t>(choice.other_color)] ^= choice.cells;
}

int dealt_after(const Choice& choice) {
    return choice.collects ? dealt_after_score : dealt_after_swap;
}

// The groups of a colour, or its clusters: groups with gaps of one cell.
struct Search::ColorParts {
    struct Part {
        Bits cells = 0;
        int size = 0;
        int zone = 0;
        float worth = 0;
    };
    class Partition {
     public:
        void add(const Part& part) {
            for (Bits rest = part.cells; rest != 0; rest &= rest - 1) {
                number_at_[static_cast<std::size_t>(lowest_place(rest))] =
                    static_cast<std::uint8_t>(parts_.size());
            }
            parts_.push_back(part);
        }
        const Part& at(Bits cell) const {
            return parts_[number_at_[static_cast<std::size_t>(lowest_place(cell))]];
        }
        // What a new piece joins, itself included, where it touches these cells of the colour:
        // `worth` is what the joined parts had.
        Part joined(Bits piece, int zone, Bits touched) const {
            Part whole{piece, 1, zone, 0};
            for (Bits rest = touched; rest != 0;) {
                const auto& part = at(lowest(rest));
                rest &= ~part.cells;
                whole.size += part.size;
                whole.zone = std::min(whole.zone, part.zone);
                whole.worth += part.worth;
            }
            return whole;
        }

     private:
        std::vector<Part> parts_;
        std::array<std::uint8_t, bits_max> number_at_{};
    };

    Bits pieces = 0;
    Partition groups;          // worth: by size and zone alone
    Partition clusters;        // worth: likewise
    Partition whole_clusters;  // worth: with that of their groups
};

Search::Search(const Field& field, std::uint64_t min_score_size, std::uint64_t seed)
    : field_(field),
      min_score_size_(min_score_size),
      evaluation_(field, min_score_size),
      random_(seed) {}

void Search::list_collects(const Pieces& pieces, Bits empty) {
    for (int color = 0; color < pieces.colors; ++color) {
        const Bits own = pieces.of[static_cast<std::size_t>(color)];
        for (Bits rest = own & field_.goals(); rest != 0;) {
            const Bits group = field_.connected(lowest(rest), own);
            rest &= ~group;
            if (static_cast<std::uint64_t>(count(group)) < min_score_size_) continue;
            const Bits empty_then = empty | group;
            if (count(empty_then) < dealt_after_score) continue;
            const auto& weights = evaluation_.weights(count(empty_then) - dealt_after_score);
            Choice choice{true, group, color, color, weights.base};
            for (int other = 0; other < pieces.colors; ++other) {
                Bits left = pieces.of[static_cast<std::size_t>(other)];
                if (other == color) left &= ~group;
                choice.worth += evaluation_.worth(left, empty_then, weights);
            }
            choices_.push_back(choice);
        }
    }
}

Search::ColorParts Search::parts_of(Bits pieces, Bits empty, const Weights& weights) const {
    ColorParts parts;
    parts.pieces = pieces;
    for (Bits rest = pieces; rest != 0;) {
        const Bits group = field_.connected(lowest(rest), pieces);
        rest &= ~group;
        const int size = count(group);
        const int zone = field_.zone(group);
        parts.groups.add({group, size, zone, evaluation_.group_worth(zone, size, weights)});
    }
    for (Bits rest = pieces; rest != 0;) {
        const Bits cluster = field_.loosely_connected(lowest(rest), pieces);
        rest &= ~cluster;
        const int size = count(cluster);
        const int zone = field_.zone(cluster);
        parts.clusters.add({cluster, size, zone, evaluation_.cluster_worth(zone, size, weights)});
        parts.whole_clusters.add(
            {cluster, size, zone, evaluation_.worth_of_clusters(cluster, empty, weights)});
    }
    return parts;
}

float Search::gain_with(Bits at, const ColorParts& parts, Bits empty,
                        const Weights& weights) const {
    const int own_zone = field_.zone(at);
    const Bits beside = field_.grown(at);
    const auto group = parts.groups.joined(at, own_zone, beside & parts.pieces);
    const auto cluster =
        parts.clusters.joined(at, own_zone, field_.around(lowest_place(at)) & parts.pieces);
    return evaluation_.group_worth(group.zone, group.size, weights) - group.worth +
           evaluation_.liberty_worth(group.zone, group.size, count(beside & empty), weights) +
           evaluation_.cluster_worth(cluster.zone, cluster.size, weights) - cluster.worth;
}

void Search::weigh_pieces(const Pieces& pieces, Bits empty, const Weights& weights) {
    weighed_.clear();
    for (Bits rest = pieces.taken(); rest != 0; rest &= rest - 1) {
        weighed_.push_back({lowest(rest), 0, 0, {}});
    }
    for (int color = 0; color < pieces.colors; ++color) {
        const auto parts = parts_of(pieces.of[static_cast<std::size_t>(color)], empty, weights);
        for (auto& piece : weighed_) {
            if ((piece.at & parts.pieces) == 0) {
                piece.with[static_cast<std::size_t>(color)] =
                    gain_with(piece.at, parts, empty, weights);
                continue;
            }
            piece.color = color;
            const auto& cluster = parts.whole_clusters.at(piece.at);
            piece.without =
                evaluation_.worth_of_clusters(cluster.cells ^ piece.at, empty, weights) -
                cluster.worth;
        }
    }
}

void Search::collect_swaps(std::size_t count_max) {
    swaps_.clear();
    auto gain_min = std::numeric_limits<float>::lowest();
    const auto keep_best = [&] {
        const auto last = swaps_.begin() + static_cast<std::ptrdiff_t>(count_max) - 1;
        std::nth_element(swaps_.begin(), last, swaps_.end(), better);
        swaps_.resize(count_max);
        gain_min = swaps_.back().worth;
    };
    for (std::size_t i = 0; i < weighed_.size(); ++i) {
        const auto& a = weighed_[i];
        for (std::size_t j = i + 1; j < weighed_.size(); ++j) {
            const auto& b = weighed_[j];
            if (a.color == b.color) continue;
            const float gain = a.without + b.without + a.with[static_cast<std::size_t>(b.color)] +
                               b.with[static_cast<std::size_t>(a.color)];
            if (gain <= gain_min) continue;
            swaps_.push_back({false, a.at | b.at, a.color, b.color, gain});
            if (swaps_.size() == spare_swaps * count_max) keep_best();
        }
    }
    if (swaps_.size() > count_max) keep_best();
}

void Search::list_swaps(const Pieces& pieces, Bits empty, std::size_t exact) {
    const auto& weights = evaluation_.weights(count(empty) - dealt_after_swap);
    weigh_pieces(pieces, empty, weights);
    collect_swaps(exact);
    std::array<float, colors_max> worth{};
    float total = weights.base;
    for (int color = 0; color < pieces.colors; ++color) {
        auto& own = worth[static_cast<std::size_t>(color)];
        own = evaluation_.worth(pieces.of[static_cast<std::size_t>(color)], empty, weights);
        total += own;
    }
    for (auto& swap : swaps_) {
        const auto a = static_cast<std::size_t>(swap.color);
        const auto b = static_cast<std::size_t>(swap.other_color);
        swap.worth = total - worth[a] - worth[b] +
                     evaluation_.worth(pieces.of[a] ^ swap.cells, empty, weights) +
                     evaluation_.worth(pieces.of[b] ^ swap.cells, empty, weights);
        choices_.push_back(swap);
    }
}

void Search::list(const Pieces& pieces, std::size_t count_max, std::size_t exact) {
    choices_.clear();
    const Bits empty = field_.all() & ~pieces.taken();
    list_collects(pieces, empty);
    if (count(empty) >= dealt_after_swap) list_swaps(pieces, empty, exact);
    const auto kept = std::min(count_max, choices_.size());
    std::partial_sort(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(kept),
                      choices_.end(), better);
    choices_.resize(kept);
}

std::optional<Choice> Search::best(const Pieces& pieces) {
    list(pieces, 1, exact_later);
    if (choices_.empty()) return std::nullopt;
    return choices_.front();
}

bool Search::deal(Pieces& pieces, int pieces_count, base::SplitMix& random) const {
    Bits empty = field_.all() & ~pieces.taken();
    for (int i = 0; i < pieces_count; ++i) {
        if (empty == 0) return false;
        const Bits cell = nth_bit(empty, random.below(static_cast<std::size_t>(count(empty))));
        empty &= ~cell;
        pieces.of[random.below(static_cast<std::size_t>(pieces.colors))] |= cell;
    }
    return true;
}

float Search::look_ahead(const Pieces& pieces, const Choice& choice, int turns,
                         std::uint64_t seed) {
    base::SplitMix random(seed);
    Pieces then = pieces;
    auto next = choice;
    double worth = 0;
    double share = 1;  // of the turns to come, those after the ones played
    for (;;) {
        play(then, next);
        if (!deal(then, dealt_after(next), random)) break;
        const auto found = best(then);
        if (!found) break;
        if (--turns == 0) {
            worth += share * static_cast<double>(std::max(0.0F, found->worth));
            break;
        }
        worth += share * (1 - discount);
        share *= discount;
        next = *found;
    }
    return static_cast<float>(worth);
}

std::optional<Choice> Search::choose(const Pieces& pieces) {
    list(pieces, usual.rounds.front().moves, exact_first);
    auto remaining = choices_;
    if (remaining.empty()) return std::nullopt;
    const auto& outlook = remaining.front().worth < safe_worth ? in_danger : usual;
    for (auto& choice : remaining) choice.worth = 0;
    for (const auto& round : outlook.rounds) {
        if (remaining.size() == 1) break;
        if (remaining.size() > round.moves) remaining.resize(round.moves);
        for (int i = 0; i < round.deals; ++i) {
            const auto seed = random_.next();  // the same deal for all, so that luck weighs less
            for (auto& choice : remaining)
                choice.worth += look_ahead(pieces, choice, outlook.turns, seed);
        }
        std::stable_sort(remaining.begin(), remaining.end(), better);
    }
    return remaining.front();
}

}  // namespace bots::superball::champion
