#include "referee/tournament/referee/registration_rate.h"

#include <gtest/gtest.h>

namespace referee::tournament {
namespace {

using namespace std::chrono_literals;

TEST(RegistrationRate, AnAddressWaitsUntilItsFirstNameIsAnHourBack) {
    RegistrationRate rate;
    const Instant begin{10h};
    EXPECT_EQ(rate.wait("192.0.2.7", begin, 2), 0s);
    rate.note("192.0.2.7", begin);
    EXPECT_EQ(rate.wait("192.0.2.7", begin, 2), 0s);
    rate.note("192.0.2.7", begin + 10min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 20min, 2), 40min);
    EXPECT_EQ(rate.wait("192.0.2.8", begin + 20min, 2), 0s) << "another address";
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 2), 0s);
    rate.note("192.0.2.7", begin + 60min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 2), 10min);
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 1), 60min) << "a config that was read again";
    EXPECT_EQ(rate.wait("192.0.2.7", begin + 60min, 3), 0s);
}

TEST(RegistrationRate, AnAddressBelongsToWhoeverHasItsNetwork) {
    EXPECT_EQ(holder_of("192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(holder_of("2001:db8:1:2::7"), "2001:db8:1:2::/64");
    EXPECT_EQ(holder_of("2001:db8:1:2:ffff:1:2:3"), "2001:db8:1:2::/64");
    EXPECT_NE(holder_of("2001:db8:1:3::7"), holder_of("2001:db8:1:2::7"));
    EXPECT_EQ(holder_of("::ffff:192.0.2.7"), "192.0.2.7");
    EXPECT_EQ(holder_of("process 4711"), "process 4711");
}

}  // namespace
}  // namespace referee::tournament
