#pragma once

#include <sys/types.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "referee/roster/kinds/kind.h"
#include "referee/submit/build/build.h"
#include "referee/submit/exports/read_export.h"

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

// Bots in a sandbox are other users, who must read what they run.
inline constexpr mode_t mask_of_collected = 022;

// From the archives of a course to built submissions, as configs/GRADING.md tells it. Progress and
// complaints go to `errors`, the summary to `out`. exit_no: something could not be taken or did not
// build; what did is there all the same.
int collect(const CollectOptions& options, std::ostream& out, std::ostream& errors);

}  // namespace referee::collect
