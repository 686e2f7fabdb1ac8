#pragma once

#include <sys/socket.h>

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <thread>

#include "referee/net/transport/kernel_stamps.h"

namespace referee::transport {

// Returns when the kernel stamps what arrives. It begins some time after the first socket asked, on
// a busy machine some milliseconds later; from then on it stamps for as long as this process lives.
inline void await_stamping() {
    using boost::asio::ip::tcp;
    static boost::asio::io_context loop{1};
    static tcp::socket listening{loop};
    if (listening.is_open()) return;
    tcp::acceptor acceptor(loop, {boost::asio::ip::address_v4::loopback(), 0});
    listening.connect(acceptor.local_endpoint());
    auto speaking = acceptor.accept();
    stamp_arrivals(listening.native_handle());
    std::array<char, 1> byte{};
    do {
        send(speaking.native_handle(), "x", 1, 0);
        // time: between two looks
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!read_stamped(listening.native_handle(), byte).stamp);
}

}  // namespace referee::transport
