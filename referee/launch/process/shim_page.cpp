#include "referee/launch/process/shim_page.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <new>
#include <utility>

namespace referee::process {

ShimPageMapping::ShimPageMapping(const ShimSpec& spec)
    : file_(::memfd_create("referee-bot", MFD_CLOEXEC)) {
    const std::string text = encode(spec);
    size_ = sizeof(ShimPage) + text.size();
    if (!file_ || ::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) return;
    void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
    if (memory == MAP_FAILED) return;
    page_ = new (memory) ShimPage{text.size(), 0, 0};
    std::memcpy(static_cast<char*>(memory) + sizeof(ShimPage), text.data(), text.size());
}

ShimPageMapping::~ShimPageMapping() {
    if (page_ != nullptr) ::munmap(page_, size_);
}

ShimPageMapping::ShimPageMapping(ShimPageMapping&& other) noexcept
    : file_(std::move(other.file_)),
      size_(std::exchange(other.size_, 0)),
      page_(std::exchange(other.page_, nullptr)) {}

}  // namespace referee::process
