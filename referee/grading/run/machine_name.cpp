#include "referee/grading/run/machine_name.h"

#include <sys/utsname.h>

#include <thread>

namespace referee::grading {

std::string machine_name() {
    utsname system{};
    if (uname(&system) != 0) return "unknown";
    const auto cores = std::thread::hardware_concurrency();
    return std::string(system.nodename) + ", " + std::to_string(cores) +
           (cores == 1 ? " core, " : " cores, ") + system.sysname + " " + system.release;
}

}  // namespace referee::grading
