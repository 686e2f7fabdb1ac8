#pragma once

// The exec shim as a file, and how it is started. The file is held open, so that an upgrade of the
// package doesn't change it under a running referee. Safe in a process with many threads.

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>

#include "protocol/base/result.h"
#include "referee/launch/process/descriptor.h"

namespace referee::process {

// Beside the running program, or in ../libexec/referee from there.
std::optional<std::string> find_shim();

class ShimProgram {
 public:
    // Nothing where the file can't be read; errno tells why.
    static std::optional<ShimProgram> open(const std::string& path);

    // Starts it with these descriptors as 0, 1, 2 ... and at most one argument. Other descriptors
    // that close on exec are closed. Fails with an errno.
    struct Failed {
        int error = 0;
    };
    base::Result<pid_t, Failed> spawn(std::span<const int> descriptors,
                                      const char* argument = nullptr) const;

    const std::string& path() const { return path_; }

 private:
    ShimProgram(Descriptor file, std::string path)
        : file_(std::move(file)), path_(std::move(path)) {}

    Descriptor file_;
    std::string path_;
};

}  // namespace referee::process
