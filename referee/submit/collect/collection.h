#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/archives/archives.h"
#include "referee/submit/collect/collect.h"
#include "referee/submit/exports/read_export.h"
#include "referee/submit/matching/class_list.h"

// What was collected: a value that is drawn up step by step, and then written down.

namespace referee::collect {

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
std::optional<BuildResult> build_result_of(std::string_view name);

struct Built {
    BuildResult result = BuildResult::refused;
    std::string reason;  // why it failed or was refused
    std::string output;  // of the build
    std::string recipe;  // "a Makefile"
    std::string build;   // the command
    std::vector<std::string> run;
    std::string within;  // where it runs, below the folder of what was built: "" or "iap/"
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

// An archive of submissions, unpacked.
struct UnpackedExport {
    std::string folder;
    // All of its entries; the last `refused.size()` of them were left out.
    std::vector<exports::ExportedFile> files;
    std::vector<archives::RefusedEntry> refused;
    std::vector<std::string> remarks;
    std::string metadata;  // the text of Gradescope's file
};

// What became of one version of a submission.
struct Taken {
    std::string refused;  // why it can't be taken; empty where it can
    std::vector<std::string> remarks;
};

// Puts the files of a version into a folder of its own, which is new. A version that is one
// archive, alone or with documents beside it, is unpacked there; an archive in that one stays what
// it is. An error is the machine's trouble.
base::Result<Taken, std::string> take_files(const UnpackedExport& from,
                                            std::span<const exports::SubmittedFile> files,
                                            const std::string& folder);

// Stands in the output folder, where the instructor writes it.
inline constexpr const char* groups_file_name = "groups.txt";

// Whose submissions are by the instructor's word, by their keys in the export as people are shown
// them. A line for each, `Ann Lee_11 = 1001 1003`; one that begins with # says nothing.
using WhoseByKey = std::map<std::string, std::vector<std::size_t>>;

// A line for a submission that these people handed in.
std::string groups_line(const matching::ClassList& people, const std::string& key,
                        const std::vector<std::size_t>& whose);

// Who handed in what, of all exports together: finds the students, joins groups and versions, gives
// names, compares with the deadlines. Puts the files of each submission's newest version into a
// folder of its own below `scratch`. `whose`: the instructor's word on groups. An error is the
// machine's trouble.
base::Result<Collection, std::string> gather(const CollectOptions& options,
                                             const matching::ClassList& people,
                                             const WhoseByKey& whose,
                                             std::span<const UnpackedExport> exports,
                                             const std::string& scratch);

// Of the options: with the output folder's absolute path.
CollectOptions with_absolute_out(CollectOptions options);
// What is needed meanwhile, in the output folder.
std::string scratch_of(const CollectOptions& options);

// Where a submission lies.
std::string folder_of(const CollectOptions& options, const Collected& submission);

// How many could not be taken, or did not build.
std::size_t spoilt(const Collection& collection);

// collected.json; configs/schemas/collected.json describes it.
std::string collected_json(const CollectOptions& options, const Collection& collection,
                           const matching::ClassList& people);
// collected.txt: the same for a person.
std::string collected_text(const CollectOptions& options, const Collection& collection,
                           const matching::ClassList& people);
// The last line that a person sees: "11 submissions: 8 built, 3 failed; 1 unknown, 2 missing".
std::string summary_line(const Collection& collection);

// A config for `referee run`, laid out for people, in which all submissions that can play meet each
// other, or have the same games where one plays alone. It stands in the output folder, and names
// paths from there. An error says why there is none: too few can play. Requires: the game is known.
base::Result<std::string, std::string> tournament_text(const CollectOptions& options,
                                                       const Collection& collection,
                                                       const matching::ClassList& people);

}  // namespace referee::collect
