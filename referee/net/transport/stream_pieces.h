#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace referee::transport {

// What the bytes of a connection are made of. Each piece came when its last byte did.
enum class StreamOf : std::uint8_t { lines, tls_records };

// Finds where the pieces of a stream end, as the stream is read bit by bit. Of TLS it reads no more
// than the records' lengths. Arithmetic only.
class StreamPieces {
 public:
    explicit StreamPieces(StreamOf kind) : kind_(kind) {}

    // `there` follows what has passed: how many of its bytes the first piece that ends in it takes;
    // nothing where none ends.
    std::optional<std::size_t> first_end(std::span<const char> there) const;
    // Whether a piece ends in `there`, and another one begins.
    bool holds_several(std::span<const char> there) const {
        const auto end = first_end(there);
        return end && *end < there.size();
    }
    void passed(std::span<const char> bytes);

 private:
    // A record begins with its kind, its version, and how many bytes follow.
    static constexpr std::size_t record_head_bytes = 5;

    StreamOf kind_;
    std::array<char, record_head_bytes> head_{};  // of the record that is under way
    std::size_t head_bytes_ = 0;                  // of it that have passed
    std::size_t body_bytes_left_ = 0;             // once its head has passed
};

}  // namespace referee::transport
