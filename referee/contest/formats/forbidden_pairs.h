#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace referee::formats {

// No two of these bots meet in these rounds. By name: some of them may enter late, or never.
struct ForbiddenPairs {
    std::vector<std::string> bots;
    std::uint32_t first_round = 1;
    std::uint32_t last_round = UINT32_MAX;

    bool operator==(const ForbiddenPairs&) const = default;
};

// These are forbidden too.
void forbid(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs);

// Any two of these may meet again in these rounds, whoever forbade it; what is forbidden beside
// stays so.
void lift(std::vector<ForbiddenPairs>& all, const ForbiddenPairs& pairs);

// Whether they may not meet in that round.
bool is_forbidden(const std::vector<ForbiddenPairs>& all, std::string_view a, std::string_view b,
                  std::uint32_t round);

}  // namespace referee::formats
