#pragma once

// Reads what the kernel has counted of a bot's threads. It is read twice a turn, so the files of
// the first threads stay open.

#include <map>
#include <string>
#include <vector>

#include "referee/launch/process/core_wait.h"
#include "referee/launch/process/descriptor.h"

namespace referee::process {

class ThreadTimesReader {
 public:
    // How many files stay open at most. A virtual machine has dozens of threads: files of the
    // others are opened for each look, which takes four times as long.
    static constexpr std::size_t open_files_max = 4;

    // The counters of these threads; a thread that is gone meanwhile is left out. With
    // `with_state`, also whether each wants to run at this moment.
    std::map<pid_t, ThreadTimes> read(const std::vector<pid_t>& threads, bool with_state);

 private:
    bool read_counters(pid_t thread, ThreadTimes& times);

    std::map<pid_t, Descriptor> files_;
    std::string text_;
};

}  // namespace referee::process
