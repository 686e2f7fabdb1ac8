#include "protocol/base/names.h"

#include <gtest/gtest.h>

#include <tuple>

namespace base {
namespace {

enum class Size { small, large };

struct Described {
    Size value;
    std::string_view name;
    int weight;
};

constexpr std::array<Described, 2> sizes{{{Size::small, "small", 1}, {Size::large, "large", 9}}};
static_assert(in_order(sizes));
static_assert(!in_order(std::array<Named<Size>, 2>{{{Size::large, "large"}, {Size::small, "s"}}}));

TEST(Names, go_both_ways) {
    for (const auto size : values_in(sizes)) {
        EXPECT_EQ(value_named(sizes, row_of(sizes, size).name), size);
    }
    EXPECT_EQ(row_of(sizes, Size::large).name, "large");
    EXPECT_EQ(row_of(sizes, Size::large).weight, 9);
    EXPECT_EQ(value_named(sizes, "Large"), std::nullopt);
    EXPECT_EQ(value_named(sizes, ""), std::nullopt);
}

TEST(NamesDeathTest, a_value_without_a_row_is_our_mistake) {
    EXPECT_DEATH(std::ignore = row_of(sizes, static_cast<Size>(2)), "broken promise");
}

}  // namespace
}  // namespace base
