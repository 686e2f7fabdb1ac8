#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

// Bytes to lines.

namespace protocol {

inline constexpr std::size_t framer_bytes_kept_max = 4096;  // idle connections are many

inline constexpr std::size_t framer_bytes_first = 512;  // a move takes about a hundred

enum class Framing : std::uint8_t {
    line,      // a line was found
    more,      // no whole line yet
    too_long,  // the line is beyond the limit
};

// What such a line does to its stream: of a peer that has to keep to the limit, and of a program
// that prints anything.
enum class Beyond : bool { ends_it, is_passed_over };

struct Framed {
    Framing what = Framing::more;
    std::string_view line;  // valid until the next prepare() or push()
};

// Cuts a stream of bytes into lines. A line ends with LF or CRLF; the end does not belong to it.
// Empty lines are passed over (a person at a terminal makes them). Any other byte, NUL too, is
// part of a line: what it means is told by reading it.
//
// Reading goes straight into the framer's buffer:
//
//     const auto room = framer.prepare();
//     framer.commit(read(fd, room.data(), room.size()));
//     for (auto found = framer.next(); found.what == Framing::line; found = framer.next()) ...
//
// The buffer begins small and grows with the line that it holds, up to the limit and a line end.
// After a long line it shrinks again. Not thread safe.
class Framer {
 public:
    // The buffer begins with `bytes_first`. Requires line_bytes_max > 0.
    explicit Framer(std::size_t line_bytes_max, Beyond beyond = Beyond::ends_it,
                    std::size_t bytes_first = framer_bytes_first);

    // Room to read into, never empty but where a line has ended the stream. Invalidates lines
    // handed out before. Requires: next() has been called until it gave `more`.
    std::span<char> prepare();
    // So many bytes of that room are filled now.
    void commit(std::size_t bytes);

    // The next line of what was committed.
    Framed next();

    // For streams that come in pieces already: takes as much of `bytes` as there is room for.
    // Returns how many bytes it took: at least one, or none where a line has ended the stream.
    // Requires what prepare() requires.
    std::size_t push(std::string_view bytes);
    // The same of all bytes: `each(line)` is called with the lines that end in them.
    template <typename Each>
    void each_line(std::string_view bytes, const Each& each) {
        while (!bytes.empty() && !failed_) {
            bytes.remove_prefix(push(bytes));
            for (auto found = next(); found.what != Framing::more && !failed_; found = next())
                if (found.what == Framing::line) each(found.line);
        }
    }

    // Gives its memory back until more comes; nothing happens where a line has begun. Lines handed
    // out before are gone.
    void release();

    // Bytes of a line that has begun: at the end of a stream, half a line.
    std::size_t pending() const { return end_ - begin_; }
    std::string_view begun() const { return {buffer_.data() + begin_, pending()}; }
    // Memory held for lines.
    std::size_t capacity() const { return buffer_.capacity(); }

 private:
    std::size_t line_bytes_max_;
    Beyond beyond_;
    std::size_t bytes_first_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    // of the line that is being looked for
    std::size_t scanned_ = 0;  // no LF before this
    std::size_t end_ = 0;      // of what was committed
    bool failed_ = false;      // a line has ended the stream
    bool skips_ = false;       // to the end of a line that is passed over
};

}  // namespace protocol
