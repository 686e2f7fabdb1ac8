#pragma once

#include <string>
#include <vector>

// Tables of texts with one mistake each.

namespace tests {

struct MistakeRow {
    std::string text;
    std::string member;  // that is wrong
    std::string says;    // a part of the message
};

// The rows of a table: `TEXT -> MEMBER: SAYS`, or `TEXT -> MEMBER` where the row before says the
// same. A line that is indented further goes on with its row.
std::vector<MistakeRow> mistake_rows(const std::string& table);

}  // namespace tests
