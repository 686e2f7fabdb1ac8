#pragma once

// The memory that the launcher shares with one exec shim.

#include <cstddef>
#include <variant>

#include "referee/launch/process/descriptor.h"
#include "referee/launch/process/shim_spec.h"

namespace referee::process {

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

}  // namespace referee::process
