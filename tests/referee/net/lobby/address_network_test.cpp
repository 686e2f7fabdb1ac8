#include "referee/net/lobby/address_network.h"

#include <gtest/gtest.h>

namespace referee::lobby {
namespace {

TEST(Network, is_an_address_or_a_64th_of_them) {
    const struct {
        std::string_view address;
        std::string_view network;
    } table[] = {
        {"10.1.2.3", "10.1.2.3"},
        {"::ffff:10.1.2.3", "10.1.2.3"},
        {"2001:db8:0:1::1", "2001:db8:0:1::/64"},
        {"2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"},
        {"2001:db8:0:2::1", "2001:db8:0:2::/64"},
        {"fe80::1%eth0", "fe80::/64"},
        {"::1", "::/64"},
        {"process 4711", "process 4711"},
        {"", ""},
    };
    for (const auto& one : table) EXPECT_EQ(network_of(one.address), one.network) << one.address;
}

}  // namespace
}  // namespace referee::lobby
