#pragma once

#include <string>
#include <string_view>

namespace referee::web {

// An output folder's crosstable.json, or what a visitor may read of it, as its crosstable.csv has
// it.
std::string crosstable_csv(std::string_view crosstable);

}  // namespace referee::web
