#include "referee/contest/pairing/weight.h"

#include <gtest/gtest.h>

namespace referee::pairing {
namespace {

Weight<2> bit(std::size_t shift, std::uint64_t value = 1) {
    Weight<2> weight;
    weight.add(value, shift);
    return weight;
}

TEST(Weight, CarriesAndBorrowsAcrossWords) {
    const Weight<2> all_ones = bit(64) - bit(0);
    EXPECT_EQ(all_ones + bit(0), bit(64));
    EXPECT_LT(all_ones, bit(64));
    EXPECT_EQ(bit(63).doubled(), bit(64));
    EXPECT_EQ(bit(64).halved(), bit(63));
    EXPECT_EQ(bit(62, 7), bit(62) + bit(63) + bit(64));
}

TEST(Weight, KnowsNumbersBelowZero) {
    const Weight<2> zero;
    const Weight<2> minus_two = zero - bit(1);
    EXPECT_LT(minus_two, zero);
    EXPECT_LT(zero - bit(70), minus_two);
    EXPECT_EQ(minus_two.halved(), zero - bit(0));
    EXPECT_TRUE((minus_two + bit(1)).is_zero());
}

TEST(Weight, OfOneWordIsANumber) {
    Weight<1> weight;
    weight.add(5, 2);
    Weight<1> same;
    same.add(20, 0);
    EXPECT_EQ(weight, same);
    EXPECT_EQ(weight.halved().doubled(), weight);
}

}  // namespace
}  // namespace referee::pairing
