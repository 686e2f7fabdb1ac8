#include "referee/tournament/pod_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <limits>
#include <numeric>

#include "engines/game.h"
#include "referee/rating/random.h"

namespace referee::tournament {

namespace {

// Forbidden company outweighs any number of repeats that a field can have.
constexpr std::int64_t forbidden_weight = 1'000'000;
// Moves of a search: each entrant adds some, the first ones many.
constexpr std::uint64_t moves_per_entrant = 1200;
constexpr std::uint64_t moves_per_first_entrant = 18'000;
constexpr std::uint64_t first_entrants = 64;
// Seating a pod costs more the larger it is: so many moves less in large ones.
constexpr std::uint64_t fewer_in_large_pods = 4;
constexpr std::size_t large_pod = 6;
constexpr std::uint64_t cooling_stages = 40;

// For spread: a height is the spread of an average pod at first, or so many steps of points if
// that is more; a repeat weighs so many heights. One search is warm enough to get over repeats,
// as small fields need it, the next begins from its best.
constexpr std::int64_t height_steps_min = 3;
constexpr std::int64_t company_heights = 2;
constexpr std::array<std::int64_t, 2> warmth_heights{6, 1};
// For seats: what a repeat and a step of points weigh, and how warm the searches begin, in units
// of seat cost. Firm enough to come back to the best spread, soft enough to get past it.
constexpr std::int64_t company_seats = 64;
constexpr std::int64_t step_seats = 8;
constexpr std::int64_t warmth_seats = 32;
constexpr std::int64_t seat_searches = 2;  // each begins from the best so far, less warm

struct Cost {
    std::int64_t company = 0;  // forbidden pairs, repeats, smaller pods again
    std::int64_t spread = 0;
    std::int64_t seats = 0;

    friend auto operator<=>(const Cost&, const Cost&) = default;
    Cost& operator+=(const Cost& other) {
        company += other.company;
        spread += other.spread;
        seats += other.seats;
        return *this;
    }
    Cost& operator-=(const Cost& other) {
        company -= other.company;
        spread -= other.spread;
        seats -= other.seats;
        return *this;
    }
};

// What a unit of each weighs while a search is on its way.
struct Weights {
    std::int64_t company = 0;
    std::int64_t spread = 0;
    std::int64_t seats = 0;
    std::int64_t of(const Cost& cost) const {
        return cost.company * company + cost.spread * spread + cost.seats * seats;
    }
};

// Entrants are known by their place in the standings here.
using Place = std::uint32_t;
using Pod = std::span<const Place>;

class Search {
 public:
    Search(const PodField& field, std::span<const Entrant> by_standing,
           std::span<const std::size_t> sizes, std::uint64_t seed)
        : field_(field), by_standing_(by_standing), random_(seed) {
        for (const auto entrant : by_standing) {
            points_.push_back(field.points_halves[entrant]);
            smaller_pods_.push_back(field.smaller_pods[entrant]);
        }
        copy_company();
        copy_seat_costs();
        cut(sizes);
        const std::uint64_t entrants = by_standing.size();
        const auto first = std::min(entrants, first_entrants);
        moves_ = moves_per_first_entrant * first + moves_per_entrant * (entrants - first);
        if (field.seats >= large_pod) moves_ /= fewer_in_large_pods;
        distances_ = static_cast<std::uint64_t>(std::bit_width(entrants));
    }

    std::vector<std::vector<Entrant>> run() {
        if (pods() >= 2) {
            judge(false);
            const auto step = step_of_points();
            const auto height =
                std::max(height_steps_min * step, best_.spread / static_cast<std::int64_t>(pods()));
            for (const auto warmth : warmth_heights) {
                anneal({company_heights * height, 1, 0}, warmth * height);
            }
            for (std::int64_t i = 1; i <= seat_searches; ++i) {
                anneal({company_seats * step, step_seats, step}, warmth_seats * step / i);
            }
        }
        std::vector<std::vector<Entrant>> result;
        for (std::size_t i = 0; i < pods(); ++i) {
            auto& pod = result.emplace_back();
            for (const auto member : pod_of(i)) pod.push_back(by_standing_[member]);
        }
        return result;
    }

 private:
    // All differences of points are multiples of this.
    std::int64_t step_of_points() const {
        std::int64_t step = 0;
        for (const auto points : points_) step = std::gcd(step, points - points_.front());
        return std::max<std::int64_t>(1, step);
    }

    void copy_company() {
        const std::size_t n = points_.size();
        company_.resize(n * n);
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b < n; ++b) {
                const auto team = field_.team[by_standing_[a]];
                const bool forbidden = team != 0 && team == field_.team[by_standing_[b]] && a != b;
                company_[a * n + b] =
                    static_cast<std::int32_t>(field_.times_met(by_standing_[a], by_standing_[b]) +
                                              (forbidden ? forbidden_weight : 0));
            }
        }
    }

    void copy_seat_costs() {
        for (const auto entrant : by_standing_) {
            for (std::size_t seat = 0; seat < field_.seats; ++seat) {
                seat_costs_.push_back(seat_cost(field_, entrant, seat));
            }
        }
    }

