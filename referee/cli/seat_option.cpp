#include "referee/cli/seat_option.h"

#include <algorithm>
#include <charconv>

#include "protocol/json/printable.h"

namespace referee::cli {

std::string seats_told(const std::vector<std::string>& bots) {
    std::string text;
    for (std::size_t seat = 0; seat < bots.size(); ++seat)
        text += (seat == 0 ? "" : ", ") + std::to_string(seat) + " " +
                protocol::json::visible_line(bots[seat]);
    return text;
}

base::Result<std::size_t, std::string> seat_named(const std::string& given,
                                                  const std::vector<std::string>& bots) {
    if (const auto named = std::find(bots.begin(), bots.end(), given); named != bots.end())
        return static_cast<std::size_t>(named - bots.begin());
    std::size_t seat = 0;
    const auto* end = given.data() + given.size();
    const auto [rest, failed] = std::from_chars(given.data(), end, seat);
    if (failed == std::errc() && rest == end && seat < bots.size()) return seat;
    return base::failure("--seat: expected one of " + seats_told(bots) + "; found " + given);
}

}  // namespace referee::cli
