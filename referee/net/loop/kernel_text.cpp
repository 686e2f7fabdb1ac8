#include "referee/net/loop/kernel_text.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

namespace referee::loop {
namespace {

constexpr int run_delay_word = 2;  // of a schedstat, nanoseconds

}  // namespace

KernelText::KernelText(const char* path) : descriptor_(::open(path, O_RDONLY | O_CLOEXEC)) {}

KernelText::~KernelText() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::string_view KernelText::read() {
    if (descriptor_ < 0) return {};
    const auto bytes = ::pread(descriptor_, buffer_.data(), buffer_.size(), 0);
    return bytes <= 0 ? std::string_view{}
                      : std::string_view(buffer_.data(), static_cast<std::size_t>(bytes));
}

std::int64_t number(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string_view word(std::string_view line, int n) {
    for (; n > 0; --n) {
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        if (n == 1) return line.substr(0, line.find_first_of(" \n"));
        line.remove_prefix(std::min(line.find(' '), line.size()));
    }
    return {};
}

Duration KernelCoreWait::read() {
    return Duration(number(word(schedstat_.read(), run_delay_word)));
}

}  // namespace referee::loop
