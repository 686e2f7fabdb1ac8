#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "referee/watch/showing/showing.h"
#include "referee/watch/web/request.h"

// What is asked of a game, and what is answered where it can't be had.

namespace referee::web {

Answer no_such_game();
Answer kept_secret();

// Nothing where the text is no number.
std::optional<std::size_t> number_in(std::string_view text);

// The frames that a request asks for: none in particular, or a range. Nothing where it is no range.
std::optional<std::optional<showing::Range>> range_of(const Request& request);

}  // namespace referee::web
