#pragma once

#include <sys/resource.h>

namespace tests {

// A machine on which nothing more can be opened, as long as this lives.
class NoDescriptorsLeft {
 public:
    NoDescriptorsLeft() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{0, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptorsLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptorsLeft(const NoDescriptorsLeft&) = delete;
    NoDescriptorsLeft& operator=(const NoDescriptorsLeft&) = delete;

 private:
    rlimit before_{};
};

}  // namespace tests
