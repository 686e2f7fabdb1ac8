#pragma once

#include <array>
#include <functional>

#include "referee/launch/sandbox/system_call_filter.h"
#include "tests/referee/launch/sandbox/child.h"

namespace referee::sandbox {

inline constexpr Walls::Filter piped = {SandboxNetwork::none, SharedWithBots::own};
inline constexpr Walls::Filter dialling = {SandboxNetwork::loopback, SharedWithBots::own};
inline constexpr Walls::Filter piped_among_others = {SandboxNetwork::none, SharedWithBots::shared};
inline constexpr Walls::Filter dialling_among_others = {SandboxNetwork::loopback,
                                                        SharedWithBots::shared};

inline constexpr std::array all_filters = {piped, dialling, piped_among_others,
                                           dialling_among_others};

inline int filtered(const Walls::Filter& filter, const std::function<int()>& attempt) {
    return in_child({filter, std::nullopt}, attempt);
}

inline int unfiltered(const std::function<int()>& attempt) {
    return in_child({}, attempt);
}

}  // namespace referee::sandbox
