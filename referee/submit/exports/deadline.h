#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/base/result.h"

// Moments as people and exports write them, and the deadlines that submissions are compared with.

namespace referee::exports {

// Seconds since 1970 of "2026-05-01T23:59+02:00", "2026-05-01 23:59:30.25 Z", "2026-05-01T23:59Z".
// Nothing for other texts; a moment without a zone isn't one.
std::optional<std::int64_t> moment_in(std::string_view text);
// "2026-05-01T21:59:00Z".
std::string moment_text(std::int64_t seconds);

struct Deadline {
    std::string name;       // "challenge-1"; empty where there is one for all
    std::int64_t at_s = 0;  // since 1970
};
// Of "NAME=MOMENT" or "MOMENT". An error says what was expected.
base::Result<Deadline, std::string> deadline_in(std::string_view text);

// By how many seconds it is late; 0 where it is in time or within the grace.
std::int64_t late_by(std::int64_t moment_s, const Deadline& deadline, std::int64_t grace_s);

}  // namespace referee::exports
