#pragma once

#include <sys/types.h>

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/archives/archives.h"
#include "referee/submit/collect/collect.h"
#include "referee/submit/exports/read_export.h"
#include "referee/submit/matching/class_list.h"

// The steps from a course's archives to built submissions, in their order. An error that is a text
// is the machine's trouble.

namespace referee::collect {

// ---- 1: unpack_exports.cpp -----------------------------------------------------------------

// An archive of submissions, unpacked.
struct UnpackedExport {
    std::string folder;
    // All of its entries; the last `refused.size()` of them were left out.
    std::vector<exports::ExportedFile> files;
    std::vector<archives::RefusedEntry> refused;
    std::vector<std::string> remarks;
    std::string metadata;  // the text of Gradescope's file
};

// Requires: the folder is there. An error names the archive.
base::Result<UnpackedExport, archives::UnpackError> unpack_export(const std::string& archive,
                                                                  const std::string& folder);

// What became of one version of a submission.
struct Taken {
    std::string refused;  // why it can't be taken; empty where it can
    std::vector<std::string> remarks;
};

// Puts the files of a version into a folder of its own, which is new. A version that is one
// archive, alone or with documents beside it, is unpacked there; an archive in that one stays what
// it is.
base::Result<Taken, std::string> take_files(const UnpackedExport& from,
                                            std::span<const exports::SubmittedFile> files,
                                            const std::string& folder);

// ---- 2: who_handed_in.cpp ------------------------------------------------------------------

// Whose submissions are by the instructor's word, by their keys in the export as people are shown
// them.
using WhoseByKey = std::map<std::string, std::vector<std::size_t>>;

// Who handed in what, of all exports together: finds the students, joins groups and versions, gives
// names, compares with the deadlines. Puts the files of each submission's newest version into a
// folder of its own below `scratch`. `whose`: the instructor's word on groups.
base::Result<Collection, std::string> who_handed_in(const CollectOptions& options,
                                                    const matching::ClassList& people,
                                                    const WhoseByKey& whose,
                                                    std::span<const UnpackedExport> exports,
                                                    const std::string& scratch);

// ---- 3: build_submissions.cpp --------------------------------------------------------------

// Is told how it goes while submissions are built.
struct CollectProgress {
    std::function<void(const std::string& line)> say;
    std::function<void(std::size_t done, std::size_t of)> progress;
};

// Builds each submission that an earlier collection has not built, and puts each into its folder
// SUBMISSIONS/NAME as soon as all of it is there: whoever stops this in the middle loses the builds
// that were under way, and nothing half-built is ever there. What was built before an error stays.
// Those that fail come last, once it is known that their compilers build anything here.
base::Result<void, std::string> build_submissions(
    boost::asio::io_context& loop, const CollectOptions& options, const matching::ClassList& people,
    Collection& collection, const std::string& scratch, const CollectProgress& progress);

// ---- 4: collected_files.cpp ----------------------------------------------------------------

// Bots in a sandbox are other users, who must read what they run.
inline constexpr mode_t mask_of_collected = 022;

// The folder for what is needed meanwhile, in the output folder.
std::string scratch_of(const CollectOptions& options);

// What the instructor wrote there, if anything: `Ann Lee_11 = 1001 1003`, a line for each; one that
// begins with # says nothing. Mistakes begin with the file's name.
inline constexpr const char* groups_file_name = "groups.txt";
base::Result<WhoseByKey, std::string> read_groups_file(const std::string& file,
                                                       const matching::ClassList& people);

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
