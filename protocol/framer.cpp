#include "protocol/framer.h"

#include <algorithm>
#include <cstring>

#include "protocol/base/assertion.h"

namespace protocol {
namespace {

constexpr std::size_t line_end_bytes_max = 2;  // CRLF
constexpr std::size_t read_bytes_min = 256;    // below this a read is not worth its call

}  // namespace

Framer::Framer(std::size_t line_bytes_max, Beyond beyond, std::size_t bytes_first)
    : line_bytes_max_(line_bytes_max), beyond_(beyond), bytes_first_(bytes_first) {
    REFEREE_ASSERT(line_bytes_max > 0);
}

std::span<char> Framer::prepare() {
    if (failed_) return {};
    const auto held = end_ - begin_;
    if (begin_ > 0 && held > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, held);
    }
    scanned_ -= begin_;
    begin_ = 0;
    end_ = held;
    const auto bytes_max = line_bytes_max_ + line_end_bytes_max;
    if (held == 0 && buffer_.size() > std::max(bytes_first_, framer_bytes_kept_max)) release();
    if (buffer_.size() - end_ < std::min(read_bytes_min, bytes_max - end_)) {
        const auto grown = std::max(bytes_first_, buffer_.size() * 2);
        std::vector<char> larger(std::min(grown, bytes_max));
        std::copy_n(buffer_.data(), end_, larger.data());
        buffer_ = std::move(larger);
    }
    REFEREE_ASSERT(buffer_.size() > end_);
    return std::span(buffer_).subspan(end_);
}

void Framer::commit(std::size_t bytes) {
    REFEREE_ASSERT(bytes <= buffer_.size() - end_);
    end_ += bytes;
}

Framed Framer::next() {
    while (!failed_) {
        const auto* const data = buffer_.data();
        const auto* const found = static_cast<const char*>(
            end_ == scanned_ ? nullptr : std::memchr(data + scanned_, '\n', end_ - scanned_));
        const auto line_end = found == nullptr ? end_ : static_cast<std::size_t>(found - data);
        auto bytes = line_end - begin_;
        if (bytes > 0 && data[line_end - 1] == '\r') --bytes;
        const bool is_rest = skips_;
        const bool is_too_long = bytes > line_bytes_max_ && !is_rest;
        if (is_too_long && beyond_ == Beyond::ends_it) {
            failed_ = true;
            begin_ = end_;
            release();
            break;
        }
        if (found == nullptr && !is_too_long && !is_rest) {
            scanned_ = end_;
            return {};
        }
        const std::string_view line(data + begin_, bytes);
        begin_ = scanned_ = found == nullptr ? end_ : line_end + 1;
        skips_ = found == nullptr;
        if (is_too_long) break;
        if (!line.empty() && !is_rest) return {Framing::line, line};
        if (skips_) return {};
    }
    return {Framing::too_long, {}};
}

void Framer::release() {
    if (pending() > 0) return;
    buffer_ = std::vector<char>();
    begin_ = scanned_ = end_ = 0;
}

std::size_t Framer::push(std::string_view bytes) {
    const auto room = prepare();
    const auto taken = std::min(room.size(), bytes.size());
    std::copy_n(bytes.data(), taken, room.data());
    commit(taken);
    return taken;
}

}  // namespace protocol
