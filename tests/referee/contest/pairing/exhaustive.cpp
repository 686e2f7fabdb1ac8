#include "tests/referee/contest/pairing/exhaustive.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "protocol/base/find.h"
#include "referee/contest/pairing/scope.h"

namespace referee::pairing {
namespace {

using Players = std::vector<int>;                 // ranked: the smaller the higher
using Pair = std::pair<int, int>;                 // the higher first
using Judgement = std::vector<std::vector<int>>;  // criterion by criterion, less is better

constexpr int impossible = std::numeric_limits<int>::max();

struct Candidate {
    std::vector<Pair> of_moved_down;
    std::vector<Pair> of_remainder;
    Players downfloaters;
};

// Calls visit for every ordered choice of `count` elements, lexicographically.
void each_choice(const Players& from, std::size_t count, Players& chosen,
                 const std::function<void(const Players&)>& visit) {
    if (chosen.size() == count) {
        visit(chosen);
        return;
    }
    for (const int v : from) {
        if (base::contains(chosen, v)) continue;
        chosen.push_back(v);
        each_choice(from, count, chosen, visit);
        chosen.pop_back();
    }
}

std::vector<Players> subsets(const Players& of, std::size_t size) {
    std::vector<Players> found;
    for (std::size_t bits = 0; bits < (std::size_t{1} << of.size()); ++bits) {
        Players set;
        for (std::size_t i = 0; i < of.size(); ++i)
            if ((bits >> i) & 1U) set.push_back(of[i]);
        if (set.size() == size) found.push_back(set);
    }
    std::ranges::sort(found);
    return found;
}

Players without(const Players& all, const Players& some) {
    Players rest;
    for (const int v : all)
        if (!base::contains(some, v)) rest.push_back(v);
    return rest;
}

struct Exchange {
    Players down;  // sequence numbers that leave S1
    Players up;    // sequence numbers that leave S2
};

// 4.3.2.
bool is_before(const Exchange& a, const Exchange& b) {
    if (a.down.size() != b.down.size()) return a.down.size() < b.down.size();
    const auto difference = [](const Exchange& e) {
        return std::accumulate(e.up.begin(), e.up.end(), 0) -
               std::accumulate(e.down.begin(), e.down.end(), 0);
    };
    if (difference(a) != difference(b)) return difference(a) < difference(b);
    const Players a_down(a.down.rbegin(), a.down.rend());
    const Players b_down(b.down.rbegin(), b.down.rend());
    if (a_down != b_down) return a_down > b_down;
    return a.up < b.up;
}

std::vector<Exchange> exchanges(std::size_t size, std::size_t pairs) {
    Players numbers(size);
    std::iota(numbers.begin(), numbers.end(), 1);
    const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(pairs);
    const Players first(numbers.begin(), middle);
    const Players second(middle, numbers.end());
    std::vector<Exchange> all;
    for (std::size_t count = 0; count <= std::min(first.size(), second.size()); ++count)
        for (const Players& down : subsets(first, count))
            for (const Players& up : subsets(second, count)) all.push_back({down, up});
    std::ranges::sort(all, is_before);
    return all;
}

class Search {
 public:
    explicit Search(const PairingField& field)
        : field_(field), players_(profiles_of(field)), bye_score_(impossible) {
        Players all(players_.size());
        std::iota(all.begin(), all.end(), 0);
        bye_score_ = least_bye_score(all);
    }

    std::set<std::pair<int, int>> run() {
        std::set<std::pair<int, int>> result;
        if (bye_score_ == impossible) return result;
        for (int v = 0; v < static_cast<int>(players_.size()); ++v) {
            if (v == 0 || score(v) != score(v - 1)) groups_.emplace_back();
            groups_.back().push_back(v);
        }
        Players moved_down;
        for (std::size_t group = 0; group < groups_.size(); ++group) {
            std::optional<Judgement> best;
            Candidate chosen;
            try_moved_down(moved_down, group, [&](const Candidate& candidate) {
                const auto judgement = judge(candidate, group);
                if (!judgement || (best && !(*judgement < *best))) return;
                best = judgement;
                chosen = candidate;
            });
            for (const auto* pairs : {&chosen.of_moved_down, &chosen.of_remainder})
                for (const auto& [a, b] : *pairs)
                    result.insert(std::minmax({player(a).number, player(b).number}));
            moved_down = chosen.downfloaters;
            std::ranges::sort(moved_down);
        }
        for (const int v : moved_down) result.emplace(nobody, player(v).number);
        return result;
    }

