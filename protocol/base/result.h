#pragma once

#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

namespace base {

// What was asked for, or why it can't be had:
//
//     base::Result<Map, MapError> read_map(std::string_view text);
//
//     const auto map = read_map(text);
//     if (!map) return base::failure(map.error());
//     play(*map);
//
// Nothing to give but that it went well is Result<void, E>. It is never thrown.
template <typename Value, typename Error>
using Result = tl::expected<Value, Error>;

// The bad end of a Result: `return base::failure(MapError{...});`
template <typename Error>
tl::unexpected<std::decay_t<Error>> failure(Error&& error) {
    return tl::unexpected<std::decay_t<Error>>(std::forward<Error>(error));
}

}  // namespace base