    // The standings cut into pods from the top, passing over those who met already where that
    // leaves somebody.
    void cut(std::span<const std::size_t> sizes) {
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

    void index() {
        for (std::size_t i = 0; i < pods(); ++i) {
            for (std::size_t slot = begins_[i]; slot < begins_[i + 1]; ++slot) {
                slot_of_[members_[slot]] = slot;
                pod_at_[slot] = i;
            }
        }
    }

    std::size_t pods() const { return begins_.size() - 1; }
    Pod pod_of(std::size_t index) const {
        return std::span(members_).subspan(begins_[index], begins_[index + 1] - begins_[index]);
    }
    std::int64_t company(Place a, Place b) const { return company_[a * points_.size() + b]; }
    bool known(Pod pod, Place place) const {
        return std::any_of(pod.begin(), pod.end(),
                           [&](Place other) { return company(other, place) > 0; });
    }

    // All but the seats.
    Cost cost_of(std::size_t index) const {
        const Pod pod = pod_of(index);
        Cost cost;
        auto least = points_[pod.front()];
        auto most = least;
        for (std::size_t a = 0; a < pod.size(); ++a) {
            const auto points = points_[pod[a]];
            least = std::min(least, points);
            most = std::max(most, points);
            if (pod.size() < field_.seats) cost.company += smaller_pods_[pod[a]];
            for (std::size_t b = 0; b < a; ++b) cost.company += company(pod[a], pod[b]);
        }
        cost.spread = most - least;
        return cost;
    }

    // The spread of a pod with somebody else in one of its slots.
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

    // The company in a pod with somebody else in one of its slots.
    std::int64_t company_with(std::size_t index, std::size_t slot, Place other) const {
        const auto leaves = members_[slot];
        auto sum = costs_[index].company;
        if (begins_[index + 1] - begins_[index] < field_.seats) {
            sum += static_cast<std::int64_t>(smaller_pods_[other]) - smaller_pods_[leaves];
        }
        for (std::size_t at = begins_[index]; at < begins_[index + 1]; ++at) {
            if (at == slot) continue;
            sum += company(members_[at], other) - company(members_[at], leaves);
        }
        return sum;
    }

    // What the cheapest order by seat costs: sets of members take the first seats.
    std::int64_t seats_of(std::size_t index) {
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

    // Judges the pods as they are: they become the best.
    void judge(bool with_seats) {
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

    // Threshold accepting: a step upward may be as high as the warmth, less and less often. Ends
    // early where nothing can be better.
    void anneal(const Weights& weights, std::int64_t warmest) {
        judge(weights.seats != 0);
        for (std::uint64_t stage = 0; stage < cooling_stages && best_ != Cost{}; ++stage) {
            const auto left = static_cast<std::int64_t>(cooling_stages - 1 - stage);
            const auto warmth = warmest * left / static_cast<std::int64_t>(cooling_stages);
            for (std::uint64_t move = 0; move < moves_ / cooling_stages; ++move)
                try_move(weights, warmth);
        }
        members_ = best_members_;
        index();
    }

    // As good as even for such small bounds, and quick.
    std::uint64_t below(std::uint64_t bound) {
        constexpr unsigned half = 32;
        return ((random_.next() >> half) * bound) >> half;
    }

    void try_move(const Weights& weights, std::int64_t warmth) {
        const auto n = points_.size();
        const auto one = static_cast<Place>(below(n));
        // Near in the standings most often.
        const auto apart = 1 + below(std::uint64_t{1} << (1 + below(distances_)));
        if (one + apart >= n) return;
        const auto other = static_cast<Place>(one + apart);
        const auto slot = slot_of_[one];
        const auto other_slot = slot_of_[other];
        const auto a = pod_at_[slot];
        const auto b = pod_at_[other_slot];
        if (a == b) return;
        const auto allowed =
            static_cast<std::int64_t>(below(static_cast<std::uint64_t>(warmth) + 1));
        // What is cheap to know first: the seats, and at first the company, cost nothing at best.
        Cost cost_a{0, spread_with(a, slot, other), 0};
        Cost cost_b{0, spread_with(b, other_slot, one), 0};
        const auto most = allowed + weights.of(costs_[a]) + weights.of(costs_[b]);
        if (weights.of(cost_a) + weights.of(cost_b) > most) return;
        cost_a.company = company_with(a, slot, other);
        cost_b.company = company_with(b, other_slot, one);
        if (weights.of(cost_a) + weights.of(cost_b) > most) return;
        std::swap(members_[slot], members_[other_slot]);
        if (weights.seats != 0) {
            cost_a.seats = seats_of(a);
            cost_b.seats = seats_of(b);
            if (weights.of(cost_a) + weights.of(cost_b) > most) {
                std::swap(members_[slot], members_[other_slot]);
                return;
            }
        }
        now_ -= costs_[a];
        now_ -= costs_[b];
        now_ += cost_a;
        now_ += cost_b;
        slot_of_[one] = other_slot;
        slot_of_[other] = slot;
        costs_[a] = cost_a;
        costs_[b] = cost_b;
        if (now_ < best_) {
            best_ = now_;
            best_members_ = members_;
        }
    }

    const PodField& field_;
    std::span<const Entrant> by_standing_;
    rating::Random random_;
    std::vector<std::int64_t> points_;
    std::vector<std::int64_t> smaller_pods_;
    std::vector<std::int32_t> company_;  // row after row
    std::vector<std::int64_t> seat_costs_;
    std::vector<std::size_t> begins_;  // of the pods in members_, and the end
    std::vector<Place> members_;       // pod after pod
    std::vector<Place> best_members_;
    std::vector<std::size_t> slot_of_;  // where in members_ somebody is
    std::vector<std::size_t> pod_at_;   // which pod a slot of members_ is in
    std::vector<Cost> costs_;
    Cost now_;
    Cost best_;
    std::uint64_t moves_ = 0;
    std::uint64_t distances_ = 1;  // bits of the largest
    std::array<std::int64_t, std::size_t{1} << engines::seats_max> seating_{};
};

}  // namespace

std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed) {
    return Search(field, by_standing, sizes, seed).run();
}

}  // namespace referee::tournament
