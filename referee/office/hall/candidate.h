#pragma once

#include <string>

#include "protocol/base/result.h"
#include "referee/memory/journal/journal.h"

// What a grade says of a program that may enter the Hall of Fame.

namespace referee::hall {

struct Candidate {
    journal::FameRecord entry;  // without a semester
    bool is_final = false;      // whether everything could be judged
    std::string unplayed{};     // why it has no average: nothing of it was played; else empty
};

// Of a grade.json. `step`: the id of the step whose average counts; it may be empty where all
// steps that ask for an average say the same. An error says what is wrong with the file.
base::Result<Candidate, std::string> read_candidate(const std::string& file,
                                                    const std::string& step);

}  // namespace referee::hall
