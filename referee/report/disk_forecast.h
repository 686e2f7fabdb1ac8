#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

namespace referee::report {

// On which day the disk is full, if it goes on filling as it did in the last day. Wall-clock times
// come from outside, in milliseconds since 1970.
class DiskForecast {
 public:
    struct Disk {
        std::uint64_t free_bytes = 0;
        std::uint64_t store_bytes = 0;                 // of them taken by the referee's store
        std::uint64_t replay_bytes_most = UINT64_MAX;  // the store keeps no more of replays
    };
    // How the disk of that folder is now. Returns a warning for the log, where one is due: once a
    // day at most, and the first after an hour.
    std::optional<std::string> look(std::int64_t now_ms, Disk disk, const std::string& folder);
    // The same for who asks; empty: it isn't full within the next weeks.
    const std::string& text() const { return text_; }

 private:
    struct Seen {
        std::int64_t at_ms;
        Disk disk;
    };
    std::deque<Seen> seen_;  // of the last day, the last at the end
    std::optional<std::int64_t> told_ms_;
    std::string text_;
};

}  // namespace referee::report
