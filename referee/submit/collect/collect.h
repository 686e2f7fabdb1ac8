#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/build/build.h"
#include "referee/submit/collect/collection.h"
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

// From the archives of a course to built submissions, as configs/GRADING.md tells it. Progress and
// complaints go to `errors`, the summary to `out`. exit_no: something could not be taken or did not
// build; what did is there all the same.
int collect(const CollectOptions& options, std::ostream& out, std::ostream& errors);

// Builds what one student handed in, as `collect` builds that of a class: an archive, a single file
// or a folder, which is only read. What was built stands in OUT/submissions/NAME as soon as all of
// it is there; what is returned says whether it is. `options.archives` and `options.roster` are not
// looked at. `say` is told in which sandbox it is built.
base::Result<Collected, Ending> build_single(
    const CollectOptions& options, const std::string& source, const std::string& name,
    const std::function<void(const std::string& line)>& say);

// Of the options: with the output folder's absolute path.
CollectOptions with_absolute_out(CollectOptions options);
// Where a submission lies.
std::string folder_of(const CollectOptions& options, const Collected& submission);

}  // namespace referee::collect
