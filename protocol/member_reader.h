#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.h"

namespace protocol {

// Reads the members of one message into typed values and remembers the first thing that is wrong.
// After an error each further read gives an empty value, so that a decoder reads all it wants and
// asks once. A member that may be left out may be null too. Private to the codec.
class MemberReader {
 public:
    explicit MemberReader(json::View object) : object_(object) {}

    std::string_view text(std::string_view name);
    std::int64_t integer(std::string_view name, std::int64_t min = 0,
                         std::int64_t max = std::numeric_limits<std::int64_t>::max());
    std::uint64_t unsigned_integer(std::string_view name);
    bool boolean(std::string_view name);
    json::View value(std::string_view name);  // of any kind, null too
    json::View array(std::string_view name);
    json::View object(std::string_view name);
    std::vector<std::string_view> texts(std::string_view name);

    std::optional<std::string_view> optional_text(std::string_view name);
    std::optional<std::int64_t> optional_integer(
        std::string_view name, std::int64_t min = 0,
        std::int64_t max = std::numeric_limits<std::int64_t>::max());
    std::optional<bool> optional_boolean(std::string_view name);
    json::View optional_object(std::string_view name);
    json::View optional_array(std::string_view name);

    // One of the words that `from_name` knows.
    template <typename Code>
    Code word(std::string_view name, std::optional<Code> (*from_name)(std::string_view),
              std::string_view words) {
        const auto found = text(name);
        const auto code = from_name(found);
        if (!code) fail(ErrorCode::invalid_value, name, "should be one of " + std::string(words));
        return code.value_or(Code{});
    }

    // Says what is wrong with a member, unless something was wrong before: "should be ...".
    void fail(ErrorCode code, std::string_view member, std::string_view should);

    bool failed() const { return error_.has_value(); }
    // Requires failed().
    ProtocolError take_error() { return std::move(*error_); }

 private:
    json::View required(std::string_view name);
    json::View optional(std::string_view name);
    json::View of_kind(json::View value, std::string_view name, json::Kind kind);
    std::int64_t integer_in(json::View value, std::string_view name, std::int64_t min,
                            std::int64_t max);

    json::View object_;
    std::optional<ProtocolError> error_;
};

// The object in the line, or what is wrong with it.
std::optional<ProtocolError> parse_object(std::string_view line, json::Document& document);

}  // namespace protocol
