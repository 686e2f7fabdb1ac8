#include "referee/contest/formats/pods.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "engines/game.h"
#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

// The number of moves of a search: each entrant adds some, the first ones many. A search for seats
// needs fewer, because mending takes care of what is left in a large field.
constexpr std::uint64_t moves_per_entrant = 1200;
constexpr std::uint64_t seat_moves_per_entrant = 400;
constexpr std::uint64_t moves_per_first_entrant = 18'000;
constexpr std::uint64_t first_entrants = 64;
// Seating a pod costs more the larger it is, so a search of large pods has so many times fewer
// moves.
constexpr std::uint64_t fewer_in_large_pods = 4;
constexpr std::size_t large_pod = 6;
constexpr std::uint64_t cooling_stages = 40;

// For spread. A height is the spread of an average pod at first, or so many steps of points if that
// is more; a repeat weighs so many heights. The first search is warm enough to get over repeats, as
// small fields need it; the next begins from the best so far.
constexpr std::int64_t height_steps_min = 3;
constexpr std::int64_t company_heights = 2;
constexpr std::array<std::int64_t, 2> warmth_heights{6, 1};
// For seats: what a repeat and a step of points weigh, and how warm the searches begin, in units of
// seat cost. The weights are firm enough to come back to the best spread, and soft enough to get
// past it. Each search begins from the best so far, less warm. The last one looks at the members'
// unlikeness too; beside that a unit of seat cost weighs so much.
constexpr std::int64_t company_seats = 64;
constexpr std::int64_t step_seats = 8;
constexpr std::int64_t warmth_seats = 32;
// Where there are repeats, the first is warm enough to get over some of them.
constexpr std::int64_t warmth_seats_with_repeats = 3 * company_seats;
constexpr std::int64_t seat_searches = 3;
constexpr std::int64_t seat_unlike = 8;
// Seats are mended in so many passes, among so many neighbours in the standings each way.
constexpr int mending_passes = 3;
constexpr std::uint32_t mending_reach = 256;

// `weights`: what a unit of each weighs while a search is on its way.
std::int64_t weighed(const PodJudgement& cost, const PodJudgement& weights) {
    return cost.company * weights.company + cost.spread_halves * weights.spread_halves +
           cost.seats * weights.seats + cost.unlike * weights.unlike;
}

// The pods of a round while the search exchanges entrants between them; keeps the best that they
// were. Entrants are known by their place in the standings here.
class PodDraft {
 public:
    using Place = std::uint32_t;

    // The standings cut into pods of these sizes from the top, passing over those who met already
    // where that leaves somebody.
    PodDraft(const PodField& field, std::span<const Entrant> by_standing,
             std::span<const std::size_t> sizes)
        : field_(field), by_standing_(by_standing) {
        for (const auto entrant : by_standing) {
            points_.push_back(field.points_halves[entrant]);
            for (std::size_t seat = 0; seat < field.seats; ++seat)
                seat_excess_.push_back(seat_excess(field, entrant, seat));
        }
        pairs_.reserve(entrants() * entrants());
        for (std::size_t a = 0; a < entrants(); ++a)
            for (std::size_t b = 0; b < entrants(); ++b) pairs_.push_back(pair_of(a, b));
        cut(sizes);
        judge(false);
    }

    std::size_t entrants() const { return points_.size(); }
    std::size_t pods() const { return begins_.size() - 1; }
    const PodJudgement& best() const { return best_; }
    // What the pod of an entrant costs.
    const PodJudgement& cost_at(Place place) const { return costs_[pod_at_[slot_of_[place]]]; }

    // All differences of points are multiples of this.
    std::int64_t step_of_points() const {
        std::int64_t step = 0;
        for (const auto points : points_) step = std::gcd(step, points - points_.front());
        return std::max<std::int64_t>(1, step);
    }

    std::vector<std::vector<Entrant>> entrants_by_pod() const {
        std::vector<std::vector<Entrant>> result;
        for (std::size_t i = 0; i < pods(); ++i) {
            auto& pod = result.emplace_back();
            for (const auto member : pod_of(i)) pod.push_back(by_standing_[member]);
        }
        return result;
    }

