#pragma once

// The means by which a bot's processor time is measured and its processes are held together, best
// first. README.md says what each one needs.

#include <array>
#include <string_view>

namespace referee::process {

enum class Accounting {
    control_group_v2,  // exact, sees all, frozen and killed by the kernel
    control_group_v1,  // exact, sees all; freezing by the freezer, or by signals
    subreaper,         // clocks of the living, rusage of the reaped; freezing by signals
    proc,              // the same, its processes found by a scan of /proc: slow
};

inline constexpr std::array all_accountings = {Accounting::control_group_v2,
                                               Accounting::control_group_v1, Accounting::subreaper,
                                               Accounting::proc};

// As results and logs name it: "cgroup-v2", "cgroup-v1", "subreaper", "proc".
constexpr std::string_view name_of(Accounting accounting) {
    switch (accounting) {
        case Accounting::control_group_v2:
            return "cgroup-v2";
        case Accounting::control_group_v1:
            return "cgroup-v1";
        case Accounting::subreaper:
            return "subreaper";
        case Accounting::proc:
            break;
    }
    return "proc";
}

constexpr bool uses_groups(Accounting accounting) {
    return accounting == Accounting::control_group_v2 || accounting == Accounting::control_group_v1;
}

}  // namespace referee::process
