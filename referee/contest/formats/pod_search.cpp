#include "referee/contest/formats/pods.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "referee/contest/rating/random.h"

namespace referee::formats {
namespace {

// Forbidden company outweighs any number of repeats that a field can have.
constexpr std::int64_t forbidden_weight = 1'000'000;

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

// What a unit of each weighs while a search is on its way.
struct Weights {
    std::int64_t company = 0;
    std::int64_t spread = 0;
    std::int64_t seats = 0;
    std::int64_t unlike = 0;
    std::int64_t of(const PodCost& cost) const {
        return cost.company * company + cost.spread * spread + cost.seats * seats +
               cost.unlike * unlike;
    }
};

using Place = PodDraft::Place;

class SeatingSearch {
 public:
    SeatingSearch(const PodField& field, std::span<const Entrant> by_standing,
                  std::span<const std::size_t> sizes, std::uint64_t seed)
        : draft_(field, by_standing, sizes), random_(seed) {
        const std::uint64_t entrants = by_standing.size();
        const auto first = std::min(entrants, first_entrants);
        const auto moves = [&](std::uint64_t per_entrant) {
            const auto all = moves_per_first_entrant * first + per_entrant * (entrants - first);
            return field.seats >= large_pod ? all / fewer_in_large_pods : all;
        };
        moves_ = moves(moves_per_entrant);
        seat_moves_ = moves(seat_moves_per_entrant);
        distances_ = static_cast<std::uint64_t>(std::bit_width(entrants));
    }

    std::vector<std::vector<Entrant>> run() {
        if (draft_.pods() >= 2) {
            const auto step = draft_.step_of_points();
            const auto average = draft_.best().spread / static_cast<std::int64_t>(draft_.pods());
            const auto height = std::max(height_steps_min * step, average);
            for (const auto warmth : warmth_heights)
                anneal({company_heights * height, 1, 0, 0}, warmth * height);
            const auto seat = seat_unlike * step;
            const bool repeats = draft_.best().company > 0;
            for (std::int64_t i = 1; i <= seat_searches; ++i) {
                const auto warmth =
                    i == 1 && repeats ? warmth_seats_with_repeats : warmth_seats / i;
                const auto unlike = i == seat_searches ? step : 0;
                anneal({company_seats * seat, step_seats * seat_unlike, seat, unlike},
                       warmth * seat);
            }
            mend();
        }
        return draft_.entrants_by_pod();
    }

