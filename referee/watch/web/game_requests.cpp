#include "referee/watch/web/game_requests.h"

#include <charconv>

namespace referee::web {

Answer no_such_game() {
    return error_answer(404, "no_such_game",
                        "expected the id of a game that was played or is being played here, such "
                        "as friday/12.1; of one that has just ended, try again in a second");
}

Answer kept_secret() {
    return error_answer(403, "not_shown_yet",
                        "others play the same game of one seat, so it is shown to everybody when "
                        "all tournaments of this game are over; until then log in at /me as the "
                        "bot's owner, or as the instructor");
}

std::optional<std::size_t> number_in(std::string_view text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<std::optional<showing::Range>> range_of(const Request& request) {
    const auto from = request.query.find("from");
    const auto to = request.query.find("to");
    if (from == request.query.end() && to == request.query.end())
        return std::optional<showing::Range>();
    if (from == request.query.end() || to == request.query.end()) return std::nullopt;
    const auto begin = number_in(from->second);
    const auto end = number_in(to->second);
    if (!begin || !end || *begin > *end) return std::nullopt;
    return showing::Range{*begin, *end};
}

}  // namespace referee::web
