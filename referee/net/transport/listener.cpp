#include "referee/net/transport/listener.h"

#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sstream>

#include "referee/limits.h"
#include "referee/net/transport/stamped_read.h"

namespace referee::transport {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

using ShareThePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

}  // namespace

Listener::Listener(tcp::acceptor acceptor)
    : acceptor_(std::move(acceptor)), pause_(acceptor_.get_executor()) {}

base::Result<std::unique_ptr<Listener>, ListenError> Listener::open(
    const asio::any_io_executor& executor, const std::string& address, std::uint16_t port) {
    return open(executor, address, port, false);
}

base::Result<std::unique_ptr<Listener>, ListenError> Listener::open_beside(
    Listener& present, const std::string& address, std::uint16_t port) {
    boost::system::error_code ignored;
    const bool shares_port = port == present.acceptor_.local_endpoint(ignored).port();
    // Only while it binds: later nobody else may take the port.
    present.acceptor_.set_option(ShareThePort(shares_port), ignored);
    auto opened = open(present.acceptor_.get_executor(), address, port, shares_port);
    present.acceptor_.set_option(ShareThePort(false), ignored);
    return opened;
}

base::Result<std::unique_ptr<Listener>, ListenError> Listener::open(
    const asio::any_io_executor& executor, const std::string& address, std::uint16_t port,
    bool shares_port) {
    boost::system::error_code error;
    const auto host = asio::ip::make_address(address, error);
    if (error)
        return base::failure(
            ListenError{"can't listen on \"" + address +
                        "\": expected an IP address such as 127.0.0.1 or 0.0.0.0"});
    const tcp::endpoint endpoint(host, port);
    tcp::acceptor acceptor(executor);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.set_option(ShareThePort(shares_port), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) acceptor.set_option(ShareThePort(false), error);
    if (error) {
        std::ostringstream where;
        where << endpoint;
        return base::failure(ListenError{
            "can't listen on " + where.str() + ": " + error.message() +
            "; choose another \"port\" under \"listen\" in the config (0 takes any free one)"});
    }
    // Each accepted connection inherits this. And stamping is one switch of the whole machine,
    // which takes effect some time after somebody asked: the first bot would come too early.
    stamp_arrivals(acceptor.native_handle());
    return of(std::move(acceptor));
}

std::unique_ptr<Listener> Listener::of(tcp::acceptor listening) {
    boost::system::error_code ignored;
    listening.native_non_blocking(true, ignored);
    return std::unique_ptr<Listener>(new Listener(std::move(listening)));
}

base::Result<std::unique_ptr<Listener>, ListenError> Listener::adopt(
    const asio::any_io_executor& executor, int socket) {
    tcp::acceptor acceptor(executor);
    boost::system::error_code error;
    acceptor.assign(tcp::v4(), socket, error);
    if (error) {
        ::close(socket);
        return base::failure(ListenError{"can't listen on a socket of a bot: " + error.message()});
    }
    stamp_arrivals(socket);
    return of(std::move(acceptor));
}

void Listener::start(OnAccepted on_accepted, OnPaused on_paused, loop::TimeShare* strangers_time,
                     StreamOf stream, TcpTransport::OnTls on_tls) {
    const auto as_transport = [on_accepted = std::move(on_accepted), stream,
                               on_tls = std::move(on_tls)](tcp::socket socket) {
        on_accepted(std::make_unique<TcpTransport>(std::move(socket), stream, on_tls));
    };
    start_with_sockets(as_transport, std::move(on_paused), strangers_time, "newcomers");
}

void Listener::start_with_sockets(OnSocket on_socket, OnPaused on_paused,
                                  loop::TimeShare* strangers_time, std::string account) {
    strangers_time_ = strangers_time;
    account_ = std::move(account);
    on_socket_ = std::move(on_socket);
    on_paused_ = std::move(on_paused);
    asio::co_spawn(acceptor_.get_executor(), accept_loop(), asio::detached);
}

void Listener::close() {
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    newcomers_.keep(0);
    pause_.cancel();
}

std::string Listener::endpoint() const {
    boost::system::error_code ignored;
    std::ostringstream text;
    text << acceptor_.local_endpoint(ignored);
    return text.str();
}

asio::awaitable<void> Listener::accept_loop() {
    const auto lasts = life_.watch();
    // After each wait somebody may have closed it, since the kernel has the guest.
    boost::system::error_code ignored;
    const auto protocol = acceptor_.local_endpoint(ignored).protocol();
    while (lasts() && acceptor_.is_open()) {
        co_await acceptor_.async_wait(tcp::acceptor::wait_read,
                                      asio::as_tuple(asio::use_awaitable));
        boost::system::error_code error;
        do {
            if (!lasts() || !acceptor_.is_open()) co_return;
            std::optional<loop::TimeShare::Piece> piece;
            if (strangers_time_ != nullptr) {
                const bool lacks_time = strangers_time_->wait() > Duration::zero();
                piece.emplace(co_await strangers_time_->turn(account_));
                if (!lasts() || !acceptor_.is_open()) co_return;
                if (lacks_time) newcomers_.keep(limits::newcomers_max / 2);
            }
            error = newcomers_.take(acceptor_.native_handle(), limits::newcomers_max);
            if (auto guest = newcomers_.next()) {
                on_socket_({acceptor_.get_executor(), protocol, guest.release()});
            }
            piece.reset();
            if (!lasts()) co_return;
            co_await asio::post(acceptor_.get_executor(), asio::use_awaitable);
        } while (lasts() && !newcomers_.empty());
        if (!error || !lasts() || !acceptor_.is_open()) continue;
        on_paused_(error.message());
        pause_.expires_after(limits::accept_pause);
        co_await pause_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

}  // namespace referee::transport
