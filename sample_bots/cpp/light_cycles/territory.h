#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sample_bots/cpp/light_cycles/field.h"

namespace bots::light_cycles {

// Who gets where first, if all run as straight there as the trails allow.
class Territory {
 public:
    struct Share {
        std::size_t own = 0;     // free cells that the cycle itself reaches first
        std::size_t team = 0;    // that its team reaches first, these included
        bool contested = false;  // the others' ground touches the team's
    };

    // The share of `cycle` after it has gone to `target`, while the mates in `decided` have gone to
    // their cells and all others are still to move; who comes at the same time as another team
    // comes too late. Looks at about `cells_max` cells at most.
    // Requires: cycle living, target free.
    Share measure(const Field& field, std::size_t cycle, Cell target,
                  const std::vector<Cell>& decided, std::size_t cells_max);

 private:
    enum Mark : std::uint8_t { free_cell = 0, obstacle, others, mates, self };

    void put(std::size_t index, Mark mark);
    void spread(std::size_t until);

    std::vector<std::uint8_t> marks_;
    std::vector<std::uint32_t> queue_;
    std::size_t next_ = 0;
    std::size_t stride_ = 0;
    bool contested_ = false;
};

}  // namespace bots::light_cycles
