// calm: it binds itself to one core.
#include <gtest/gtest.h>
#include <sched.h>

#include "referee/net/loop/process_resources.h"
#include "tests/one_core.h"

namespace referee::loop {
namespace {

TEST(CalmUsableCores, WhoIsBoundToOneHasOne) {
    cpu_set_t all;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    const auto one = tests::one_core();
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(usable_cores(), 1U);
    ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
}

}  // namespace
}  // namespace referee::loop
