#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "referee/roster/kinds/kind.h"
#include "referee/submit/build/build.h"
#include "referee/submit/build/recipe.h"
#include "referee/submit/exports/deadline.h"
#include "referee/submit/exports/shape.h"

namespace referee::collect {

// Who hands in one submission together.
enum class GroupsBy : std::uint8_t {
    none,        // each for themselves, or as the service says
    team,        // the roster's teams
    first_line,  // whose ids stand in the first line of main.c
};

// What is asked of a collection.
struct CollectOptions {
    std::vector<std::string> archives;
    std::string roster;
    std::string out;
    std::optional<exports::Shape> shape;
    GroupsBy groups = GroupsBy::none;
    std::vector<exports::Deadline> deadlines;
    std::int64_t grace_s = 0;
    build::Handout handout;
    build::BuildLimits limits;
    std::size_t builds_at_once = 1;
    const kinds::Kind* kind = nullptr;  // of programs that speak no protocol
    std::string game;                   // of the tournament; empty: the kind's
    bool unsandboxed = false;
    bool terminal = false;  // progress is drawn on one line
};

}  // namespace referee::collect
