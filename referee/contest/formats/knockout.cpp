#include "referee/contest/formats/knockout.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/schedule.h"

namespace referee::formats {
namespace {

using Kind = Source::Kind;
using Seed = std::size_t;

class Knockout final : public RoundByRound {
 public:
    Knockout(KnockoutTree tree, std::size_t entrants, std::vector<Entrant> numbers)
        : tree_(std::move(tree)),
          numbers_(std::move(numbers)),
          decided_(tree_.nodes.size()),
          out_in_(entrants, 0) {}

    std::unique_ptr<Schedule> copy() const override { return std::make_unique<Knockout>(*this); }

    std::optional<std::uint64_t> matches_total() const override { return std::nullopt; }

    // An entrant that is still in the tree plays on.
    bool come_back(Entrant /*entrant*/, std::uint32_t /*round*/) override { return true; }

    // An entrant that goes out later stands higher; a third-place match is played in the round of
    // the final.
    std::optional<std::vector<std::size_t>> places() const override {
        std::vector<std::size_t> places(numbers_.size(), 1);
        for (Seed a = 0; a < numbers_.size(); ++a) {
            for (Seed b = 0; b < numbers_.size(); ++b) {
                if (standing(b) > standing(a)) ++places[numbers_[a]];
            }
        }
        return places;
    }
    bool has_places() const override { return true; }

 private:
    // What a node came to: seeds, or nobody.
    struct Decision {
        std::optional<Seed> winner;
        std::optional<Seed> loser;
        bool second_won = false;
    };

    std::optional<Seed> who(const Source& source) const {
        switch (source.kind) {
            case Kind::nobody:
                return std::nullopt;
            case Kind::seed:
                return source.index;
            case Kind::winner_of:
                return decided_[source.index].winner;
            case Kind::loser_of:
                return decided_[source.index].loser;
        }
        return std::nullopt;
    }

    // Greater is better. It tells the round in which the seed went out; a seed that is still in
    // comes after all rounds. In the last round the final stands above the match for the third
    // place.
    std::size_t standing(Seed seed) const {
        constexpr std::size_t steps = 3;  // of a round: fourth place, third place, final
        const std::size_t last = steps * tree_.rounds;
        if (tree_.third_place_node != SIZE_MAX) {
            const auto& third = decided_[tree_.third_place_node];
            if (third.winner == seed) return last + 1;
            if (third.loser == seed) return last;
        }
        return out_in_[seed] == 0 ? last + steps : steps * out_in_[seed] + 2;
    }

    std::optional<Round> draw(std::uint32_t round,
                              const std::vector<MatchResult>& results) override {
        for (const auto& result : results) decide(result);
        if (round > tree_.rounds) return std::nullopt;
        Round drawn_round;
        for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
            if (tree_.nodes[node].round == round) lay(node, drawn_round);
        }
        // A second final that nobody needs leaves an empty last round.
        if (drawn_round.matches.empty() && drawn_round.byes.empty() && round == tree_.rounds)
            return std::nullopt;
        return drawn_round;
    }

    // What the last round decided is open again; a third place that nobody contested stays.
    bool take_end_back() override {
        for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
            if (tree_.nodes[node].round >= drawn() && decided_[node].loser) decided_[node] = {};
        }
        std::ranges::replace(out_in_, drawn(), 0U);
        return true;
    }

    void lay(std::size_t index, Round& round) {
        const auto& node = tree_.nodes[index];
        const auto first = who(node.first);
        const auto second = who(node.second);
        if (node.only_if_second_won && !decided_[tree_.final_node].second_won) {
            const auto& final = decided_[tree_.final_node];
            decided_[index] = final;
            out_in_[*final.loser] = tree_.nodes[tree_.final_node].round;
            return;
        }
        if (first && second) {
            const auto better = std::min(*first, *second);
            const auto worse = std::max(*first, *second);
            nodes_of_matches_[numbers_[better]] = index;
            round.matches.push_back({numbers_[better], numbers_[worse]});
            return;
        }
        decided_[index].winner = first ? first : second;
        const bool is_pause = node.first.kind != Kind::nobody || node.second.kind != Kind::nobody;
        if (decided_[index].winner && is_pause)
            round.byes.push_back({node.round, numbers_[*decided_[index].winner], {}});
    }

    // Seat 0 of a match is its better seed.
    void decide(const MatchResult& result) {
        const auto index = nodes_of_matches_.at(result.seats[0]);
        const auto& node = tree_.nodes[index];
        const Seed first = *who(node.first);
        const Seed second = *who(node.second);
        const Seed better = std::min(first, second);
        const Seed worse = std::max(first, second);
        const bool upset = decision_of(result).winner == 1;
        auto& decision = decided_[index];
        decision.winner = upset ? worse : better;
        decision.loser = upset ? better : worse;
        decision.second_won = decision.winner == second;
        if (node.loser_is_out) out_in_[*decision.loser] = node.round;
    }

    KnockoutTree tree_;
    std::vector<Entrant> numbers_;
    std::vector<Decision> decided_;
    std::vector<std::uint32_t> out_in_;  // by seed: the round it went out in, or 0
    // By the entrant in seat 0: of its last match.
    std::map<Entrant, std::size_t> nodes_of_matches_;
};

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
        for (const auto seed : places_of_seeds(std::bit_ceil(entrants_)))
            field.push_back({seed < entrants_ ? Kind::seed : Kind::nobody, seed});
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
        for (std::size_t i = 0; i + 1 < field.size(); i += 2)
            nodes.push_back(add({round, field[i], field[i + 1], loser_is_out, false}));
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
    if (reversed) std::ranges::reverse(nodes);
    std::vector<Source> sources;
    for (const auto node : nodes) sources.push_back({Kind::loser_of, node});
    return sources;
}

}  // namespace

KnockoutDecision decision_of(const MatchResult& result) {
    if (result.placing[0] != result.placing[1])
        return {result.placing[1] < result.placing[0] ? 1U : 0U, {}};
    if (!result.wins.empty() && result.wins[0] != result.wins[1])
        return {result.wins[1] > result.wins[0] ? 1U : 0U, "more games won"};
    if (result.scores[0] != result.scores[1])
        return {result.scores[1] > result.scores[0] ? 1U : 0U, "the sum of scores"};
    return {result.lot, "lot"};
}

std::unique_ptr<Schedule> knockout(const KnockoutOptions& options, std::size_t entrants,
                                   std::vector<Entrant> numbers) {
    auto tree = options.double_elimination
                    ? double_elimination(entrants, options.second_final)
                    : single_elimination(entrants, options.third_place_match);
    return std::make_unique<Knockout>(std::move(tree), entrants, std::move(numbers));
}

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
        for (const auto node : builder.pair_off(field, round, true))
            survivors.push_back({Kind::winner_of, node});
        ++round;
        const auto fallen = losers_of(rounds[above], above % 2 == 1);
        field.clear();
        for (std::size_t i = 0; i < fallen.size(); ++i) {
            field.push_back(fallen[i]);
            field.push_back(survivors[i]);
        }
        std::vector<Source> next;
        for (const auto node : builder.pair_off(field, round, true))
            next.push_back({Kind::winner_of, node});
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
