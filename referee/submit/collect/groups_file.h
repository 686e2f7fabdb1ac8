#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/matching/class_list.h"

namespace referee::collect {

// Stands in the output folder, where the instructor writes it.
inline constexpr const char* groups_file_name = "groups.txt";

// Whose submissions are by the instructor's word, by their keys in the export as people are shown
// them. A line for each, `Ann Lee_11 = 1001 1003`; one that begins with # says nothing.
using WhoseByKey = std::map<std::string, std::vector<std::size_t>>;
// Of no file: empty. Mistakes begin with the file's name.
base::Result<WhoseByKey, std::string> read_groups_file(const std::string& file,
                                                       const matching::ClassList& people);

// A line for a submission that these people handed in.
std::string groups_line(const matching::ClassList& people, const std::string& key,
                        const std::vector<std::size_t>& whose);

}  // namespace referee::collect