    // Judges the pods as they are, from now on with seats and unlikeness or without either: they
    // become the best.
    void judge(bool with_seats) {
        with_seats_ = with_seats;
        costs_.clear();
        now_ = {};
        for (std::size_t i = 0; i < pods(); ++i) {
            costs_.push_back(cost_of(i));
            now_ += costs_.back();
        }
        best_ = now_;
        best_members_ = members_;
    }

    void back_to_best() {
        members_ = best_members_;
        index();
    }

    // Exchanges two if `accepts(before, after)` says so of the cost of their pods. `accepts` is
    // asked with lower bounds of `after` first, so what it refuses it must refuse at any higher
    // cost too.
    template <typename Accepts>
    void exchange(Place one, Place other, const Accepts& accepts) {
        const auto slot = slot_of_[one];
        const auto other_slot = slot_of_[other];
        const auto a = pod_at_[slot];
        const auto b = pod_at_[other_slot];
        if (a == b) return;
        const auto before = costs_[a] + costs_[b];
        // What is cheap to know comes first; the rest is taken to cost nothing, as at best.
        PodJudgement cost_a{0, spread_with(a, slot, other), 0, 0};
        PodJudgement cost_b{0, spread_with(b, other_slot, one), 0, 0};
        if (!accepts(before, cost_a + cost_b)) return;
        cost_a = cost_with(a, slot, other, cost_a.spread_halves);
        cost_b = cost_with(b, other_slot, one, cost_b.spread_halves);
        if (!accepts(before, cost_a + cost_b)) return;
        members_[slot] = other;
        members_[other_slot] = one;
        if (with_seats_) {
            cost_a.seats = seats_of(a);
            cost_b.seats = seats_of(b);
            if (!accepts(before, cost_a + cost_b)) {
                members_[slot] = one;
                members_[other_slot] = other;
                return;
            }
        }
        now_ -= before;
        now_ += cost_a + cost_b;
        slot_of_[one] = other_slot;
        slot_of_[other] = slot;
        costs_[a] = cost_a;
        costs_[b] = cost_b;
        if (now_ < best_) {
            best_ = now_;
            best_members_ = members_;
        }
    }

 private:
    // What two bring into a pod.
    struct Pair {
        std::int32_t company = 0;
        std::int32_t unlike = 0;
    };

    Pair pair_of(std::size_t a, std::size_t b) const {
        std::int64_t unlike = 0;
        for (std::size_t seat = 0; seat < field_.seats; ++seat) {
            const auto more =
                seat_excess_[a * field_.seats + seat] - seat_excess_[b * field_.seats + seat];
            unlike += more * more;
        }
        return {static_cast<std::int32_t>(field_.company(by_standing_[a], by_standing_[b])),
                static_cast<std::int32_t>(unlike)};
    }

    void cut(std::span<const std::size_t> sizes) {
        std::vector<bool> taken(entrants(), false);
        std::size_t first = 0;
        begins_.push_back(0);
        for (const auto size : sizes) {
            while (first < taken.size() && taken[first]) ++first;
            const std::size_t end = members_.size() + size;
            const auto known = [&](Place place) {
                return std::any_of(members_.begin() + static_cast<std::ptrdiff_t>(begins_.back()),
                                   members_.end(),
                                   [&](Place other) { return pair(other, place).company > 0; });
            };
            for (const bool pass_over : {true, false}) {
                for (auto i = static_cast<Place>(first); i < taken.size() && members_.size() < end;
                     ++i) {
                    if (taken[i] || (pass_over && known(i))) continue;
                    members_.push_back(i);
                    taken[i] = true;
                }
            }
            begins_.push_back(members_.size());
        }
        slot_of_.resize(members_.size());
        pod_at_.resize(members_.size());
        index();
    }

    void index() {
        for (std::size_t i = 0; i < pods(); ++i) {
            for (std::size_t slot = begins_[i]; slot < begins_[i + 1]; ++slot) {
                slot_of_[members_[slot]] = slot;
                pod_at_[slot] = i;
            }
        }
    }

