#include "referee/contest/standings/standings.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/referee/contest/standings/results.h"

namespace referee::standings {
namespace {

std::map<std::uint64_t, std::uint32_t> rounds_of(const ResultList& list) {
    std::map<std::uint64_t, std::uint32_t> rounds;
    for (const auto& [ordinal, result] : list) {
        EXPECT_TRUE(rounds.empty() || rounds.rbegin()->first < ordinal) << "out of order";
        rounds[ordinal] = result.round;
    }
    return rounds;
}

// Whatever ordinals are put in and taken out, the list holds what a map holds after the same calls.
TEST(ResultList, HoldsWhatAMapHolds) {
    std::uint64_t lot = 7;
    const auto draw = [&lot](std::uint64_t below) {
        lot = lot * 6364136223846793005U + 1442695040888963407U;
        return (lot >> 33U) % below;
    };
    for (const std::uint64_t base : {std::uint64_t{1}, std::uint64_t{100'000}}) {
        ResultList list;
        std::map<std::uint64_t, std::uint32_t> expected;
        std::vector<std::pair<ResultList, std::map<std::uint64_t, std::uint32_t>>> copies;
        for (std::uint32_t step = 1; step <= 3000; ++step) {
            const auto ordinal = base + draw(400);
            if (draw(3) == 0) {
                list.erase(ordinal);
                expected.erase(ordinal);
            } else {
                list.put(match(ordinal, step, 0, 1, 2, 0));
                expected[ordinal] = step;
            }
            ASSERT_EQ(list.size(), expected.size());
            ASSERT_EQ(list.contains(ordinal), expected.contains(ordinal));
            if (step % 300 == 0) copies.emplace_back(list, expected);
        }
        EXPECT_EQ(rounds_of(list), expected);
        EXPECT_EQ(list.front().match, expected.begin()->first);
        EXPECT_EQ(list.back().match, expected.rbegin()->first);
        EXPECT_EQ(list.copied().size(), expected.size());
        // What came after a copy shows in no copy.
        for (const auto& [copy, then] : copies) EXPECT_EQ(rounds_of(copy), then);
        for (const auto& [ordinal, step] : expected) list.erase(ordinal);
        EXPECT_TRUE(list.empty());
        EXPECT_TRUE(rounds_of(list).empty());
        list.put(match(3, 1, 0, 1, 2, 0));
        EXPECT_EQ(list.at(3).round, 1U);
    }
}

// A copy shares the results themselves.
TEST(ResultList, CopiesNoResult) {
    ResultList list;
    for (std::uint64_t ordinal = 1; ordinal <= 200; ++ordinal)
        list.put(match(ordinal, 1, 0, 1, 2, 0));
    const auto copy = list;
    list.put(match(201, 1, 0, 1, 2, 0));
    for (std::uint64_t ordinal = 1; ordinal <= 200; ++ordinal)
        EXPECT_EQ(copy.find(ordinal), list.find(ordinal));
    EXPECT_EQ(copy.find(201), nullptr);
}

}  // namespace
}  // namespace referee::standings
