#pragma once

// Tiers A and B: bubblewrap, which makes namespaces for an ordinary user, and what a bot sees
// inside.

#include <sys/types.h>

#include <string>
#include <vector>

#include "referee/launch/sandbox/tier.h"

namespace referee::sandbox {

// Where the exec shim lies inside. It is the first process there, and starts the bot.
constexpr const char* inside_shim_path = "/run/referee-exec-shim";

// What the only folders are that a bot can write in; the shim mounts them fresh.
constexpr const char* inside_work_folder = "/tmp";
constexpr const char* inside_shared_memory = "/dev/shm";

// One thing that is seen inside: `source` outside, `place` inside.
struct Bind {
    std::string source;
    std::string place;
};

struct View {
    std::vector<Bind> binds;        // only to read
    std::string working_directory;  // an empty folder where no bind brings it
    uid_t uid = 0;                  // of the bot, outside and inside
    gid_t gid = 0;
};

// The command that makes the sandbox and then runs the shim inside, with `shim_argument`.
std::vector<std::string> bubblewrap_command(const std::string& bubblewrap, const View& view,
                                            const std::string& shim_argument);

// What bubblewrap's own words mean, when it could make no sandbox.
SkippedTier refused_by_machine(const std::string& printed);

// It did not even begin. `why`: the kernel's words.
SkippedTier not_executed(const std::string& why);

// Where the system's programs and their settings lie; what a bot sees at the same place.
std::vector<std::string> system_paths();
// Whether a file lies there: every sandbox shows it.
bool is_of_system(const std::string& path);

}  // namespace referee::sandbox
