#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "protocol/base/assertion.h"

// Tables of the names of an enumeration's values, as messages and files write them. A table has a
// row for each value, in the order of the enumeration:
//
//     constexpr std::array<base::Named<Measure>, 2> measures{{
//         {Measure::wall, "wall"},
//         {Measure::cpu, "cpu"},
//     }};
//     static_assert(base::in_order(measures));
//
// A row is a Named, or has more members besides `value` and `name`.

namespace base {

template <typename Value>
struct Named {
    Value value;
    std::string_view name;
};

template <typename Row, std::size_t n>
consteval bool in_order(const std::array<Row, n>& table) {
    for (std::size_t i = 0; i < n; ++i) {
        if (static_cast<std::size_t>(table[i].value) != i) return false;
    }
    return true;
}

// Requires: the table is in order and has the value.
template <typename Row, std::size_t n>
constexpr const Row& row_of(const std::array<Row, n>& table, decltype(Row::value) value) {
    const auto i = static_cast<std::size_t>(value);
    REFEREE_ASSERT(i < n);
    return table[i];
}

// Nothing where no value has that name.
template <typename Row, std::size_t n>
constexpr std::optional<decltype(Row::value)> value_named(const std::array<Row, n>& table,
                                                          std::string_view name) {
    for (const auto& row : table) {
        if (row.name == name) return row.value;
    }
    return std::nullopt;
}

template <typename Row, std::size_t n>
constexpr std::array<decltype(Row::value), n> values_in(const std::array<Row, n>& table) {
    std::array<decltype(Row::value), n> values{};
    for (std::size_t i = 0; i < n; ++i) values[i] = table[i].value;
    return values;
}

}  // namespace base