 private:
    const Profile& player(int v) const { return players_[static_cast<std::size_t>(v)]; }
    int score(int v) const { return player(v).pairing_score_tenths; }

    bool may_meet(int a, int b) const {
        const Profile& p = player(a);
        const Profile& q = player(b);
        if (base::contains(p.met, q.number)) return false;
        const int round = field_.rounds_played + 1;
        for (const ForbiddenGroup& group : field_.forbidden) {
            const auto has = [&](int number) { return base::contains(group.numbers, number); };
            if (round >= group.first_round && round <= group.last_round && has(p.number) &&
                has(q.number))
                return false;
        }
        if (!field_.colours) return true;
        const bool both_absolute = p.preference.strength == Strength::absolute &&
                                   q.preference.strength == Strength::absolute;
        return !(both_absolute && prefer_the_same(p, q) && !p.topscorer && !q.topscorer);
    }

    // Over all complete pairings: 0 when nobody is left over, `impossible` when there are none.
    int least_bye_score(const Players& left) const {
        if (left.empty()) return 0;
        int least = impossible;
        const int first = left.front();
        if (left.size() % 2 == 1 && player(first).given_points == 0) {
            const Players rest(left.begin() + 1, left.end());
            if (least_bye_score(rest) == 0) least = score(first);
        }
        for (std::size_t i = 1; i < left.size(); ++i) {
            if (!may_meet(first, left[i])) continue;
            Players rest(left.begin() + 1, left.end());
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i) - 1);
            least = std::min(least, least_bye_score(rest));
        }
        return least;
    }

    // C4, with the bye as cheap as C5 asks.
    bool completes(const Players& left) {
        const auto known = known_.find(left);
        if (known != known_.end()) return known->second;
        const bool answer = least_bye_score(left) == (left.size() % 2 == 1 ? bye_score_ : 0);
        known_.emplace(left, answer);
        return answer;
    }

    // C8: the least number of downfloaters of the next bracket, then their scores.
    std::vector<int> best_next(const Players& floaters, std::size_t group) {
        Players later;
        for (std::size_t i = group + 1; i < groups_.size(); ++i)
            later.insert(later.end(), groups_[i].begin(), groups_[i].end());
        std::vector<int> best = {impossible};
        if (group >= groups_.size()) return completes(floaters) ? std::vector<int>{} : best;
        Players all = floaters;
        all.insert(all.end(), groups_[group].begin(), groups_[group].end());
        const std::function<void(Players, Players)> split = [&](Players open, Players left) {
            if (open.empty()) {
                std::ranges::sort(left);
                std::vector<int> value = {static_cast<int>(left.size())};
                for (const int v : left) value.push_back(score(v));
                left.insert(left.end(), later.begin(), later.end());
                if (value < best && completes(left)) best = value;
                return;
            }
            const int first = open.front();
            open.erase(open.begin());
            const bool floater = score(first) != score(groups_[group].front());
            for (std::size_t i = 0; i < open.size(); ++i) {
                const bool other_floater = score(open[i]) != score(groups_[group].front());
                if ((floater && other_floater) || !may_meet(first, open[i])) continue;
                Players rest = open;
                rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
                split(rest, left);
            }
            left.push_back(first);
            split(open, left);
        };
        split(all, {});
        return best;
    }

    void judge_colours(const std::vector<Pair>& pairs, Judgement& judgement) const {
        int beyond_difference = 0;
        int thrice = 0;
        int preferences = 0;
        int strong = 0;
        for (const auto& [a, b] : pairs) {
            if (!prefer_the_same(player(a), player(b))) continue;
            ++preferences;
            const Colour given = colour_of_higher(player(a), player(b), field_.initial_colour);
            const Profile& loser = given == *player(a).preference.colour ? player(b) : player(a);
            if (loser.preference.strength >= Strength::strong) ++strong;
            if (!player(a).topscorer && !player(b).topscorer) continue;
            const Colour got = opposite(*loser.preference.colour);
            const int difference = loser.colour_difference + (got == Colour::white ? 1 : -1);
            if (std::abs(difference) > 2) ++beyond_difference;
            if (loser.repeated_colour && loser.colours.back() == got) ++thrice;
        }
        for (const int value : {beyond_difference, thrice, preferences, strong})
            judgement.push_back({value});
    }

