#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample_bots/cpp/light_cycles/field.h"

namespace bots::light_cycles {

// Which team gets where first, if all run there as straight as the trails allow.
class Territory {
 public:
    // How many free cells the team of `cycle` reaches first once the cycle has gone to `target`,
    // the mates in `decided` (the team's first cycles; nowhere for a terminated one) have gone
    // there, and all others are still to move. A team that comes to a cell at the same time as
    // another comes too late. Looks at `cells_max` cells at most. Requires: cycle living, target
    // free.
    std::size_t measure(const Field& field, std::size_t cycle, Cell target,
                        const std::vector<Cell>& decided, std::size_t cells_max);

 private:
    enum Mark : std::uint8_t { free_cell = 0, obstacle, others, own };

    void put(std::size_t index, Mark mark);
    void put_those_to_move(const Field& field, std::size_t cycle, std::size_t decided);
    void spread(std::size_t until);

    std::vector<std::uint8_t> marks_;
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint32_t> ahead_;
    std::size_t next_ = 0;
    std::size_t stride_ = 0;
};

}  // namespace bots::light_cycles
