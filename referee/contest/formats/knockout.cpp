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

using Seed = std::size_t;
using Nodes = std::vector<std::size_t>;

// Where somebody in a match comes from.
struct Source {
    enum class Kind : std::uint8_t { nobody, seed, winner_of, loser_of };
    Kind kind = Kind::nobody;
    std::size_t index = 0;  // of the seed (0 is the best) or of the node
};
using Kind = Source::Kind;

struct KnockoutNode {
    std::uint32_t round = 1;
    Source first;
    Source second;
    // The loser here is out; it shares its place with those that go out in the same phase.
    bool loser_is_out = false;
    // Played only if the second of the node before, who came with a loss, won that one.
    bool only_if_second_won = false;
};

// Which match takes whom: best against worst, so that the first two seeds can meet in the final
// only; the best seeds have the byes. In a double elimination who lost once goes on in a second
// bracket, whose winner plays the final.
struct KnockoutTree {
    KnockoutTree(const KnockoutOptions& options, std::size_t entrants) {
        REFEREE_ASSERT(entrants >= 2);
        const auto of_winners = winners_rounds(entrants, !options.double_elimination);
        if (options.double_elimination) {
            add_losers_rounds(of_winners, options.second_final);
            return;
        }
        final_node = of_winners.back().front();
        if (!options.third_place_match || of_winners.size() < 2) return;
        const auto& semifinals = of_winners[of_winners.size() - 2];
        for (const auto node : semifinals) nodes[node].loser_is_out = false;
        third_place_node = nodes.size();
        pair_off(sources(Kind::loser_of, semifinals), rounds, true);
    }

    std::vector<KnockoutNode> nodes;  // by round; sources stand before those that use them
    std::uint32_t rounds = 0;
    std::size_t final_node = 0;               // decides the first place (a second final may follow)
    std::size_t third_place_node = SIZE_MAX;  // SIZE_MAX: none

 private:
    // Seeds in the order of the first round's places: 0 7 3 4 1 6 2 5 for eight.
    static std::vector<Seed> places_of_seeds(std::size_t size) {
        std::vector<Seed> order{0};
        while (order.size() < size) {
            std::vector<Seed> next;
            for (const auto seed : order) {
                next.push_back(seed);
                next.push_back(order.size() * 2 - 1 - seed);
            }
            order = std::move(next);
        }
        return order;
    }

    static std::vector<Source> sources(Kind kind, const Nodes& of) {
        std::vector<Source> all;
        for (const auto node : of) all.push_back({kind, node});
        return all;
    }

    // The nodes of those who haven't lost, by round.
    std::vector<Nodes> winners_rounds(std::size_t entrants, bool loser_is_out) {
        std::vector<Nodes> of_winners;
        std::vector<Source> field;
        for (const auto seed : places_of_seeds(std::bit_ceil(entrants)))
            field.push_back({seed < entrants ? Kind::seed : Kind::nobody, seed});
        while (field.size() > 1) {
            of_winners.push_back(pair_off(field, rounds + 1, loser_is_out));
            field = sources(Kind::winner_of, of_winners.back());
        }
        return of_winners;
    }

    // In turn: those with one loss among themselves, then against the losers of the next round
    // above, whose order is turned round each time so that first opponents meet late again.
    void add_losers_rounds(const std::vector<Nodes>& of_winners, bool second_final) {
        auto field = sources(Kind::loser_of, of_winners[0]);
        std::uint32_t round = 2;
        for (std::size_t above = 1; above < of_winners.size(); ++above) {
            const auto survivors = sources(Kind::winner_of, pair_off(field, round++, true));
            auto fallen = sources(Kind::loser_of, of_winners[above]);
            if (above % 2 == 1) std::ranges::reverse(fallen);
            field.clear();
            for (std::size_t i = 0; i < fallen.size(); ++i) {
                field.push_back(fallen[i]);
                field.push_back(survivors[i]);
            }
            field = sources(Kind::winner_of, pair_off(field, round++, true));
        }
        const std::vector<Source> finalists{{Kind::winner_of, of_winners.back().front()},
                                            field.front()};
        final_node = pair_off(finalists, round, !second_final).front();
        if (second_final)
            nodes[pair_off(finalists, round + 1, true).front()].only_if_second_won = true;
    }

    Nodes pair_off(const std::vector<Source>& field, std::uint32_t round, bool loser_is_out) {
        Nodes made;
        for (std::size_t i = 0; i + 1 < field.size(); i += 2) {
            made.push_back(nodes.size());
            nodes.push_back({round, field[i], field[i + 1], loser_is_out, false});
        }
        rounds = std::max(rounds, round);
        return made;
    }
};

class Knockout final : public RoundByRound {
 public:
    Knockout(KnockoutTree tree, std::vector<Entrant> numbers)
        : tree_(std::move(tree)),
          numbers_(std::move(numbers)),
          decided_(tree_.nodes.size()),
          out_in_(numbers_.size(), 0) {}

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
            const auto [better, worse] = std::minmax({*first, *second});
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
        const Seed second = *who(node.second);
        const auto [better, worse] = std::minmax({*who(node.first), second});
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
    return std::make_unique<Knockout>(KnockoutTree(options, entrants), std::move(numbers));
}

std::uint32_t knockout_rounds(const KnockoutOptions& options, std::size_t entrants) {
    return KnockoutTree(options, entrants).rounds;
}

}  // namespace referee::formats