    void judge_floats(const Candidate& candidate, std::size_t group, Judgement& judgement) const {
        const int resident_score = score(groups_[group].front());
        Judgement counts;
        Judgement differences;
        for (const auto floated : {&Profile::floated_last, &Profile::floated_before}) {
            int again_down = 0;
            int again_up = 0;
            std::vector<int> down_differences;
            std::vector<int> up_differences;
            for (const int v : candidate.downfloaters) {
                if (player(v).*floated != Float::down) continue;
                if (score(v) == resident_score)
                    ++again_down;
                else
                    down_differences.push_back(impossible);  // he will fall still deeper
            }
            for (const auto& [a, b] : candidate.of_moved_down) {
                if (player(a).*floated == Float::down)
                    down_differences.push_back(score(a) - score(b));
                if (player(b).*floated != Float::up) continue;
                ++again_up;
                up_differences.push_back(score(a) - score(b));
            }
            // Those who float deeper count by their own scores.
            std::sort(down_differences.rbegin(), down_differences.rend());
            std::sort(up_differences.rbegin(), up_differences.rend());
            counts.push_back({again_down});
            counts.push_back({again_up});
            differences.push_back(down_differences);
            differences.push_back(up_differences);
        }
        judgement.insert(judgement.end(), counts.begin(), counts.end());
        judgement.insert(judgement.end(), differences.begin(), differences.end());
    }

    // Nothing when an absolute criterion is broken.
    std::optional<Judgement> judge(const Candidate& candidate, std::size_t group) {
        std::vector<Pair> pairs = candidate.of_moved_down;
        pairs.insert(pairs.end(), candidate.of_remainder.begin(), candidate.of_remainder.end());
        for (const auto& [a, b] : pairs)
            if (!may_meet(a, b)) return std::nullopt;
        Players left = candidate.downfloaters;
        std::ranges::sort(left);
        std::vector<int> scores;
        for (const int v : left) scores.push_back(score(v));
        const Players floaters = left;
        for (std::size_t i = group + 1; i < groups_.size(); ++i)
            left.insert(left.end(), groups_[i].begin(), groups_[i].end());
        if (!completes(left)) return std::nullopt;

        Judgement judgement;
        judgement.push_back({static_cast<int>(floaters.size())});
        judgement.push_back(scores);
        judgement.push_back(best_next(floaters, group + 1));
        const bool bye_here = players_.size() % 2 == 1 && floaters.size() == 1 &&
                              bye_score_ >= score(groups_[group].front());
        judgement.push_back({bye_here ? player(floaters.front()).unplayed : 0});
        if (field_.colours) judge_colours(pairs, judgement);
        judge_floats(candidate, group, judgement);
        return judgement;
    }

    void try_remainder(const Players& remainder, const Candidate& so_far,
                       const std::function<void(const Candidate&)>& visit) const {
        for (std::size_t pairs = remainder.size() / 2 + 1; pairs-- > 0;) {
            for (const Exchange& exchange : exchanges(remainder.size(), pairs)) {
                Players s1;
                Players s2;
                for (std::size_t i = 0; i < remainder.size(); ++i) {
                    const int number = static_cast<int>(i) + 1;
                    const auto in = [&](const Players& set) { return base::contains(set, number); };
                    const bool first = i < pairs ? !in(exchange.down) : in(exchange.up);
                    (first ? s1 : s2).push_back(remainder[i]);
                }
                Players chosen;
                each_choice(s2, pairs, chosen, [&](const Players& order) {
                    Candidate candidate = so_far;
                    for (std::size_t i = 0; i < pairs; ++i)
                        candidate.of_remainder.push_back(std::minmax({s1[i], order[i]}));
                    for (const int v : without(s2, order)) candidate.downfloaters.push_back(v);
                    visit(candidate);
                });
            }
        }
    }

    void try_moved_down(const Players& moved_down, std::size_t group,
                        const std::function<void(const Candidate&)>& visit) const {
        const Players& residents = groups_[group];
        for (std::size_t count = std::min(moved_down.size(), residents.size()) + 1; count-- > 0;) {
            for (const Players& paired : subsets(moved_down, count)) {
                Players chosen;
                each_choice(residents, count, chosen, [&](const Players& opponents) {
                    Candidate candidate;
                    for (std::size_t i = 0; i < count; ++i)
                        candidate.of_moved_down.emplace_back(paired[i], opponents[i]);
                    candidate.downfloaters = without(moved_down, paired);
                    try_remainder(without(residents, opponents), candidate, visit);
                });
            }
        }
    }

    const PairingField& field_;
    std::vector<Profile> players_;
    int bye_score_;
    std::vector<Players> groups_;
    std::map<Players, bool> known_;
};

}  // namespace

std::set<std::pair<int, int>> pair_exhaustively(const PairingField& field) {
    return Search(field).run();
}

}  // namespace referee::pairing
