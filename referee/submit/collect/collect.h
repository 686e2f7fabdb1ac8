#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/exit_code.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/build/build.h"
#include "referee/submit/exports/read_export.h"

namespace referee::collect {

// ---- What was collected: drawn up step by step (steps.h), and then written down -------------

struct LateSubmission {
    std::string deadline;  // its name
    std::int64_t at_s = 0;
    std::int64_t late_s = 0;  // of the newest version; 0: in time
    // The newest version that was in time; nothing where there is none.
    std::optional<unsigned> version_in_time;
};

enum class BuildResult : std::uint8_t {
    built,
    not_needed,  // there is nothing to build
    failed,      // the build, or there is no recipe for what was handed in
    refused,     // what was handed in could not be taken
};
std::string_view name_of(BuildResult result);

struct Built {
    BuildResult result = BuildResult::refused;
    std::string reason;  // why it failed or was refused
    std::string output;  // of the build
    std::string recipe;  // "a Makefile"
    std::string build;   // the command
    std::vector<std::string> run;
    std::string within;  // where it runs, below the folder of what was built: "" or "iap/"
    std::string hash;    // of what was built; empty where nothing was
};

// A submission of somebody who is expected.
struct Collected {
    std::string name;  // for the tournament
    std::vector<std::size_t> people;
    std::string how;                               // they were found
    std::string key;                               // in the export
    std::vector<exports::ExportVersion> versions;  // numbered from 1, of all archives together
    bool late = false;
    std::vector<LateSubmission> deadlines;
    std::string folder;     // where the newest version's files lie meanwhile
    std::string hash;       // of them
    std::string made_from;  // and of all that its build depends on
    std::string refused;    // why it can't be taken; empty where it can
    std::vector<std::string> remarks;
    Built built;
    bool kept = false;  // an earlier collection built the same
};

struct Unknown {
    std::string key;
    std::string doubt;
};

// Something that only the instructor can decide; meanwhile it counts as it stands here.
struct NeedsDecision {
    std::string key;
    std::vector<std::size_t> people;
    std::vector<std::string> why;
};

struct Collection {
    exports::Shape shape = exports::Shape::plain;
    std::vector<Collected> submissions;  // in the order of their names
    std::vector<Unknown> unknown;
    std::vector<NeedsDecision> to_look_at;
    std::vector<std::size_t> missing;  // people
    std::vector<std::string> left_over;
    // Folders of submissions that only an earlier collection had: graders would take them too.
    std::vector<std::string> earlier;
    std::vector<std::string> remarks;
};

// ---- Collecting -----------------------------------------------------------------------------

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

// ---- build_submissions.cpp ----------------------------------------------------------------------

// Builds what one student handed in, as `collect` builds that of a class: an archive, a single file
// or a folder, which is only read. What was built stands in OUT/submissions/NAME as soon as all of
// it is there; what is returned says whether it is. `options.archives` and `options.roster` are not
// looked at. `say` is told in which sandbox it is built.
base::Result<Collected, Ending> build_single(
    const CollectOptions& options, const std::string& source, const std::string& name,
    const std::function<void(const std::string& line)>& say);

// ---- collected_files.cpp ------------------------------------------------------------------------

// Of the options: with the output folder's absolute path.
CollectOptions with_absolute_out(CollectOptions options);
// Where a submission lies.
std::string folder_of(const CollectOptions& options, const Collected& submission);

}  // namespace referee::collect
