#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/standings/crosstable.h"

namespace referee::standings {

// As much of a TRF as tie-breaks need, read leniently: for tests of tie-breaks alone.
struct TrfTable {
    std::vector<int> start_numbers;  // by row
    Crosstable table;
};
std::optional<TrfTable> read_trf(std::string_view text);

}  // namespace referee::standings
