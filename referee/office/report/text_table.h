#pragma once

#include <string>
#include <vector>

namespace referee::report {

// A table for a terminal: columns are as wide as their widest cell, numbers stand to the right.
// Widths count characters, not bytes.
class TextTable {
 public:
    explicit TextTable(std::vector<std::string> heading) : rows_{std::move(heading)} {}
    // What a stranger may have written can't leave its cell.
    void add(std::vector<std::string> row);
    std::string text() const;

 private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace referee::report