    std::span<const Place> pod_of(std::size_t index) const {
        return std::span(members_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
    }
    const Pair& pair(Place a, Place b) const { return pairs_[a * entrants() + b]; }
    std::int64_t smaller_pods(Place place) const {
        return field_.smaller_pods[by_standing_[place]];
    }

    PodJudgement cost_of(std::size_t index) {
        const auto pod = pod_of(index);
        PodJudgement cost;
        for (std::size_t a = 0; a < pod.size(); ++a) {
            if (pod.size() < field_.seats) cost.company += smaller_pods(pod[a]);
            for (std::size_t b = 0; b < a; ++b) {
                cost.company += pair(pod[a], pod[b]).company;
                if (with_seats_) cost.unlike += pair(pod[a], pod[b]).unlike;
            }
        }
        cost.spread_halves = spread_with(index, begins_[index], pod.front());
        if (with_seats_) cost.seats = seats_of(index);
        return cost;
    }

    // The spread of a pod with somebody in one of its slots; and with that all but the seats.
    std::int64_t spread_with(std::size_t index, std::size_t slot, Place other) const {
        auto least = points_[other];
        auto most = least;
        for (std::size_t at = begins_[index]; at < begins_[index + 1]; ++at) {
            if (at == slot) continue;
            const auto points = points_[members_[at]];
            least = std::min(least, points);
            most = std::max(most, points);
        }
        return most - least;
    }
    PodJudgement cost_with(std::size_t index, std::size_t slot, Place other,
                           std::int64_t spread) const {
        const auto leaves = members_[slot];
        PodJudgement cost{costs_[index].company, spread, 0, costs_[index].unlike};
        if (begins_[index + 1] - begins_[index] < field_.seats)
            cost.company += smaller_pods(other) - smaller_pods(leaves);
        for (std::size_t at = begins_[index]; at < begins_[index + 1]; ++at) {
            if (at == slot) continue;
            const auto& comes_beside = pair(members_[at], other);
            const auto& left_beside = pair(members_[at], leaves);
            cost.company += comes_beside.company - left_beside.company;
            if (with_seats_) cost.unlike += comes_beside.unlike - left_beside.unlike;
        }
        return cost;
    }

    // What the cheapest order by seat costs: sets of members take the first seats.
    std::int64_t seats_of(std::size_t index) {
        const auto pod = pod_of(index);
        const std::size_t sets = std::size_t{1} << pod.size();
        std::fill_n(seating_.begin(), sets, std::numeric_limits<std::int64_t>::max() / 2);
        seating_[0] = 0;
        for (std::size_t set = 0; set + 1 < sets; ++set) {
            const auto seat = static_cast<std::size_t>(std::popcount(set));
            for (std::size_t i = 0; i < pod.size(); ++i) {
                const std::size_t with = set | std::size_t{1} << i;
                if (with == set) continue;
                const auto excess = seat_excess_[pod[i] * field_.seats + seat];
                seating_[with] = std::min(seating_[with], seating_[set] + excess * excess);
            }
        }
        return seating_[sets - 1];
    }

    const PodField& field_;
    std::span<const Entrant> by_standing_;
    std::vector<std::int64_t> points_;
    std::vector<Pair> pairs_;                // row after row
    std::vector<std::int64_t> seat_excess_;  // by place and seat
    std::vector<std::size_t> begins_;        // of the pods in members_, and the end
    std::vector<Place> members_;             // pod after pod
    std::vector<Place> best_members_;
    std::vector<std::size_t> slot_of_;  // where in members_ somebody is
    std::vector<std::size_t> pod_at_;   // which pod a slot of members_ is in
    std::vector<PodJudgement> costs_;   // by pod
    PodJudgement now_;
    PodJudgement best_;
    bool with_seats_ = false;
    std::array<std::int64_t, std::size_t{1} << engines::seats_max> seating_{};
};

class PodSearch {
 public:
    PodSearch(const PodField& field, std::span<const Entrant> by_standing,
              std::span<const std::size_t> sizes, std::uint64_t seed)
        : large_pods_(field.seats >= large_pod),
          draft_(field, by_standing, sizes),
          random_(seed),
          distances_(static_cast<std::uint64_t>(std::bit_width(by_standing.size()))) {}

