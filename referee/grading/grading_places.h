#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace referee::grading {

// The places of a tournament that was played elsewhere, by the names of its bots: what extra points
// by place are given for.
class Places {
 public:
    // A tournament's standings.json; an empty name: there is none. What is wrong, or nothing.
    std::string read(const std::string& file);
    bool known() const { return known_; }
    std::optional<std::size_t> of(const std::string& bot) const;
    std::size_t shared_by(std::optional<std::size_t> place) const;
    std::size_t many() const { return places_.size(); }

 private:
    bool known_ = false;
    std::map<std::string, std::size_t> places_;
};

}  // namespace referee::grading
