#pragma once

// submission.json, which stands in each submission's folder: what `referee grade --all` reads, and
// by which a later collection knows what was built already.

#include <optional>
#include <string>
#include <string_view>

#include "protocol/json/writer.h"
#include "referee/roster/kinds/kind.h"
#include "referee/submit/collect/collect.h"
#include "referee/submit/matching/class_list.h"

namespace referee::collect {

// Files and folders in a submission's folder.
inline constexpr const char* submission_file_name = "submission.json";
inline constexpr const char* files_folder_name = "files";
inline constexpr const char* build_folder_name = "build";
inline constexpr const char* output_file_name = "build.txt";

// How an error of a build begins that is no fault of what was handed in.
inline constexpr std::string_view machine_trouble = "trouble of this machine";

// A text of it, which may be a stranger's, as it stands in the files of a collection.
std::string readable_text(std::string_view any);

// Where it runs, below the folder of its submission: "build/iap".
std::string directory_of(const Built& built);

// How what was built is launched: its command as that member, or a "program" of a kind. Requires:
// it was built.
void write_played(protocol::json::Writer& writer, const Built& built, const kinds::Kind* kind,
                  std::string_view command_member);

std::string submission_text(const Collected& submission, const matching::ClassList& people,
                            const kinds::Kind* kind);

// Why what stands in the folder was not built; empty where it was, or nothing tells.
std::string reason_in(const std::string& folder);

// What an earlier collection built of the same, and is as it was; nothing where it built something
// else, or nothing.
std::optional<Built> built_before(const std::string& folder, const std::string& made_from);

}  // namespace referee::collect
