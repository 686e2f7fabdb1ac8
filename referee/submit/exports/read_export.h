#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/enum_names.h"
#include "protocol/base/result.h"

// From the files of an export to who handed in what, and when; and the deadlines that this is
// compared with.

namespace referee::exports {

// In which way a service names the files of its exports. configs/GRADING.md shows each.
enum class Shape : std::uint8_t {
    moodle,
    canvas,
    gradescope,
    classroom,  // GitHub Classroom: a folder for each repository, ASSIGNMENT-LOGIN
    plain,      // a folder or an archive for each submission, named after who hands it in
};
inline constexpr std::array<base::Named<Shape>, 5> shapes{{
    {Shape::moodle, "moodle"},
    {Shape::canvas, "canvas"},
    {Shape::gradescope, "gradescope"},
    {Shape::classroom, "classroom"},
    {Shape::plain, "plain"},
}};
static_assert(base::in_order(shapes));
constexpr std::string_view name_of(Shape shape) {
    return base::row_of(shapes, shape).name;
}

// ---- shape.cpp: what a file's name says -----------------------------------------------------

// The shape that most of these paths have. `plain` where they have none of the others.
Shape shape_in(std::span<const std::string> paths);

// What the name of one file of an export says.
struct NamedFile {
    std::string key;       // the same for all files of one submission
    std::string student;   // as the service writes the name; may be empty
    std::string id;        // the service's; may be empty
    std::string path;      // as it was handed in
    bool late = false;     // the service says so
    bool is_text = false;  // what a student typed into a form, not a file
};

// In an export of that shape; nothing where it has none of its names. `above`: the folder that
// holds the submissions' folders, where there is one.
std::optional<NamedFile> named_by(Shape shape, std::string_view path, std::string_view above);

// "bot-2.zip" is "bot.zip" of version 3: Canvas adds a number when somebody hands in again.
struct VersionedName {
    std::string path;
    unsigned version = 1;
};
std::optional<VersionedName> versioned_name(std::string_view path);

// Whether a file of that name is an archive, by its ending: "a.zip", "b.tar.gz".
bool is_archive_name(std::string_view name);

// ---- read_export.cpp ------------------------------------------------------------------------

// The file submission_metadata.yml that stands at the top of Gradescope's exports.
struct Submitter {
    std::string name;
    std::string id;  // the school's, "sid"
    std::string email;
};

bool is_metadata(std::string_view path);

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

// Seconds since 1970 of "2026-05-01T23:59+02:00", "2026-05-01 23:59:30.25 Z", "2026-05-01T23:59Z".
// Nothing for other texts; a moment without a zone isn't one.
std::optional<std::int64_t> zoned_moment_in(std::string_view text);
// "2026-05-01T21:59:00Z".
std::string utc_text(std::int64_t seconds);

struct Deadline {
    std::string name;       // "challenge-1"; empty where there is one for all
    std::int64_t at_s = 0;  // since 1970
};
// Of "NAME=MOMENT" or "MOMENT". An error says what was expected.
base::Result<Deadline, std::string> deadline_in(std::string_view text);

// By how many seconds it is late; 0 where it is in time or within the grace.
std::int64_t late_by(std::int64_t moment_s, const Deadline& deadline, std::int64_t grace_s);

}  // namespace referee::exports
