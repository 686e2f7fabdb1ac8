#pragma once

// The kernel's small text files (/proc and control groups): read whole, written whole. Failures are
// errno values that the caller must judge.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/text.h"
#include "referee/files/file.h"

namespace referee::process {

using base::whole_number;
using files::Descriptor;

// The whole text of the file, or nothing where it can't be read.
std::optional<std::string> read_kernel_file(const std::string& path);

// Reads an open file of short lines (numbers, and names of counters) again from its start into
// `text`, whose capacity is reused: mostly in one call. False on failure.
bool reread_counters(int descriptor, std::string& text);

// Returns 0, or the errno of what failed.
int write_kernel_file(const std::string& path, std::string_view text);

// Opens the file close-on-exec. Empty on failure, with errno set.
Descriptor open_file(const std::string& path, int flags);

// The names in a directory without "." and "..", sorted; none where it can't be read.
std::vector<std::string> directory_names(const std::string& path);

// The number that stands behind a name in a file of names and numbers; 0 where there is none.
std::uint64_t counted_in(const std::string& path, std::string_view name);

// What an errno means, in the C library's words.
std::string error_text(int error);

// The first word of `text`, which is cut off together with what stands before it; empty where there
// is none.
std::string_view take_word(std::string_view& text);

// The words between blanks or line ends.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace referee::process
