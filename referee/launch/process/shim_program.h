#pragma once

// The exec shim as a file, and how it is started. The file is held open, so that an upgrade of the
// package doesn't change it under a running referee. Safe in a process with many threads.

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "protocol/base/result.h"
#include "referee/launch/process/kernel_file.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::process {

// The memory that the launcher shares with one exec shim.
class ShimPageMapping {
 public:
    // Makes the memory and writes the spec into it. Empty on failure, with errno set.
    explicit ShimPageMapping(const ShimSpec& spec);
    ~ShimPageMapping();
    ShimPageMapping(ShimPageMapping&& other) noexcept;
    ShimPageMapping& operator=(ShimPageMapping&&) = delete;

    explicit operator bool() const { return page_ != nullptr; }

    // For the shim; may be closed once the shim has been started.
    int descriptor() const { return file_.get(); }
    void close_descriptor() { file_.reset(); }

    const ShimPage& page() const { return *page_; }

 private:
    Descriptor file_;
    std::size_t size_ = 0;
    ShimPage* page_ = nullptr;
};

inline constexpr const char* shim_is_missing =
    "the program referee-exec-shim is missing (expected beside the referee or in "
    "../libexec/referee); install it again";

class ShimProgram {
 public:
    // Empty: the one beside the running program, or in ../libexec/referee from there. Nothing where
    // the file can't be read; errno tells why.
    static std::optional<ShimProgram> open(std::string path = {});

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
