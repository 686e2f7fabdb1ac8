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
// Nothing to give but that it went well is Result<void, E>. It is never thrown, and the compiler
// warns where nobody looks at it.
template <typename Value, typename Error>
class [[nodiscard]] Result : public tl::expected<Value, Error> {
 public:
    using tl::expected<Value, Error>::expected;
    Result() = default;
    // What map() and its like give.
    // NOLINTNEXTLINE(google-explicit-constructor): a tl::expected is returned where a Result is
    Result(tl::expected<Value, Error> other) : tl::expected<Value, Error>(std::move(other)) {}
};

// The bad end of a Result: `return base::failure(MapError{...});`
template <typename Error>
tl::unexpected<std::decay_t<Error>> failure(Error&& error) {
    return tl::unexpected<std::decay_t<Error>>(std::forward<Error>(error));
}

}  // namespace base
