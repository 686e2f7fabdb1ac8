#pragma once

// From the files of an export to who handed in what, and when.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/submit/exports/shape.h"

namespace referee::exports {

// The file submission_metadata.yml that stands at the top of Gradescope's exports.
struct Submitter {
    std::string name;
    std::string id;  // the school's, "sid"
    std::string email;
};

struct Metadata {
    std::vector<Submitter> submitters;
    std::optional<std::int64_t> created_s;  // since 1970
};

bool is_metadata(std::string_view path);

// By the submissions' folders: "submission_12345678". Only what is asked for here is read of the
// file, and what can't be understood is passed over.
std::map<std::string, Metadata> read_metadata(std::string_view text);

struct ExportedFile {
    std::string path;
    std::optional<std::int64_t> changed_s;
};

struct SubmittedFile {
    std::size_t exported = 0;  // its place among the export's files
    std::string path;          // as it was handed in
};

struct ExportVersion {
    unsigned number = 1;
    // When it was handed in; nothing where the export doesn't tell.
    std::optional<std::int64_t> at_s;
    bool late = false;  // the service says so
    std::vector<SubmittedFile> files;
};

// Whoever handed it in, as the service names them: one, or a group.
struct Submission {
    std::string key;  // one for each in an export
    std::vector<Submitter> submitters;
    // The last words of `key` may be a login (GitHub Classroom), and all of it a name or an id.
    bool key_names_student = false;
    std::vector<ExportVersion> versions;  // the oldest first; at least one
};

struct Export {
    std::vector<Submission> submissions;  // in the order of their keys
    // Files that belong to none.
    std::vector<std::string> left_over;
    std::vector<std::string> remarks;
};

// `metadata`: the text of the export's file of that kind; empty where there is none.
Export read_export(Shape shape, std::span<const ExportedFile> files, std::string_view metadata);

}  // namespace referee::exports