    std::vector<std::vector<Entrant>> run() {
        if (draft_.pods() < 2) return draft_.entrants_by_pod();
        const auto step = draft_.step_of_points();
        const auto average = draft_.best().spread_halves / static_cast<std::int64_t>(draft_.pods());
        const auto height = std::max(height_steps_min * step, average);
        for (const auto warmth : warmth_heights)
            anneal({company_heights * height, 1, 0, 0}, warmth * height, moves_per_entrant);
        const auto seat = seat_unlike * step;
        const bool repeats = draft_.best().company > 0;
        for (std::int64_t i = 1; i <= seat_searches; ++i) {
            const auto warmth = i == 1 && repeats ? warmth_seats_with_repeats : warmth_seats / i;
            const auto unlike = i == seat_searches ? step : 0;
            anneal({company_seats * seat, step_seats * seat_unlike, seat, unlike}, warmth * seat,
                   seat_moves_per_entrant);
        }
        draft_.judge(true);
        for (int pass = 0; pass < mending_passes && draft_.best().seats > 0; ++pass) {
            for (Place one = 0; one < draft_.entrants(); ++one) mend(one);
        }
        return draft_.entrants_by_pod();
    }

 private:
    using Place = PodDraft::Place;

    // Threshold accepting: a step upward may be as high as the warmth, less and less often. Ends
    // early where nothing can be better.
    void anneal(const PodJudgement& weights, std::int64_t warmest, std::uint64_t moves_each) {
        const std::uint64_t entrants = draft_.entrants();
        const auto first = std::min(entrants, first_entrants);
        auto moves = moves_per_first_entrant * first + moves_each * (entrants - first);
        if (large_pods_) moves /= fewer_in_large_pods;
        draft_.judge(weights.seats != 0);
        for (std::uint64_t stage = 0; stage < cooling_stages && weighed(draft_.best(), weights) > 0;
             ++stage) {
            const auto left = static_cast<std::int64_t>(cooling_stages - 1 - stage);
            const auto warmth = warmest * left / static_cast<std::int64_t>(cooling_stages);
            for (std::uint64_t move = 0; move < moves / cooling_stages; ++move)
                try_move(weights, warmth);
        }
        draft_.back_to_best();
    }

    // As good as even for such small bounds, and quick.
    std::uint64_t below(std::uint64_t bound) {
        constexpr unsigned half = 32;
        return ((random_.next() >> half) * bound) >> half;
    }

    void try_move(const PodJudgement& weights, std::int64_t warmth) {
        const auto n = draft_.entrants();
        const auto one = static_cast<Place>(below(n));
        // Near in the standings most often.
        const auto apart = 1 + below(std::uint64_t{1} << (1 + below(distances_)));
        if (one + apart >= n) return;
        const auto allowed =
            static_cast<std::int64_t>(below(static_cast<std::uint64_t>(warmth) + 1));
        draft_.exchange(one, static_cast<Place>(one + apart),
                        [&](const PodJudgement& before, const PodJudgement& after) {
                            return weighed(after, weights) <= weighed(before, weights) + allowed;
                        });
    }

    // In large fields few pods are left that cost seats, and exchanges by lot hardly find them. So
    // this tries all neighbours of their members.
    void mend(Place one) {
        const auto first = one - std::min(one, mending_reach);
        const auto end = std::min(one + mending_reach + 1, static_cast<Place>(draft_.entrants()));
        for (auto other = first; other < end && draft_.cost_at(one).seats > 0; ++other)
            draft_.exchange(one, other, [](const PodJudgement& before, const PodJudgement& after) {
                return after < before;
            });
    }

    bool large_pods_;
    PodDraft draft_;
    rating::Random random_;
    std::uint64_t distances_;  // bits of the largest
};

}  // namespace

std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed) {
    return PodSearch(field, by_standing, sizes, seed).run();
}

}  // namespace referee::formats
