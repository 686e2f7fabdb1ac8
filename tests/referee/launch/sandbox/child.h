#pragma once

#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <optional>
#include <type_traits>

#include "referee/launch/sandbox/kernel_rules.h"

// What happens in a child process that shuts itself in, and then tries something.

namespace referee::sandbox {

// What a child shuts itself in by. It gets no new rights in any case, as a bot.
struct Walls {
    struct Filter {
        SandboxNetwork network = SandboxNetwork::none;
        Surroundings surroundings = Surroundings::own;
    };
    std::optional<Filter> filter;
    std::optional<FileRules> rules;
};

// An exit status for a child that could not shut itself in.
constexpr int no_walls = 125;

// What `attempt` returned in a child behind these walls: 0 to 124, an errno as a rule. The negative
// number of the signal where one ended it.
int in_child(const Walls& walls, const std::function<int()>& attempt);

// Fills a whole register, whose upper half would be anything after an int.
template <typename Argument>
auto whole(Argument argument) {
    if constexpr (std::is_integral_v<Argument> || std::is_enum_v<Argument>) {
        return static_cast<long>(argument);
    } else {
        return static_cast<const void*>(argument);
    }
}

// The errno of a call of the kernel, 0 where it went well.
template <typename... Arguments>
int errno_of(long number, Arguments... arguments) {
    return ::syscall(number, whole(arguments)...) == -1 ? errno : 0;
}

inline constexpr Walls::Filter piped = {SandboxNetwork::none, Surroundings::own};
inline constexpr Walls::Filter dialling = {SandboxNetwork::loopback, Surroundings::own};
inline constexpr Walls::Filter piped_among_others = {SandboxNetwork::none, Surroundings::shared};
inline constexpr Walls::Filter dialling_among_others = {SandboxNetwork::loopback,
                                                        Surroundings::shared};

inline constexpr std::array all_filters = {piped, dialling, piped_among_others,
                                           dialling_among_others};

inline int filtered(const Walls::Filter& filter, const std::function<int()>& attempt) {
    return in_child({filter, std::nullopt}, attempt);
}

inline int unfiltered(const std::function<int()>& attempt) {
    return in_child({}, attempt);
}

}  // namespace referee::sandbox
