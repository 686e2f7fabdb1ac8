#pragma once

#include <gtest/gtest.h>
#include <sched.h>

#include <cstddef>

namespace tests {

// A core that this process may use: where only one is used, want of it is certain.
inline cpu_set_t one_core() {
    cpu_set_t all;
    CPU_ZERO(&all);
    EXPECT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    std::size_t core = 0;
    while (!CPU_ISSET(core, &all)) ++core;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return one;
}

}  // namespace tests
