#include "referee/contest/formats/pod_search.h"

#include <algorithm>
#include <array>
#include <bit>

#include "referee/contest/formats/pod_draft.h"
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
            for (const auto warmth : warmth_heights) {
                anneal({company_heights * height, 1, 0, 0}, warmth * height);
            }
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

std::vector<std::vector<Entrant>> search_pods(const PodField& field,
                                              std::span<const Entrant> by_standing,
                                              std::span<const std::size_t> sizes,
                                              std::uint64_t seed) {
    return SeatingSearch(field, by_standing, sizes, seed).run();
}

}  // namespace referee::formats
