#pragma once

#include <algorithm>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "referee/net/control/control_connection.h"
#include "referee/net/lobby/address_network.h"
#include "referee/net/loop/life.h"
#include "referee/net/transport/listener.h"
#include "referee/net/transport/peer_watch.h"

// Where orders come in: an address, and the connections that were made to it.

namespace referee::control {

// The connections of one door.
template <typename Stream>
class ControlPlaces {
 public:
    ControlPlaces(ControlContext terms, CommandsNow commands, std::string token)
        : terms_(terms), commands_(std::move(commands)), token_(std::move(token)) {}

    void admit(Stream stream, std::string network) {
        make_room();
        const auto connection = std::make_shared<ControlConnection<Stream>>(
            std::move(stream), commands_, terms_, token_, std::move(network));
        open_.push_back(connection);
        connection->begin();
    }
    void close() {
        for (const auto& weak : open_) {
            if (const auto connection = weak.lock()) connection->close();
        }
    }

 private:
    void make_room() {
        std::erase_if(open_, [](const auto& weak) {
            const auto connection = weak.lock();
            return connection == nullptr || connection->closed();
        });
        if (open_.size() < limits::order_connections_max) return;
        // The oldest of the most idle ones.
        const auto first_to_go =
            std::max_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
                return a.lock()->idleness() < b.lock()->idleness();
            });
        first_to_go->lock()->show_out("others want this place; come back when you have an order");
        open_.erase(first_to_go);
    }

    ControlContext terms_;
    CommandsNow commands_;
    std::string token_;
    std::deque<std::weak_ptr<ControlConnection<Stream>>> open_;
};

// Accepts on a Unix socket.
class UnixDoor {
 public:
    using Protocol = boost::asio::local::stream_protocol;

    UnixDoor(Protocol::acceptor acceptor, ControlContext terms, CommandsNow commands)
        : acceptor_(std::move(acceptor)),
          pause_(acceptor_.get_executor()),
          places_(terms, std::move(commands), {}) {}

    void accept() {
        acceptor_.async_accept(life_.while_it_lasts(
            [this](const boost::system::error_code& error, Protocol::socket socket) {
                if (error == boost::asio::error::operation_aborted || !acceptor_.is_open()) return;
                if (error) {
                    pause_.expires_after(limits::accept_pause);
                    pause_.async_wait(
                        life_.while_it_lasts([this](const boost::system::error_code& gone) {
                            if (!gone) accept();
                        }));
                    return;
                }
                places_.admit(std::move(socket), {});
                accept();
            }));
    }
    void close() {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        places_.close();
    }

 private:
    Protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    ControlPlaces<Protocol::socket> places_;
    loop::Life life_;
};

// Accepts over TCP, in the strangers' time.
template <typename Stream>
class TcpDoor {
 public:
    using Socket = boost::asio::ip::tcp::socket;
    // What a new connection speaks through.
    using MakeStream = std::function<Stream(Socket)>;

    TcpDoor(std::unique_ptr<transport::Listener> listener, ControlContext terms,
            CommandsNow commands, std::string token, MakeStream make_stream)
        : listener_(std::move(listener)),
          places_(terms, std::move(commands), std::move(token)),
          make_stream_(std::move(make_stream)) {
        listener_->start_with_sockets([this](Socket socket) { admit(std::move(socket)); },
                                      [](const std::string& /*reason*/) {}, terms.strangers_time,
                                      "newcomers with orders");
    }

    std::string endpoint() const { return listener_->endpoint(); }
    void close() {
        listener_->close();
        places_.close();
    }

 private:
    void admit(Socket socket) {
        // Otherwise connections from machines that are gone would keep their places.
        transport::watch_peer(socket.native_handle());
        boost::system::error_code ignored;
        const auto from = socket.remote_endpoint(ignored).address().to_string(ignored);
        places_.admit(make_stream_(std::move(socket)), lobby::network_of(from));
    }

    std::unique_ptr<transport::Listener> listener_;
    ControlPlaces<Stream> places_;
    MakeStream make_stream_;
};

}  // namespace referee::control
