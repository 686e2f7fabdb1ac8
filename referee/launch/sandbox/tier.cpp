#include "referee/launch/sandbox/tier.h"

#include <array>
#include <utility>

namespace referee::sandbox {

namespace {

constexpr std::array<std::pair<Tier, std::string_view>, 4> names = {
    {{Tier::none, "none"}, {Tier::c, "C"}, {Tier::b, "B"}, {Tier::a, "A"}}};

constexpr std::array<std::pair<Tier, std::string_view>, 3> small_names = {
    {{Tier::c, "c"}, {Tier::b, "b"}, {Tier::a, "a"}}};

}  // namespace

std::string_view name_of(Tier tier) {
    return names[static_cast<std::size_t>(tier)].second;
}

std::optional<Tier> tier_of(std::string_view text) {
    for (const auto& [tier, name] : names) {
        if (name == text) return tier;
    }
    for (const auto& [tier, name] : small_names) {
        if (name == text) return tier;
    }
    return std::nullopt;
}

}  // namespace referee::sandbox
