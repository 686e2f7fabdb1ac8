#include <algorithm>
#include <utility>

#include "protocol/base/assertion.h"
#include "referee/contests/tournament/design.h"
#include "referee/contests/tournament/round_table.h"
#include "referee/contests/tournament/seat_table.h"

namespace referee::tournament {

namespace {

// A design's pods, one base block after the other. A round is a base block's pods: everybody plays
// in usually `seats` of them, once in each seat.
class DesignTable final : public RoundTable {
 public:
    DesignTable(Design design, std::uint32_t cycles) : design_(std::move(design)), cycles_(cycles) {
        // Moving a block by the whole group seats everybody everywhere equally often. A fixed point
        // doesn't move, so a design that has one needs seats that are dealt out for all pods
        // beforehand.
        if (!design_.has_fixed_point()) return;
        for (std::uint64_t round = 0; round < rounds(); ++round) {
            for (std::size_t place = 0; place < places(round); ++place) {
                dealt_.push_back(design_.block(orbit_of(round), place));
            }
        }
        even_seats(dealt_, design_.seats, design_.points);
    }

    std::uint64_t rounds() const override { return std::uint64_t{design_.orbits.size()} * cycles_; }

    std::size_t places(std::uint64_t round) const override {
        return static_cast<std::size_t>(design_.blocks(orbit_of(round)));
    }

    std::vector<Entrant> seats(std::uint64_t round, std::size_t place) const override {
        if (!dealt_.empty()) return entrants(dealt_[first_of(round) + place]);
        auto block = design_.block(orbit_of(round), place);
        // A short orbit gives everybody one seat only, so each cycle uses another one.
        const std::uint64_t cycle = round / design_.orbits.size();
        const auto by = static_cast<std::ptrdiff_t>(cycle % design_.seats);
        std::rotate(block.begin(), block.begin() + by, block.end());
        return entrants(block);
    }

    std::uint64_t matches_total() const override { return design_.blocks() * cycles_; }

 private:
    std::size_t orbit_of(std::uint64_t round) const {
        return static_cast<std::size_t>(round % design_.orbits.size());
    }
    std::size_t first_of(std::uint64_t round) const {
        std::uint64_t first = round / design_.orbits.size() * design_.blocks();
        for (std::size_t orbit = 0; orbit < orbit_of(round); ++orbit)
            first += design_.blocks(orbit);
        return static_cast<std::size_t>(first);
    }
    static std::vector<Entrant> entrants(const std::vector<std::uint32_t>& block) {
        return {block.begin(), block.end()};
    }

    Design design_;
    std::uint32_t cycles_;
    std::vector<std::vector<std::uint32_t>> dealt_;
};

}  // namespace

std::unique_ptr<RoundTable> design_table(std::size_t entrants, std::size_t seats,
                                         std::uint32_t meetings, std::uint32_t cycles) {
    return std::make_unique<DesignTable>(design_for(static_cast<std::uint32_t>(entrants),
                                                    static_cast<std::uint32_t>(seats), meetings),
                                         cycles);
}

}  // namespace referee::tournament
