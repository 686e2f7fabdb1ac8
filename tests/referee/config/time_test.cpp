#include <gtest/gtest.h>

#include "referee/config/fields.h"

namespace referee::config {
namespace {

using namespace std::chrono_literals;

TEST(ConfigTimeTest, Texts) {
    struct Case {
        const char* text;
        std::optional<Duration> time;
    };
    for (const auto& [text, time] : {
             Case{"50ms", 50ms},    Case{"1s", 1s},     Case{"1.5s", 1500ms}, Case{"0s", 0ms},
             Case{"250us", 250us},  Case{"10m", 10min}, Case{"2h", 2h},       Case{"744h", 744h},
             Case{"0.0005us", 1ns}, Case{"", {}},       Case{"s", {}},        Case{"5", {}},
             Case{"5 s", {}},       Case{" 5s", {}},    Case{"5s ", {}},      Case{"5S", {}},
             Case{"5sec", {}},      Case{"5d", {}},     Case{"-1s", {}},      Case{"+1s", {}},
             Case{"1,5s", {}},      Case{"745h", {}},   Case{"1e300s", {}},   Case{"1e999s", {}},
             Case{"infs", {}},      Case{"nans", {}},   Case{"-nans", {}},    Case{"0x10s", {}},
         }) {
        EXPECT_EQ(time_from(text), time) << '"' << text << '"';
    }
}

}  // namespace
}  // namespace referee::config
