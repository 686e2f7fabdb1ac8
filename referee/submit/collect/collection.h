#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/submit/exports/read_export.h"

// What was collected: a value that is drawn up step by step (steps.h), and then written down.

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

}  // namespace referee::collect
