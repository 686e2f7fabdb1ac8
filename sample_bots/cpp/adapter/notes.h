#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bots::adapter {

// What is told of a student's program beside its moves: each turn's words are the move's `debug`,
// and stand on standard error unless they are those of the turn before.
class Notes {
 public:
    void add(std::string words);  // none where they are empty
    // All words since the last call. `turn`: the one that they belong to.
    std::string take(std::int64_t turn);

 private:
    std::string words_;
    std::string last_;
};

// What a program printed, as it may stand in a sentence: quoted, visible and not long.
inline constexpr std::size_t quoted_bytes_max = 60;
std::string quoted(const std::string& printed, std::size_t bytes_max = quoted_bytes_max);

}  // namespace bots::adapter
