#include "referee/net/transport/stream_pieces.h"

#include <algorithm>
#include <cstring>

namespace referee::transport {
namespace {

constexpr std::size_t length_high = 3;  // where the length stands in a record's head
constexpr std::size_t length_low = 4;
constexpr unsigned bits_in_byte = 8;

// How many bytes follow a record's head.
std::size_t body_bytes(std::span<const char> head) {
    const auto byte = [head](std::size_t at) { return static_cast<unsigned char>(head[at]); };
    return (std::size_t{byte(length_high)} << bits_in_byte) | byte(length_low);
}

}  // namespace

std::optional<std::size_t> StreamPieces::first_end(std::span<const char> there) const {
    if (kind_ == StreamOf::lines) {
        const auto* const found =
            static_cast<const char*>(std::memchr(there.data(), '\n', there.size()));
        if (found == nullptr) return std::nullopt;
        return static_cast<std::size_t>(found - there.data()) + 1;
    }
    auto end = body_bytes_left_;
    if (end == 0) {
        const auto missing = record_head_bytes - head_bytes_;
        if (there.size() < missing) return std::nullopt;
        auto head = head_;
        std::copy_n(there.begin(), missing,
                    head.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
        end = missing + body_bytes(head);
    }
    if (end > there.size()) return std::nullopt;
    return end;
}

void StreamPieces::passed(std::span<const char> bytes) {
    if (kind_ == StreamOf::lines) return;
    while (!bytes.empty()) {
        if (const auto end = first_end(bytes)) {
            bytes = bytes.subspan(*end);
            head_bytes_ = body_bytes_left_ = 0;
            continue;
        }
        if (body_bytes_left_ == 0) {
            const auto taken = std::min(record_head_bytes - head_bytes_, bytes.size());
            std::copy_n(bytes.begin(), taken,
                        head_.begin() + static_cast<std::ptrdiff_t>(head_bytes_));
            head_bytes_ += taken;
            bytes = bytes.subspan(taken);
            if (head_bytes_ < record_head_bytes) return;
            body_bytes_left_ = body_bytes(head_);
        }
        const auto taken = std::min(body_bytes_left_, bytes.size());
        body_bytes_left_ -= taken;
        bytes = bytes.subspan(taken);
    }
}

}  // namespace referee::transport
