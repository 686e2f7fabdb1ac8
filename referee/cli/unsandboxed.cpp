#include "referee/cli/unsandboxed.h"

namespace referee::cli {

void add_unsandboxed(CLI::App& command, bool& unsandboxed) {
    command.add_flag("--unsandboxed", unsandboxed,
                     "Launch bots without a sandbox. Each of them can then read and change what "
                     "you can: your files, the results, the other bots; of root, the machine. Only "
                     "for programs that you trust as yourself");
}

}  // namespace referee::cli
