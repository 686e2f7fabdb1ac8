#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace referee::play {

// Tells games apart by what happened in them: two games in which the same came in the same order
// have the same fingerprint, others nearly surely not.
class Fingerprint {
 public:
    void add(std::string_view part);
    // 16 hexadecimal digits.
    std::string text() const;

 private:
    static constexpr std::uint64_t offset_of_fnv = 0xCBF29CE484222325U;
    std::uint64_t hash_ = offset_of_fnv;
};

}  // namespace referee::play
