#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "referee/net/loop/transport.h"
#include "referee/net/transport/stamp_converter.h"
#include "referee/net/transport/stamped_read.h"
#include "referee/net/transport/stream_pieces.h"

namespace referee::transport {

// Reads a TCP socket, and tells of each read when its bytes came.
//
// The kernel stamps the last byte of a read, so what comes alone has its own stamp. Of several
// lines in one read only the last has; the others came after the last moment at which nothing more
// was there. But the kernel keeps lines that came apart in pieces of their own, more often than
// not. So after a read of several lines the next ones are read line by line: first a look at what
// is there, then no more than its first line. That costs two or three calls instead of one, so it
// ends when lines have come one by one for a while.
//
// Where the stream is encrypted, all this holds of its records instead of its lines.
class StampedReader {
 public:
    // Asks the kernel for stamps.
    explicit StampedReader(int socket, StreamOf stream = StreamOf::lines);

    loop::Transport::Read read(int socket, std::span<char> room);
    bool stamped_by_kernel() const { return stamped_; }
    // Whether the last read left nothing of what was there.
    bool took_all() const { return took_all_; }

 private:
    loop::Transport::Read read_all(int socket, std::span<char> room, Instant before);
    loop::Transport::Read read_line(int socket, std::span<char> room, Instant before);
    loop::Transport::Read read_first_line(int socket, std::span<char> there, Instant before);
    loop::Transport::Read nothing(const StampedRead& got, Instant before);
    // What was got, at the beginning of `room`, came up to its stamp, and where it was `last`,
    // precisely then: nothing was behind it in the same piece.
    loop::Transport::Read told(const StampedRead& got, std::span<const char> room, bool last);

    // All was read that was there at that moment.
    void emptied(Instant before);
    // Whether the bytes that lie unread (so many), or those of the last read where there are none,
    // came in one segment.
    bool came_in_one(int socket, std::size_t unread);

    // The kernel's count of segments, when all was there that these bursts were.
    struct Counted {
        std::uint32_t segments = 0;
        std::uint32_t bursts = 0;
    };
    bool stamped_ = false;
    bool took_all_ = false;
    StreamPieces pieces_;
    StampConverter stamps_;
    Instant empty_at_{};          // all that is unread came after this
    unsigned reads_by_line_ = 0;  // so many more
    std::uint64_t bytes_ = 0;     // read so far
    std::uint32_t bursts_ = 0;    // how often all was read that was there
    std::optional<Counted> counted_;
    unsigned lines_in_a_row_ = 0;  // read one by one, while more was there
};

}  // namespace referee::transport
