// Drawings of small fields against an exact search.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <ostream>
#include <span>

#include "referee/contest/formats/pods.h"
#include "referee/contest/rating/random.h"
#include "tests/referee/contest/formats/pod_tournament.h"
#include "tests/sample.h"

namespace referee::formats {
namespace {

// What pods.h judges, in its order: company, spread in halves, seats, unlike.
using PodVerdict = std::array<std::int64_t, 4>;

using Bits = std::uint32_t;

PodVerdict plus(const PodVerdict& one, const PodVerdict& other) {
    return {one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3]};
}

// The rarest seat of somebody is worth 0, every other one how much more often it was had.
std::vector<std::int64_t> excess_of(const PodField& field, Entrant entrant) {
    std::vector<std::int64_t> excess(field.seats_had[entrant].begin(),
                                     field.seats_had[entrant].end());
    const auto rarest = *std::ranges::min_element(excess);
    for (auto& seat : excess) seat -= rarest;
    return excess;
}

// Tries every order of the members.
std::int64_t cheapest_seats(const std::vector<std::vector<std::int64_t>>& excess) {
    std::vector<std::size_t> order(excess.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto cheapest = std::numeric_limits<std::int64_t>::max();
    do {
        std::int64_t sum = 0;
        for (std::size_t seat = 0; seat < order.size(); ++seat)
            sum += excess[order[seat]][seat] * excess[order[seat]][seat];
        cheapest = std::min(cheapest, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return cheapest;
}

PodVerdict verdict_of(const PodField& field, const std::vector<Entrant>& pod) {
    std::int64_t company = 0;
    std::int64_t unlike = 0;
    auto least = field.points_halves[pod.front()];
    auto most = least;
    std::vector<std::vector<std::int64_t>> excess;
    for (std::size_t i = 0; i < pod.size(); ++i) {
        least = std::min(least, field.points_halves[pod[i]]);
        most = std::max(most, field.points_halves[pod[i]]);
        if (pod.size() < field.seats) company += field.smaller_pods[pod[i]];
        excess.push_back(excess_of(field, pod[i]));
        for (std::size_t k = 0; k < i; ++k) {
            const auto team = field.team[pod[i]];
            company += team > 0 && team == field.team[pod[k]] ? forbidden_company : 0;
            company += field.met[pod[i] * field.entrants() + pod[k]];
            for (std::size_t seat = 0; seat < field.seats; ++seat) {
                const auto more = excess[i][seat] - excess[k][seat];
                unlike += more * more;
            }
        }
    }
    return {company, most - least, cheapest_seats(excess), unlike};
}

// The best verdict of all ways to split these entrants into pods of these sizes: it says what a
// drawing must come to, by a code of its own.
class BranchAndBound {
 public:
    BranchAndBound(const PodField& field, std::span<const Entrant> entrants,
                   std::span<const std::size_t> sizes)
        : field_(field), entrants_(entrants), candidates_(entrants.size()) {
        left_.assign(field.seats + 1, 0);
        for (const auto size : sizes) ++left_[size];
        std::vector<Entrant> pod;
        list(0, 0, pod);
        for (auto& of_first : candidates_) {
            std::ranges::sort(of_first,
                              [](const auto& a, const auto& b) { return a.verdict < b.verdict; });
        }
        best_.fill(std::numeric_limits<std::int64_t>::max());
    }

    PodVerdict search() {
        branch(0, {});
        return best_;
    }

 private:
    struct Candidate {
        Bits members = 0;
        std::size_t size = 0;
        PodVerdict verdict{};
    };

    // Every pod of a size that there is, by its first member.
    void list(std::size_t from, Bits members, std::vector<Entrant>& pod) {
        if (!pod.empty() && left_[pod.size()] > 0) {
            const auto first = static_cast<std::size_t>(std::ranges::find(entrants_, pod.front()) -
                                                        entrants_.begin());
            candidates_[first].push_back({members, pod.size(), verdict_of(field_, pod)});
        }
        if (pod.size() == field_.seats) return;
        for (std::size_t next = from; next < entrants_.size(); ++next) {
            pod.push_back(entrants_[next]);
            list(next + 1, members | Bits{1} << next, pod);
            pod.pop_back();
        }
    }

    void branch(Bits seated, const PodVerdict& so_far) {
        std::size_t first = 0;
        while (first < entrants_.size() && (seated >> first & 1) != 0) ++first;
        if (first == entrants_.size()) {
            best_ = so_far;
            return;
        }
        for (const auto& candidate : candidates_[first]) {
            const auto sum = plus(so_far, candidate.verdict);
            // A verdict has nothing negative, and all later candidates cost as much or more: so
            // none of them can be better.
            if (sum >= best_) return;
            if ((candidate.members & seated) != 0 || left_[candidate.size] == 0) continue;
            --left_[candidate.size];
            branch(seated | candidate.members, sum);
            ++left_[candidate.size];
        }
    }

    const PodField& field_;
    std::span<const Entrant> entrants_;
    std::vector<std::vector<Candidate>> candidates_;  // by first member, cheapest first
    std::vector<std::size_t> left_;                   // pods to come, by size
    PodVerdict best_{};
};

struct SplitCase {
    std::size_t entrants;
    std::size_t seats;
    std::size_t seats_min;
    std::uint64_t histories;
};

void PrintTo(const SplitCase& shown, std::ostream* out) {
    *out << shown.entrants << "_of_" << shown.seats << "_down_to_" << shown.seats_min;
}

// What nobody has played: points, meetings, seats and teams by lot.
PodField field_by_lot(const SplitCase& given, std::uint64_t seed) {
    constexpr std::uint64_t points_most_halves = 24;
    constexpr std::uint64_t times_most = 3;
    constexpr std::uint64_t teams_most = 8;
    rating::Random lots(seed);
    auto field = fresh_pod_field(given.entrants, given.seats);
    const auto one_in = 1 + lots.below(5);  // meetings are rare or usual
    const auto rarely = [&] { return lots.below(one_in) == 0 ? lots.below(times_most) : 0; };
    const bool in_teams = lots.below(4) == 0;
    for (std::size_t a = 0; a < given.entrants; ++a) {
        field.points_halves[a] = static_cast<std::int64_t>(lots.below(points_most_halves));
        field.smaller_pods[a] = static_cast<std::uint32_t>(rarely());
        if (in_teams) field.team[a] = static_cast<std::uint32_t>(lots.below(teams_most));
        for (auto& times : field.seats_had[a])
            times = static_cast<std::uint32_t>(lots.below(times_most));
        for (std::size_t b = 0; b < a; ++b) {
            const auto times = static_cast<std::uint16_t>(rarely());
            field.met[a * given.entrants + b] = field.met[b * given.entrants + a] = times;
        }
    }
    return field;
}

// Half of the histories are by lot, the others the rounds of tournaments that were drawn so.
class Histories {
 public:
    explicit Histories(const SplitCase& given) : given_(given) {}

    PodField next() {
        constexpr std::uint64_t rounds = 6;
        const auto history = count_++;
        if (history % 2 == 0) return field_by_lot(given_, history);
        if (played_ % rounds == 0) tournament_.emplace(given_.entrants, given_.seats, history);
        ++played_;
        tournament_->play(tournament_->drawn_pods());
        return tournament_->field();
    }

 private:
    SplitCase given_;
    std::uint64_t count_ = 0;
    std::uint64_t played_ = 0;
    std::optional<PodTournament> tournament_;
};

PodVerdict verdict_of(const PodJudgement& judgement) {
    return {judgement.company, judgement.spread_halves, judgement.seats, judgement.unlike};
}

class ExactPods : public testing::TestWithParam<SplitCase> {};

TEST_P(ExactPods, NoSplitIsBetterThanWhatIsDrawn) {
    Histories histories(GetParam());
    const bool many = GetParam().histories >= 50;
    for (std::uint64_t history = 0; history < GetParam().histories; ++history) {
        auto field = histories.next();
        // An odd share, so that both kinds are among it.
        if (many && !tests::in_sample(history, 5)) continue;
        field.seats_min = GetParam().seats_min;
        const auto drawn = pair_pods(field, history);
        std::vector<Entrant> seated;
        std::vector<std::size_t> sizes;
        for (const auto& pod : drawn.pods) {
            seated.insert(seated.end(), pod.begin(), pod.end());
            sizes.push_back(pod.size());
        }
        std::ranges::sort(seated);
        const auto best = BranchAndBound(field, seated, sizes).search();
        ASSERT_EQ(verdict_of(drawn.judgement), best) << "history " << history;
    }
}

// The search for large fields is as good as any split of a small one in all but the last criterion.
TEST(Pods, TheSearchForLargeFieldsIsExactInSmallOnes) {
    for (const auto& [entrants, seats] :
         {std::pair<std::size_t, std::size_t>{8, 4}, {12, 4}, {6, 3}, {9, 3}, {10, 5}}) {
        const std::vector<std::size_t> sizes(entrants / seats, seats);
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            PodTournament tournament(entrants, seats, seed);
            for (int round = 1; round <= 5; ++round) {
                const auto& field = tournament.field();
                std::vector<Entrant> order(entrants);
                std::iota(order.begin(), order.end(), Entrant{0});
                std::ranges::stable_sort(order, [&](Entrant a, Entrant b) {
                    return field.points_halves[a] > field.points_halves[b];
                });
                auto pods = search_pods(field, order, sizes, seed);
                for (auto& pod : pods) order_by_seat(field, pod);
                const auto best = BranchAndBound(field, order, sizes).search();
                auto found = verdict_of(judged(field, pods));
                found.back() = best.back();
                EXPECT_EQ(found, best) << entrants << " of " << seats << ", round " << round;
                tournament.play(tournament.drawn_pods());
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Fields, ExactPods,
                         testing::Values(SplitCase{8, 4, 4, 1000}, SplitCase{12, 4, 4, 1000},
                                         SplitCase{16, 4, 4, 1000}, SplitCase{9, 4, 3, 100},
                                         SplitCase{10, 4, 3, 100}, SplitCase{11, 4, 3, 100},
                                         SplitCase{13, 4, 3, 100}, SplitCase{14, 4, 3, 100},
                                         SplitCase{15, 4, 3, 100}, SplitCase{15, 4, 4, 100},
                                         SplitCase{15, 3, 3, 100}, SplitCase{14, 3, 2, 100},
                                         SplitCase{16, 3, 2, 50}, SplitCase{15, 5, 5, 100},
                                         SplitCase{14, 5, 3, 50}, SplitCase{20, 4, 4, 3}),
                         [](const auto& shown) { return testing::PrintToString(shown.param); });

}  // namespace
}  // namespace referee::formats
