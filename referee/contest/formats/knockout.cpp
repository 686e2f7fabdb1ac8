#include "referee/contest/formats/knockout.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contest/formats/knockout_tree.h"
#include "referee/contest/formats/round_by_round.h"

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
        nodes_of_matches_.clear();
        for (std::size_t node = 0; node < tree_.nodes.size(); ++node) {
            if (tree_.nodes[node].round == round) lay(node, drawn_round);
        }
        // A second final that nobody needs leaves an empty last round.
        if (drawn_round.matches.empty() && drawn_round.byes.empty() && round == tree_.rounds) {
            return std::nullopt;
        }
        return drawn_round;
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
        if (decided_[index].winner && is_pause) {
            round.byes.push_back({node.round, numbers_[*decided_[index].winner], {}});
        }
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
    std::vector<std::uint32_t> out_in_;                // by seed: the round it went out in, or 0
    std::map<Entrant, std::size_t> nodes_of_matches_;  // by the entrant in seat 0
};

}  // namespace

KnockoutDecision decision_of(const MatchResult& result) {
    if (result.placing[0] != result.placing[1]) {
        return {result.placing[1] < result.placing[0] ? 1U : 0U, {}};
    }
    if (!result.wins.empty() && result.wins[0] != result.wins[1]) {
        return {result.wins[1] > result.wins[0] ? 1U : 0U, "more games won"};
    }
    if (result.scores[0] != result.scores[1]) {
        return {result.scores[1] > result.scores[0] ? 1U : 0U, "the sum of scores"};
    }
    return {result.lot, "lot"};
}

std::unique_ptr<Schedule> knockout(const KnockoutOptions& options, std::size_t entrants,
                                   std::vector<Entrant> numbers) {
    auto tree = options.double_elimination
                    ? double_elimination(entrants, options.second_final)
                    : single_elimination(entrants, options.third_place_match);
    return std::make_unique<Knockout>(std::move(tree), entrants, std::move(numbers));
}

}  // namespace referee::formats
