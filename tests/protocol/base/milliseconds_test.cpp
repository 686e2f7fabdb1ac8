#include "protocol/base/milliseconds.h"

#include <gtest/gtest.h>

#include <limits>

namespace base {
namespace {

TEST(Milliseconds, have_three_digits_behind_the_point) {
    struct Case {
        std::int64_t us;
        const char* text;
    };
    for (const auto& [us, text] :
         {Case{0, "0.000 ms"}, Case{7, "0.007 ms"}, Case{1'012'345, "1012.345 ms"},
          Case{-105, "-0.105 ms"}, Case{-2'000, "-2.000 ms"},
          Case{std::numeric_limits<std::int64_t>::max(), "9223372036854775.807 ms"},
          Case{std::numeric_limits<std::int64_t>::min(), "-9223372036854775.808 ms"}}) {
        EXPECT_EQ(milliseconds(us), text);
    }
    EXPECT_EQ(milliseconds(std::numeric_limits<std::uint64_t>::max()), "18446744073709551.615 ms");
}

}  // namespace
}  // namespace base
