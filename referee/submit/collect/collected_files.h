#pragma once

#include <string>

#include "referee/submit/collect/collect_options.h"
#include "referee/submit/collect/collection.h"

namespace referee::collect {

// How many could not be taken, or did not build.
std::size_t spoilt(const Collection& collection);

// collected.json; configs/schemas/collected.json describes it.
std::string collected_json(const CollectOptions& terms, const Collection& collection,
                           const matching::ClassList& people);
// collected.txt: the same for a person.
std::string collected_text(const CollectOptions& terms, const Collection& collection,
                           const matching::ClassList& people);
// The last line that a person sees: "11 submissions: 8 built, 3 failed; 1 unknown, 2 missing".
std::string summary_line(const Collection& collection);

}  // namespace referee::collect
