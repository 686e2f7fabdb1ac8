#pragma once

#include <string>
#include <string_view>

namespace referee::lobby {

// Whom an address is counted with where connections and wrong tries are counted: IPv4 alone
// ("10.1.2.3", also where it is mapped into IPv6), IPv6 with its whole /64 ("2001:db8:0:1::/64"),
// because any host there may take as many addresses as it likes. Any other text alone.
std::string network_of(std::string_view address);

}  // namespace referee::lobby
