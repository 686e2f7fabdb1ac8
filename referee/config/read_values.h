#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engines/score.h"
#include "protocol/base/enum_names.h"
#include "protocol/json/reader.h"
#include "referee/game/clock/time.h"

// What a config's members hold beyond JSON's own kinds: secrets, points, addresses to listen on.
// And what is wrong with a text that is no JSON.

namespace referee::config {

struct ConfigError;

namespace json = protocol::json;

// A config wants all of its mistakes told, and knows each of its members.
inline constexpr json::ReadingRules config_rules{.keeps_all = true, .remembers_names = true};

using clock::read_time;
using clock::time_from;

// The value of which the member is the name; `into` stays as it is where it is left out or wrong.
template <typename Value, std::size_t n>
void read_word(json::Reader& reader, std::string_view name,
               const std::array<base::Named<Value>, n>& table, auto& into) {
    std::array<std::string_view, n> names;
    std::ranges::transform(table, names.begin(), &base::Named<Value>::name);
    if (const auto which = reader.optional_word(name, names)) into = table[*which].value;
}

// The same where the words are those of an enumeration's values, in their order.
template <typename Value>
void read_word(json::Reader& reader, std::string_view name,
               std::initializer_list<std::string_view> words, Value& into) {
    if (const auto which = reader.optional_word(name, words)) into = static_cast<Value>(*which);
}

// A text that no message shows, whatever stands there. `value` stays as it is where the member is
// left out or wrong.
void read_secret(json::Reader& reader, std::string_view name, std::string& value);

// An object with such texts in it; absent where it is left out or no object. What stands there
// instead isn't shown.
json::Placed read_object_of_secrets(json::Reader& reader, std::string_view name);
// The same for a value that must be an object, `like` as an example.
bool is_object_of_secrets(const json::Placed& given, std::string_view like);

// Both are possible.
struct ScoreRange {
    engines::Score least;
    engines::Score most;
};

// Points, in halves. Requires: the least isn't negative.
void read_score(json::Reader& reader, std::string_view name, engines::Score& value,
                const ScoreRange& range);

// A list of whole numbers, of which both bounds are possible; of each element that is none of them
// it is told what was `expected`.
void read_numbers(json::Reader& reader, std::string_view name, std::vector<std::uint32_t>& into,
                  std::uint32_t least, std::uint32_t most, const std::string& expected);

inline constexpr std::int64_t port_max = 65535;

// Whether it is an IP address.
bool may_listen_on(const std::string& address);

// What is wrong with a text that is no JSON, told where a person has to mend it: a missing comma on
// the line that lacks it, a text without its closing quote on the line where it begins. Nothing
// that stands in the text is shown, because it may be a token or a password.
// Requires: `error` is what the parser said of this text.
ConfigError syntax_mistake(std::string_view text, const json::ParseError& error);

}  // namespace referee::config
