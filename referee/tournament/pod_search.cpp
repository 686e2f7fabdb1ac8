#include "referee/tournament/pod_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "engines/game.h"
#include "referee/rating/random.h"

namespace referee::tournament {

namespace {

using Pod = std::span<const Entrant>;

// Forbidden company outweighs any number of repeats that a field can have.
constexpr std::int64_t forbidden_weight = 1'000'000;
// Moves of each of the two searches: each entrant adds some, the first ones many.
constexpr std::uint64_t moves_per_entrant = 800;
constexpr std::uint64_t moves_per_first_entrant = 9000;
constexpr std::uint64_t first_entrants = 64;
// Seating a pod costs more the larger it is: so many moves less in large ones.
constexpr std::uint64_t fewer_in_large_pods = 4;
constexpr std::size_t large_pod = 6;
// At first a step may be worse by up to this share of the range of points.
constexpr std::int64_t warmth_share = 12;
// What weighs how much on the way, in units of spread.
constexpr std::int64_t company_height = 12;

// How seats are looked for: what they and spread beyond its bound weigh, how warm it begins.
struct SeatsWay {
    std::int64_t seats_height;
    std::int64_t beyond_height;
    std::int64_t warmth;
};
// First warm enough to get over repeats, as small fields need it; then gently, again and again,
// from the best that was found: that evens out seats that everybody wants at once.
constexpr SeatsWay warm_way{8, 4, 24};
constexpr SeatsWay gentle_way{4, 4, 6};
constexpr int gentle_times = 3;
constexpr int gentle_times_of_many = 1;
constexpr std::uint64_t many_entrants = 512;
constexpr std::uint64_t stages = 40;  // steps in which the search cools down
// How far apart in the standings two pods are that exchange members: mostly near.
constexpr std::uint64_t reach = 32;

struct Cost {
    std::int64_t company = 0;  // forbidden pairs and repeats
    std::int64_t spread = 0;
    std::int64_t seats = 0;
};

class Search {
 public:
    Search(const PodField& field, std::span<const Entrant> by_standing,
           std::span<const std::size_t> sizes, std::uint64_t seed)
        : field_(field), random_(seed) {
        cut(by_standing, sizes);
        const auto range = by_standing.empty() ? 0
                                               : field.points_halves[by_standing.front()] -
                                                     field.points_halves[by_standing.back()];
        warmth_ = std::max<std::int64_t>(4, range / warmth_share);
        unit_ = std::max<std::int64_t>(1, warmth_ / 4);
        const std::uint64_t entrants = by_standing.size();
        moves_ = moves_per_entrant * entrants +
                 moves_per_first_entrant * std::min(entrants, first_entrants);
        if (field.seats >= large_pod) moves_ /= fewer_in_large_pods;
        prepare_seat_costs();
    }

    std::vector<std::vector<Entrant>> run() {
        if (pods() >= 2) {
            phase(Phase::spread);
            spread_bound_ = best_.spread + spread_slack_halves * static_cast<std::int64_t>(pods());
            company_bound_ = best_.company;
            way_ = warm_way;
            phase(Phase::seats);
            way_ = gentle_way;
            const bool many = members_.size() > many_entrants;
            for (int i = 0; i < (many ? gentle_times_of_many : gentle_times); ++i) {
                phase(Phase::seats);
            }
        }
        std::vector<std::vector<Entrant>> result;
        for (std::size_t i = 0; i < pods(); ++i) result.emplace_back(pod(i).begin(), pod(i).end());
        return result;
    }

 private:
    enum class Phase : std::uint8_t { spread, seats };

    // The standings cut into pods from the top, passing over those who met already where that
    // leaves somebody.
    void cut(std::span<const Entrant> by_standing, std::span<const std::size_t> sizes) {
        std::vector<bool> taken(by_standing.size(), false);
        std::size_t first = 0;
        begins_.push_back(0);
        for (const auto size : sizes) {
            while (first < taken.size() && taken[first]) ++first;
            const std::size_t end = members_.size() + size;
            for (const bool pass_over : {true, false}) {
                for (std::size_t i = first; i < taken.size() && members_.size() < end; ++i) {
                    const Pod so_far = std::span(members_).subspan(begins_.back());
                    if (taken[i] || (pass_over && known(so_far, by_standing[i]))) continue;
                    members_.push_back(by_standing[i]);
                    taken[i] = true;
                }
            }
            begins_.push_back(members_.size());
        }
    }

    std::size_t pods() const { return begins_.size() - 1; }
    std::size_t size_of(std::size_t pod) const { return begins_[pod + 1] - begins_[pod]; }
    Pod pod(std::size_t index) const {
        return std::span(members_).subspan(begins_[index], size_of(index));
    }
    Entrant& any_member(std::size_t pod) {
        return members_[begins_[pod] + random_.below(size_of(pod))];
    }

    std::int64_t company_of(Entrant a, Entrant b) const {
        const auto team = field_.team[a];
        const bool forbidden = team != 0 && team == field_.team[b];
        return field_.times_met(a, b) + (forbidden ? forbidden_weight : 0);
    }
    bool known(Pod pod, Entrant entrant) const {
        return std::any_of(pod.begin(), pod.end(),
                           [&](Entrant other) { return company_of(other, entrant) > 0; });
    }

