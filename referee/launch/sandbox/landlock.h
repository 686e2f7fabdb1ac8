#pragma once

// Tier C's rules of files and connections: where there are no namespaces, the kernel's Landlock
// lets a process give up rights itself. Called by the exec shim, so it uses system calls alone.

#include <cstdint>
#include <string>
#include <vector>

namespace referee::sandbox {

// What isn't there, or nobody may look into, is left out.
struct FileRules {
    std::vector<std::string> reads;   // files and folders to read and to run
    std::vector<std::string> writes;  // folders to write in, and devices such as /dev/null
    // The only port that it may connect to by TCP, where it dials in; 0: there is none.
    std::uint16_t connects_to = 0;
};

// The version of Landlock in this kernel; 0 where there is none or it is switched off.
int landlock_version();

// From this version on Landlock holds connections by TCP (4), signals and abstract sockets (6).
constexpr int landlock_version_of_ports = 4;
constexpr int landlock_version_of_scopes = 6;

// Gives up all other rights, for this process and its children, for good. Requires no_new_privs.
// Returns 0 or an errno.
int give_up_rights(const FileRules& rules);

}  // namespace referee::sandbox
