#pragma once

#include <cstdint>
#include <string>

namespace bots::adapter {

// What is told of a student's program beside its moves: each turn's words are the move's `debug`,
// and stand on standard error unless they are those of the turn before.
class Notes {
 public:
    void add(std::string words);
    // All words since the last call. `turn`: the one that they belong to.
    std::string take(std::int64_t turn);

 private:
    std::string words_;
    std::string last_;
};

// What a program printed, as it may stand in a sentence: quoted, visible and not long.
std::string quoted(const std::string& printed);

}  // namespace bots::adapter