    void prepare_seat_costs() {
        seat_costs_.resize(field_.entrants() * field_.seats);
        for (Entrant entrant = 0; entrant < field_.entrants(); ++entrant) {
            for (std::size_t seat = 0; seat < field_.seats; ++seat) {
                seat_costs_[entrant * field_.seats + seat] = seat_cost(field_, entrant, seat);
            }
        }
    }

    // The cheapest seating: over sets of members, the seats filled in order.
    std::int64_t seats_of(Pod pod) {
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

    Cost cost_of(Pod pod, Phase phase) {
        Cost cost;
        auto least = field_.points_halves[pod.front()];
        auto most = least;
        for (std::size_t a = 0; a < pod.size(); ++a) {
            const auto points = field_.points_halves[pod[a]];
            least = std::min(least, points);
            most = std::max(most, points);
            if (pod.size() < field_.seats) cost.company += field_.smaller_pods[pod[a]];
            for (std::size_t b = 0; b < a; ++b) cost.company += company_of(pod[a], pod[b]);
        }
        cost.spread = most - least;
        if (phase == Phase::seats) cost.seats = seats_of(pod);
        return cost;
    }

    // One number that leads the way; what is kept is judged by better().
    std::int64_t height(const Cost& cost, Phase phase) const {
        if (phase == Phase::spread) return cost.company * company_height * unit_ + cost.spread;
        const auto company = std::max<std::int64_t>(0, cost.company - company_bound_);
        const auto beyond = std::max<std::int64_t>(0, cost.spread - spread_bound_);
        return company * company_height * unit_ + cost.seats * way_.seats_height * unit_ +
               beyond * way_.beyond_height + cost.spread;
    }
    bool accepted(const Cost& now, const Cost& next, Phase phase, std::int64_t warmth) {
        const auto worse = height(next, phase) - height(now, phase);
        return worse <= 0 || worse <= static_cast<std::int64_t>(
                                          random_.below(static_cast<std::uint64_t>(warmth) + 1));
    }

    bool better(const Cost& a, const Cost& b, Phase phase) const {
        if (phase == Phase::spread) {
            return a.company != b.company ? a.company < b.company : a.spread < b.spread;
        }
        if (a.company > company_bound_ || a.spread > spread_bound_) return false;
        return a.seats != b.seats ? a.seats < b.seats : a.spread < b.spread;
    }

    void phase(Phase phase) {
        costs_.clear();
        now_ = {};
        for (std::size_t i = 0; i < pods(); ++i) {
            costs_.push_back(cost_of(pod(i), phase));
            add(now_, costs_.back(), +1);
        }
        best_ = now_;
        best_members_ = members_;
        const auto warmest = phase == Phase::spread ? warmth_ : way_.warmth * unit_;
        for (std::uint64_t stage = 0; stage < stages; ++stage) {
            const auto left = static_cast<std::int64_t>(stages - 1 - stage);
            const auto warmth = warmest * left / static_cast<std::int64_t>(stages);
            for (std::uint64_t move = 0; move < moves_ / stages; ++move) try_move(phase, warmth);
        }
        members_ = best_members_;
    }

    static void add(Cost& sum, const Cost& cost, std::int64_t sign) {
        sum.company += sign * cost.company;
        sum.spread += sign * cost.spread;
        sum.seats += sign * cost.seats;
    }

    void try_move(Phase phase, std::int64_t warmth) {
        const std::size_t a = random_.below(pods());
        const auto farthest = std::min<std::uint64_t>(pods() - 1, 1 + random_.below(reach));
        const std::size_t apart = 1 + random_.below(farthest);
        const bool down = random_.below(2) == 0;
        if (down ? a + apart >= pods() : a < apart) return;
        const std::size_t b = down ? a + apart : a - apart;
        auto& one = any_member(a);
        auto& other = any_member(b);
        std::swap(one, other);
        const Cost cost_a = cost_of(pod(a), phase);
        const Cost cost_b = cost_of(pod(b), phase);
        Cost next = now_;
        add(next, costs_[a], -1);
        add(next, costs_[b], -1);
        add(next, cost_a, +1);
        add(next, cost_b, +1);
        if (!accepted(now_, next, phase, warmth)) {
            std::swap(one, other);
            return;
        }
        now_ = next;
        costs_[a] = cost_a;
        costs_[b] = cost_b;
        if (better(now_, best_, phase)) {
            best_ = now_;
            best_members_ = members_;
        }
    }

    const PodField& field_;
    rating::Random random_;
    std::vector<Entrant> members_;  // pod after pod
    std::vector<Entrant> best_members_;
    std::vector<std::size_t> begins_;  // of the pods in members_, and the end
    std::vector<Cost> costs_;
    Cost now_;
    Cost best_;
    std::int64_t warmth_ = 0;
    std::int64_t unit_ = 1;  // of spread: a small step in this field
    std::uint64_t moves_ = 0;
    std::int64_t spread_bound_ = 0;
    std::int64_t company_bound_ = 0;
    SeatsWay way_ = warm_way;
    std::vector<std::int64_t> seat_costs_;
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
