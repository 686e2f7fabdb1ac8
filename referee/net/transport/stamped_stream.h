#pragma once

#include <algorithm>
#include <array>
#include <boost/asio/execution_context.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "referee/game/clock/path.h"
#include "referee/game/clock/time.h"
#include "referee/net/transport/kernel_stamps.h"
#include "referee/net/transport/tcp_socket.h"
#include "referee/net/transport/transport.h"

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

    Transport::Read read(int socket, std::span<char> room);
    bool stamped_by_kernel() const { return stamped_; }
    // Whether the last read left nothing of what was there.
    bool took_all() const { return took_all_; }

 private:
    Transport::Read read_all(int socket, std::span<char> room, Instant before);
    Transport::Read read_line(int socket, std::span<char> room, Instant before);
    Transport::Read read_first_line(int socket, std::span<char> there, Instant before);
    Transport::Read nothing(const StampedRead& got, Instant before);
    // What was got, at the beginning of `room`, came up to its stamp, and where it was `last`,
    // precisely then: nothing was behind it in the same piece.
    Transport::Read told(const StampedRead& got, std::span<const char> room, bool last);

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

// A send that takes longer than this was interrupted: the kernel took the bytes at some moment of
// it, and the usual send takes some microseconds.
inline constexpr Duration bracket_wide_min = std::chrono::microseconds(500);

// How often all connections of a loop together ask the kernel for stamps of what they send. What
// comes back wakes the loop and has to be fetched, by several calls. So a thousand bots that play
// fast ask no more than a few that play slowly, and those ask for each turn. A service of the loop.
class AskingBudget final : public boost::asio::execution_context::service {
 public:
    static constexpr Duration ask_every = std::chrono::milliseconds(1);
    // Games that move on together send so many turns at once.
    static constexpr int asks_at_once_max = 64;

    using key_type = AskingBudget;
    inline static boost::asio::execution_context::id id;
    explicit AskingBudget(boost::asio::execution_context& context) : service(context) {}

    // Whether one more may ask now; then it has asked. Who says something to a peer that has said
    // nothing has a budget apart: a crowd of strangers takes none from bots that play.
    bool take(Instant now, bool of_stranger = false) {
        auto& last = of_stranger ? last_of_strangers_ : last_;
        const auto next = std::max(last, now - asks_at_once_max * ask_every) + ask_every;
        if (next > now) return false;
        last = next;
        return true;
    }

 private:
    void shutdown() noexcept override {}

    // The last asking, had they come evenly.
    Instant last_{};
    Instant last_of_strangers_{};
};

// Writes to a TCP socket, tells of each write when the bytes left, and learns from the peer's
// acknowledgements how long the way is.
//
// A write lies between the moments before and after the call. Where the processor was taken away
// in between, those are far apart; then the kernel's own stamp of sending counts, where it was
// asked for. Asking costs calls of the kernel (each stamp wakes the loop, which then has to fetch
// it). So only some writes ask: those at the beginning, when a peer's kernel acknowledges at once;
// later one in each `ask_again`, as far as the budget for all connections goes; and all of them for
// a while when a write was interrupted.
class StampedWriter {
 public:
    // The budget outlives it.
    StampedWriter(int socket, AskingBudget& budget);

    Transport::Write write(int socket, std::string_view bytes);
    // Something came from the peer, at that moment.
    void heard(int socket, Instant at);
    // Takes the stamps that have come. While some are there, whoever waits for the socket is woken
    // again and again, so this has to be called when a wait turns out to have been for nothing.
    void collect(int socket);

    // What it has learned; asks the kernel again where that is a second ago.
    Path path(int socket, Instant now);
    // Goes on from a history that is older, and adds to it what was learned so far.
    void continues(std::shared_ptr<clock::PathHistory> known);

 private:
    // A write whose stamps were asked for.
    struct Asked {
        std::uint32_t last_byte = 0;
        Stamp handed{};
        std::optional<Instant> left;
        // When other lines left so soon that one acknowledgement may have waited for them too.
        std::vector<Instant> behind{};
        bool followed = false;  // by one that did not leave at once
    };
    // A round trip whose acknowledgement may have waited for something that the bot sent.
    struct Candidate {
        Duration round_trip{};  // of the line that asked
        Duration at_least{};    // of the last line that may have been acknowledged with it
        Instant acknowledged{};
        bool followed = false;
    };
    bool is_due(Instant now);
    void note_followed(Instant now);
    void book(const SendStamps::Seen& seen);
    Duration least_shown(const Asked& asked, Instant acknowledged) const;
    // The kernel's stamp of the write that was just made.
    std::optional<Instant> stamp_of(std::uint32_t last_byte) const;

    AskingBudget& budget_;
    SendStamps stamps_;
    StampConverter converter_;
    std::uint32_t sent_bytes_ = 0;  // wraps around, as the kernel's count does
    unsigned asks_ = 0;
    Instant asked_at_{};
    Instant strained_until_{};
    std::vector<Asked> asked_;
    std::vector<Candidate> candidates_;
    Instant heard_at_{};
    // The last round trip of a line that nothing followed; at first, the beginning.
    std::optional<Instant> alone_at_;
    std::shared_ptr<clock::PathHistory> history_ = std::make_shared<clock::PathHistory>();
    Instant facts_at_{};
};

}  // namespace referee::transport
