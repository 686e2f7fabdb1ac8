#pragma once

// How much of the sandbox a machine can give. SECURITY.md says what each tier holds against.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace referee::sandbox {

// From the weakest to the strongest, so that they can be compared.
enum class Tier {
    none,  // bots run with all the rights of the user that they run as
    c,     // no namespaces: Landlock, a filter of system calls, limits on each process
    b,     // namespaces and a filter, but limits only on each process
    a,     // namespaces, a filter, and limits on all of a bot's processes together
};

// "none", "C", "B", "A".
std::string_view name_of(Tier tier);
// Nothing for other texts; small letters are taken too.
std::optional<Tier> tier_of(std::string_view text);

// Why a machine doesn't give a better tier, and how to get it.
struct PassedOver {
    Tier tier = Tier::none;
    std::string found;   // "bubblewrap is not installed"
    std::string advice;  // "install it: apt install bubblewrap"
};

// What a machine was found to give.
struct Offer {
    Tier tier = Tier::none;
    std::vector<PassedOver> passed_over;  // the best tier first
};

}  // namespace referee::sandbox
