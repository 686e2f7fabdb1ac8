#pragma once

// Makes a connection to a referee, and looks who answers before anything is said.

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "protocol/address.h"
#include "protocol/base/result.h"
#include "referee/connect/bridge/channel.h"

namespace referee::bridge {

// Why there is no connection, in words for a person.
struct NoLink {
    std::string message;
    bool for_good = false;  // it is of no use to try again
};

using DialledConnection = base::Result<std::shared_ptr<Channel>, NoLink>;

// By TCP, with TLS where the address says so. Calls once, within some seconds. Where the address
// names a fingerprint, the certificate must have it; else it must be one that this machine trusts.
void dial(const boost::asio::any_io_executor& executor, const protocol::ServerAddress& address,
          std::function<void(DialledConnection)> call);

}  // namespace referee::bridge
