#pragma once

#include <sys/types.h>

namespace bots::adapter {

// The process group that a signal which ends this process ends too; 0: none.
void note_running_group(pid_t group);

}  // namespace bots::adapter
