#pragma once

#include <map>
#include <string>

namespace referee::grading {

// How often series of games came to nothing by the referee's own trouble: the next grading plays
// them again under another id. Kept in a file.
class Tries {
 public:
    explicit Tries(std::string file) : file_(std::move(file)) {}

    // What is wrong with the file, or nothing. A missing one is empty.
    std::string read();
    // Why it can't be written, or nothing.
    std::string write() const;
    void count(const std::string& series) {
        ++counts_[series];
        changed_ = true;
    }
    const std::map<std::string, unsigned>& counts() const { return counts_; }

 private:
    std::string file_;
    std::map<std::string, unsigned> counts_;
    bool changed_ = false;
};

}  // namespace referee::grading
