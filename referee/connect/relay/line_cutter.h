#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace referee::relay {

// Cuts a stream of bytes into lines, for programs that print anything: a line beyond the limit is
// passed over, and those behind it are cut again. A line ends with LF or CRLF, which don't belong
// to it; empty lines are passed over.
class LineCutter {
 public:
    // Requires line_bytes_max > 0.
    explicit LineCutter(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

    struct Cut {
        std::vector<std::string_view> lines;  // valid until the next push(), and while `bytes` are
        std::size_t too_long = 0;             // lines that were found to be beyond the limit
    };
    Cut push(std::string_view bytes);

    // Of a line that has begun: at the end of a stream, half a line.
    std::string_view rest() const { return begun_; }

 private:
    std::size_t line_bytes_max_;
    std::string begun_;   // without line feed
    std::string joined_;  // the first line of the last push(), where it had begun before
    bool skips_ = false;  // to the end of a line that is too long
};

}  // namespace referee::relay
