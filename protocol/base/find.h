#pragma once

#include <algorithm>
#include <functional>

namespace base {

// The value of a key in a map, or null.
template <typename Map, typename Key>
auto* find_in(Map& map, const Key& key) {
    const auto found = map.find(key);
    return found == map.end() ? nullptr : &found->second;
}

// Whether an element of the range is `value`, or has it as this member.
template <typename Range, typename Value, typename Member = std::identity>
bool contains(const Range& range, const Value& value, Member member = {}) {
    return std::ranges::find(range, value, member) != std::ranges::end(range);
}

}  // namespace base
