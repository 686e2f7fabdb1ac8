#include "referee/contests/tournament/difference_search.h"

#include <algorithm>

#include "referee/contests/rating/random.h"

namespace referee::tournament {

namespace {

using Blocks = std::vector<std::vector<std::uint32_t>>;

constexpr std::uint64_t search_seed = 1;
// A move that is worse by w is taken with a chance of one in 2^(w * coldness). With more points
// more places can get worse at any time, so a large search is colder.
constexpr std::int64_t coldness = 5;
constexpr std::int64_t coldness_of_many = 10;
constexpr std::uint32_t many = 100;
constexpr std::int64_t worse_most = 20;

class Search {
 public:
    explicit Search(const DifferenceGoal& goal)
        : goal_(goal),
          order_(goal.group.order()),
          cyclic_(goal.group.cyclic()),
          coldness_(order_ > many ? coldness_of_many : coldness),
          random_(search_seed),
          met_(order_, 0) {
        for (std::uint32_t a = 0; a < order_; ++a) {
            weight_.push_back(goal.group.negative(a) == a ? 2 : 1);
            if (cyclic_) continue;
            for (std::uint32_t b = 0; b < order_; ++b) differences_.push_back(class_of(a, b));
        }
        for (const auto size : goal.sizes) blocks_.push_back(random_block(size));
        for (const auto& block : blocks_) {
            for (std::size_t a = 0; a < block.size(); ++a) {
                for (std::size_t b = 0; b < a; ++b) count(block[a], block[b], +1);
            }
        }
        for (std::uint32_t d = 1; d < order_; ++d) {
            if (represents(d)) fault_ += fault(d, met_[d]);
        }
    }

    std::optional<Blocks> run(std::uint64_t moves_most) {
        for (std::uint64_t move = 0; move < moves_most && fault_ > 0; ++move) try_move();
        if (fault_ > 0) return std::nullopt;
        return blocks_;
    }

 private:
    // A difference and its negative are one class, named by the smaller.
    std::uint32_t class_of(std::uint32_t a, std::uint32_t b) const {
        if (cyclic_) {
            const auto apart = a > b ? a - b : b - a;
            return std::min(apart, order_ - apart);
        }
        const auto d = goal_.group.difference(a, b);
        return std::min(d, goal_.group.negative(d));
    }
    std::uint32_t class_between(std::uint32_t a, std::uint32_t b) const {
        return cyclic_ ? class_of(a, b) : differences_[std::size_t{a} * order_ + b];
    }
    bool represents(std::uint32_t d) const { return d <= goal_.group.negative(d); }

    std::int64_t fault(std::uint32_t d, std::int64_t met) const {
        const auto least = static_cast<std::int64_t>(goal_.least[d]);
        const auto most = static_cast<std::int64_t>(goal_.most[d]);
        const std::int64_t off = met < least ? least - met : met > most ? met - most : 0;
        return off * off;
    }

    // A difference that is its own negative makes every pair meet twice.
    void count(std::uint32_t a, std::uint32_t b, std::int64_t by) {
        const auto d = class_between(a, b);
        met_[d] += by * weight_[d];
    }
    void recount(std::uint32_t a, std::uint32_t b, std::int64_t by) {
        const auto d = class_between(a, b);
        fault_ -= fault(d, met_[d]);
        met_[d] += by * weight_[d];
        fault_ += fault(d, met_[d]);
    }

    std::vector<std::uint32_t> random_block(std::size_t size) {
        std::vector<std::uint32_t> block{0};
        while (block.size() < size) {
            const auto point = static_cast<std::uint32_t>(random_.below(order_));
            if (std::find(block.begin(), block.end(), point) == block.end()) block.push_back(point);
        }
        return block;
    }

    void exchange(std::vector<std::uint32_t>& block, std::size_t at, std::uint32_t point) {
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (i != at) recount(block[at], block[i], -1);
        }
        block[at] = point;
        for (std::size_t i = 0; i < block.size(); ++i) {
            if (i != at) recount(block[at], block[i], +1);
        }
    }

    void try_move() {
        auto& block = blocks_[random_.below(blocks_.size())];
        const std::size_t at = 1 + random_.below(block.size() - 1);
        const auto point = static_cast<std::uint32_t>(random_.below(order_));
        if (std::find(block.begin(), block.end(), point) != block.end()) return;
        const auto before = fault_;
        const auto old = block[at];
        exchange(block, at, point);
        const std::int64_t worse = fault_ - before;
        if (worse <= 0) return;
        const auto bits = static_cast<std::uint64_t>(std::min(worse * coldness_, worse_most));
        const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
        if ((random_.next() & mask) != 0) exchange(block, at, old);
    }

    const DifferenceGoal& goal_;
    std::uint32_t order_;
    bool cyclic_;
    std::int64_t coldness_;
    rating::Random random_;
    std::vector<std::uint32_t> differences_;  // by pair of points; empty for cyclic groups
    std::vector<std::int64_t> weight_;        // meetings by difference
    std::vector<std::int64_t> met_;           // by class
    std::int64_t fault_ = 0;
    Blocks blocks_;
};

}  // namespace

std::optional<Blocks> find_base_blocks(const DifferenceGoal& goal, std::uint64_t moves_most) {
    return Search(goal).run(moves_most);
}

}  // namespace referee::tournament
