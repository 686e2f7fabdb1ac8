#include "engines/superball/random48.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {

using engines::superball::Random48;

// The C library's own generator, which the original game draws from.
TEST(random48, draws_what_the_c_library_draws) {
    for (const std::uint32_t seed :
         {0U, 1U, 2U, 100U, 65535U, 65536U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
        srand48(static_cast<long>(seed));
        Random48 random(seed);
        for (int i = 0; i < 2000; ++i) {
            ASSERT_EQ(random.draw(), static_cast<std::uint32_t>(lrand48()))
                << "seed " << seed << ", draw " << i;
        }
    }
}

// Worked by hand from the formula: X = 0x1330E, X' = (0x5DEECE66D * X + 0xB) mod 2^48.
TEST(random48, first_draw_by_arithmetic) {
    constexpr std::uint64_t first = (0x5DEECE66DULL * 0x1330EULL + 0xBULL) % (1ULL << 48U);
    Random48 random(1);
    EXPECT_EQ(random.draw(), first >> 17U);
    EXPECT_EQ(Random48(1).draw(), 89400484U);
}

}  // namespace
