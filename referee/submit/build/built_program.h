#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/build/recipe.h"

namespace referee::build {

// The words that run what was built in this folder: the recipe's, or the one program among the
// files that were not there before. An error says what was found instead.
base::Result<std::vector<std::string>, std::string> built_program(
    const std::string& folder, const std::vector<SourceFile>& before, const Recipe& recipe);

}  // namespace referee::build
