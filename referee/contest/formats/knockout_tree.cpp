#include "referee/contest/formats/knockout_tree.h"

#include <algorithm>
#include <bit>

#include "protocol/base/assertion.h"

namespace referee::formats {

namespace {

using Kind = Source::Kind;

// Seeds in the order of the first round's places: 0 7 3 4 1 6 2 5 for eight.
std::vector<std::size_t> places_of_seeds(std::size_t size) {
    std::vector<std::size_t> order{0};
    while (order.size() < size) {
        const std::size_t doubled = order.size() * 2;
        std::vector<std::size_t> next;
        for (const auto seed : order) {
            next.push_back(seed);
            next.push_back(doubled - 1 - seed);
        }
        order = std::move(next);
    }
    return order;
}

class Builder {
 public:
    explicit Builder(std::size_t entrants) : entrants_(entrants) { REFEREE_ASSERT(entrants >= 2); }

    // The rounds of those who haven't lost; nodes by round.
    std::vector<std::vector<std::size_t>> winners_rounds(bool loser_is_out) {
        std::vector<std::vector<std::size_t>> rounds;
        std::vector<Source> field;
        for (const auto seed : places_of_seeds(std::bit_ceil(entrants_))) {
            field.push_back({seed < entrants_ ? Kind::seed : Kind::nobody, seed});
        }
        for (std::uint32_t round = 1; field.size() > 1; ++round) {
            rounds.push_back(pair_off(field, round, loser_is_out));
            field.clear();
            for (const auto node : rounds.back()) field.push_back({Kind::winner_of, node});
        }
        return rounds;
    }

    std::vector<std::size_t> pair_off(const std::vector<Source>& field, std::uint32_t round,
                                      bool loser_is_out) {
        std::vector<std::size_t> nodes;
        for (std::size_t i = 0; i + 1 < field.size(); i += 2) {
            nodes.push_back(add({round, field[i], field[i + 1], loser_is_out, false}));
        }
        return nodes;
    }

    std::size_t add(const KnockoutNode& node) {
        tree_.nodes.push_back(node);
        tree_.rounds = std::max(tree_.rounds, node.round);
        return tree_.nodes.size() - 1;
    }

    KnockoutTree tree_;

 private:
    std::size_t entrants_;
};

std::vector<Source> losers_of(std::vector<std::size_t> nodes, bool reversed) {
    if (reversed) std::reverse(nodes.begin(), nodes.end());
    std::vector<Source> sources;
    for (const auto node : nodes) sources.push_back({Kind::loser_of, node});
    return sources;
}

}  // namespace

KnockoutTree single_elimination(std::size_t entrants, bool third_place_match) {
    Builder builder(entrants);
    const auto rounds = builder.winners_rounds(true);
    auto& bracket = builder.tree_;
    bracket.final_node = rounds.back().front();
    if (third_place_match && rounds.size() >= 2) {
        const auto& semifinals = rounds[rounds.size() - 2];
        for (const auto node : semifinals) bracket.nodes[node].loser_is_out = false;
        bracket.third_place_node = builder.add({bracket.rounds,
                                                {Kind::loser_of, semifinals[0]},
                                                {Kind::loser_of, semifinals[1]},
                                                true,
                                                false});
    }
    return std::move(builder.tree_);
}

KnockoutTree double_elimination(std::size_t entrants, bool second_final) {
    Builder builder(entrants);
    const auto rounds = builder.winners_rounds(false);
    // In turn: those with one loss among themselves, then against the losers of the next round
    // above, whose order is turned round each time so that first opponents meet late again.
    std::vector<Source> field = losers_of(rounds[0], false);
    std::uint32_t round = 2;
    for (std::size_t above = 1; above < rounds.size(); ++above) {
        std::vector<Source> survivors;
        for (const auto node : builder.pair_off(field, round, true)) {
            survivors.push_back({Kind::winner_of, node});
        }
        ++round;
        const auto fallen = losers_of(rounds[above], above % 2 == 1);
        field.clear();
        for (std::size_t i = 0; i < fallen.size(); ++i) {
            field.push_back(fallen[i]);
            field.push_back(survivors[i]);
        }
        std::vector<Source> next;
        for (const auto node : builder.pair_off(field, round, true)) {
            next.push_back({Kind::winner_of, node});
        }
        ++round;
        field = std::move(next);
    }
    auto& bracket = builder.tree_;
    bracket.final_node = builder.add(
        {round, {Kind::winner_of, rounds.back().front()}, field.front(), !second_final, false});
    if (second_final) {
        const auto first = bracket.final_node;
        builder.add(
            {round + 1, bracket.nodes[first].first, bracket.nodes[first].second, true, true});
    }
    return std::move(builder.tree_);
}

}  // namespace referee::formats
