#pragma once

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>

#include "referee/files/descriptor.h"

namespace referee::transport {

// Who has connected to a socket that listens, and was not let in yet. First goes who has sent
// nothing, or what a login may begin with; of these who comes from the network (of IPv6: the /64)
// that was let in longest ago; of one network who came first. Not thread safe.
class Newcomers {
 public:
    // Takes those out that the kernel has, up to so many in all. What went wrong with the next one.
    boost::system::error_code take(int listening, std::size_t most);
    // None where nobody is left. Who has hung up is none of them.
    files::Descriptor next();
    void hang_up_on_who_sent_no_login();
    bool empty() const { return all_.empty(); }

 private:
    struct Newcomer {
        files::Descriptor socket;
        std::string network;
        std::uint64_t let_in = 0;  // when one of its network was; 0: long ago, or never
        bool sent_no_login = false;
    };
    // Whether it is still there; what it sent first is known then. `news`: as poll(2) tells it.
    static bool is_there(Newcomer& one, short news);

    std::list<Newcomer> all_;
    std::map<std::string, std::uint64_t> let_in_;  // networks, and when that was
    std::uint64_t let_in_total_ = 0;
};

}  // namespace referee::transport