 private:
    // Threshold accepting: a step upward may be as high as the warmth, less and less often. Ends
    // early where nothing can be better.
    void anneal(const Weights& weights, std::int64_t warmest) {
        const bool with_seats = weights.seats != 0;
        const auto moves = with_seats ? seat_moves_ : moves_;
        draft_.judge(with_seats);
        for (std::uint64_t stage = 0; stage < cooling_stages && weights.of(draft_.best()) > 0;
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

    void try_move(const Weights& weights, std::int64_t warmth) {
        const auto n = draft_.entrants();
        const auto one = static_cast<Place>(below(n));
        // Near in the standings most often.
        const auto apart = 1 + below(std::uint64_t{1} << (1 + below(distances_)));
        if (one + apart >= n) return;
        const auto allowed =
            static_cast<std::int64_t>(below(static_cast<std::uint64_t>(warmth) + 1));
        draft_.exchange(one, static_cast<Place>(one + apart),
                        [&](const PodCost& before, const PodCost& after) {
                            return weights.of(after) <= weights.of(before) + allowed;
                        });
    }

    // In large fields few pods are left that cost seats, and exchanges by lot hardly find them. So
    // this tries all neighbours of their members.
    void mend() {
        draft_.judge(true);
        for (int pass = 0; pass < mending_passes && draft_.best().seats > 0; ++pass) {
            for (Place one = 0; one < draft_.entrants(); ++one) mend(one);
        }
    }

    void mend(Place one) {
        const auto first = one - std::min(one, mending_reach);
        const auto end = std::min(one + mending_reach + 1, static_cast<Place>(draft_.entrants()));
        for (auto other = first; other < end && draft_.cost_at(one).seats > 0; ++other) {
            draft_.exchange(one, other, [](const PodCost& before, const PodCost& after) {
                return after < before;
            });
        }
    }

    PodDraft draft_;
    rating::Random random_;
    std::uint64_t moves_ = 0;
    std::uint64_t seat_moves_ = 0;
    std::uint64_t distances_ = 1;  // bits of the largest
};

}  // namespace

PodCost& PodCost::operator+=(const PodCost& other) {
    company += other.company;
    spread += other.spread;
    seats += other.seats;
    unlike += other.unlike;
    return *this;
}

PodCost& PodCost::operator-=(const PodCost& other) {
    company -= other.company;
    spread -= other.spread;
    seats -= other.seats;
    unlike -= other.unlike;
    return *this;
}

PodDraft::PodDraft(const PodField& field, std::span<const Entrant> by_standing,
                   std::span<const std::size_t> sizes)
    : field_(field), by_standing_(by_standing) {
    for (const auto entrant : by_standing) {
        points_.push_back(field.points_halves[entrant]);
        smaller_pods_.push_back(field.smaller_pods[entrant]);
    }
    copy_seats();
    copy_pairs();
    cut(sizes);
    judge(false);
}

std::vector<std::vector<Entrant>> PodDraft::entrants_by_pod() const {
    std::vector<std::vector<Entrant>> result;
    for (std::size_t i = 0; i < pods(); ++i) {
        auto& pod = result.emplace_back();
        for (const auto member : pod_of(i)) pod.push_back(by_standing_[member]);
    }
    return result;
}

void PodDraft::back_to_best() {
    members_ = best_members_;
    index();
}

std::int64_t PodDraft::step_of_points() const {
    std::int64_t step = 0;
    for (const auto points : points_) step = std::gcd(step, points - points_.front());
    return std::max<std::int64_t>(1, step);
}

void PodDraft::copy_seats() {
    for (const auto entrant : by_standing_) {
        for (std::size_t seat = 0; seat < field_.seats; ++seat) {
            seat_excess_.push_back(seat_excess(field_, entrant, seat));
            seat_costs_.push_back(seat_cost(field_, entrant, seat));
        }
    }
}

void PodDraft::copy_pairs() {
    const std::size_t n = points_.size();
    pairs_.reserve(n * n);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            const bool forbidden = field_.kept_apart(by_standing_[a], by_standing_[b]);
            const auto company = field_.times_met(by_standing_[a], by_standing_[b]) +
                                 (forbidden ? forbidden_weight : 0);
            std::int64_t unlike = 0;
            for (std::size_t seat = 0; seat < field_.seats; ++seat) {
                const auto more =
                    seat_excess_[a * field_.seats + seat] - seat_excess_[b * field_.seats + seat];
                unlike += more * more;
            }
            pairs_.push_back(
                {static_cast<std::int32_t>(company), static_cast<std::int32_t>(unlike)});
        }
    }
}

void PodDraft::cut(std::span<const std::size_t> sizes) {
    std::vector<bool> taken(points_.size(), false);
    std::size_t first = 0;
    begins_.push_back(0);
    for (const auto size : sizes) {
        while (first < taken.size() && taken[first]) ++first;
        const std::size_t end = members_.size() + size;
        for (const bool pass_over : {true, false}) {
            for (auto i = static_cast<Place>(first); i < taken.size() && members_.size() < end;
                 ++i) {
                const Pod so_far = std::span(members_).subspan(begins_.back());
                if (taken[i] || (pass_over && known(so_far, i))) continue;
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

void PodDraft::index() {
    for (std::size_t i = 0; i < pods(); ++i) {
        for (std::size_t slot = begins_[i]; slot < begins_[i + 1]; ++slot) {
            slot_of_[members_[slot]] = slot;
            pod_at_[slot] = i;
        }
    }
}

bool PodDraft::known(Pod pod, Place place) const {
    return std::ranges::any_of(pod, [&](Place other) { return pair(other, place).company > 0; });
}

PodCost PodDraft::cost_of(std::size_t index) const {
    const Pod pod = pod_of(index);
    PodCost cost;
    auto least = points_[pod.front()];
    auto most = least;
    for (std::size_t a = 0; a < pod.size(); ++a) {
        const auto points = points_[pod[a]];
        least = std::min(least, points);
        most = std::max(most, points);
        if (pod.size() < field_.seats) cost.company += smaller_pods_[pod[a]];
        for (std::size_t b = 0; b < a; ++b) {
            cost.company += pair(pod[a], pod[b]).company;
            if (with_seats_) cost.unlike += pair(pod[a], pod[b]).unlike;
        }
    }
    cost.spread = most - least;
    return cost;
}

std::int64_t PodDraft::spread_with(std::size_t index, std::size_t slot, Place other) const {
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

PodCost PodDraft::cost_with(std::size_t index, std::size_t slot, Place other,
                            std::int64_t spread) const {
    const auto leaves = members_[slot];
    PodCost cost{costs_[index].company, spread, 0, costs_[index].unlike};
    if (begins_[index + 1] - begins_[index] < field_.seats)
        cost.company += static_cast<std::int64_t>(smaller_pods_[other]) - smaller_pods_[leaves];
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
std::int64_t PodDraft::seats_of(std::size_t index) {
    const Pod pod = pod_of(index);
    const std::size_t sets = std::size_t{1} << pod.size();
    std::fill_n(seating_.begin(), sets, std::numeric_limits<std::int64_t>::max() / 2);
    seating_[0] = 0;
    for (std::size_t set = 0; set + 1 < sets; ++set) {
        const auto seat = static_cast<std::size_t>(std::popcount(set));
        for (std::size_t i = 0; i < pod.size(); ++i) {
            const std::size_t with = set | std::size_t{1} << i;
            if (with == set) continue;
            const auto sum = seating_[set] + seat_costs_[pod[i] * field_.seats + seat];
            seating_[with] = std::min(seating_[with], sum);
        }
    }
    return seating_[sets - 1];
}

void PodDraft::judge(bool with_seats) {
    with_seats_ = with_seats;
    costs_.clear();
    now_ = {};
    for (std::size_t i = 0; i < pods(); ++i) {
        costs_.push_back(cost_of(i));
        if (with_seats) costs_.back().seats = seats_of(i);
        now_ += costs_.back();
    }
    best_ = now_;
    best_members_ = members_;
}

std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed) {
    return SeatingSearch(field, by_standing, sizes, seed).run();
}

}  // namespace referee::formats
