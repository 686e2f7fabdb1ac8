#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "protocol/base/enum_names.h"

// In what launched bots run, and how they speak.

namespace referee::config {

// How a launched bot speaks the protocol.
enum class Speaks : std::uint8_t {
    stdio,  // on its standard input and output
    tcp,    // it dials in to the address in its environment, with the token there; its standard
            // input is empty, and the end of its standard output is kept
};

// What the standard output is of a bot that speaks there.
enum class StandardOutput : std::uint8_t {
    socket,  // the kernel stamps its answers; where none can be had, a pipe
    pipe,    // for a program that opens /dev/stdout
};

// How much of the sandbox launched bots run in, from the weakest to the strongest, so that tiers
// can be compared. SECURITY.md says what each holds against.
enum class SandboxTier : std::uint8_t {
    none,  // bots run with all the rights of the user that they run as
    c,     // no namespaces: Landlock, a filter of system calls, limits on each process
    b,     // namespaces and a filter, but limits only on each process
    a,     // namespaces, a filter, and limits on all of a bot's processes together
};

inline constexpr std::array<base::Named<SandboxTier>, 4> sandbox_tiers = {
    {{SandboxTier::none, "none"},
     {SandboxTier::c, "C"},
     {SandboxTier::b, "B"},
     {SandboxTier::a, "A"}}};
static_assert(base::in_order(sandbox_tiers));
constexpr std::string_view name_of(SandboxTier tier) {
    return base::row_of(sandbox_tiers, tier).name;
}

}  // namespace referee::config
