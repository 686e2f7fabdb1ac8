#pragma once

#include <string>
#include <string_view>

#include "referee/roster/csv.h"
#include "referee/roster/pseudonyms/aliases.h"

namespace referee::web {

// The cross table of an output folder, crosstable.csv: a line for each bot, which begins with its
// number and name and ends with its points and rank.
class CrosstableRows {
 public:
    // As a visitor with that mask reads it.
    CrosstableRows(std::string_view csv, const pseudonyms::NameMask& name_mask);

    std::string csv() const;
    // As "crosstable" in configs/schemas/web.json.
    std::string json(std::string_view tournament) const;

 private:
    roster::CsvTable table_;
};

}  // namespace referee::web
