#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <utility>

#include "referee/net/transport/tcp_socket.h"
#include "referee/net/transport/transports.h"
#include "tests/referee/net/transport/stamping.h"

namespace referee::transport {

// Both ends of a connection on the loopback: what one sends has come to the other when it left.
struct Sockets {
    Sockets() {
        using boost::asio::ip::tcp;
        await_stamping();
        tcp::acceptor acceptor(loop, {boost::asio::ip::address_v4::loopback(), 0});
        set_up_for_bots(acceptor.native_handle());
        bot.connect(acceptor.local_endpoint());
        bot.set_option(tcp::no_delay(true));
        referee = acceptor.accept();
    }
    AskingBudget& budget() { return boost::asio::use_service<AskingBudget>(loop); }

    boost::asio::io_context loop{1};
    boost::asio::ip::tcp::socket bot{loop};
    boost::asio::ip::tcp::socket referee{loop};
};
struct Ends : Sockets {
    std::unique_ptr<TcpTransport> bot = end(Sockets::bot);
    std::unique_ptr<TcpTransport> referee = end(Sockets::referee);

 private:
    std::unique_ptr<TcpTransport> end(boost::asio::ip::tcp::socket& socket) {
        return std::make_unique<TcpTransport>(loop.get_executor(),
                                              files::Descriptor(socket.release()));
    }
};

}  // namespace referee::transport
