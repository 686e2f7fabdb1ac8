#pragma once

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "referee/net/control/connection.h"
#include "referee/net/lobby/network.h"
#include "referee/net/loop/life.h"
#include "referee/net/transport/peer_watch.h"

// Where orders come in: an address, and the connections that were made to it.

namespace referee::control {

// At one door. Enough, since instructors are few; where more come, the oldest of those that only
// wait goes.
inline constexpr std::size_t connections_max = 32;
// When descriptors have run out, the server waits so long before it accepts again.
inline constexpr auto accept_pause = std::chrono::milliseconds(200);

// Accepts on one address.
template <typename Protocol, typename Stream = typename Protocol::socket>
class ControlListener {
 public:
    using Socket = typename Protocol::socket;
    // What a new connection speaks through.
    using MakeStream = std::function<Stream(Socket)>;

    ControlListener(const boost::asio::any_io_executor& loop, ControlContext terms,
                    std::string token, MakeStream make_stream)
        : acceptor_(loop),
          pause_(loop),
          terms_(terms),
          token_(std::move(token)),
          make_stream_(std::move(make_stream)) {}

    typename Protocol::acceptor& acceptor() { return acceptor_; }
    void accept(const CommandsNow& commands) {
        acceptor_.async_accept(life_.while_it_lasts(
            [this, commands](const boost::system::error_code& error, Socket socket) {
                if (error == boost::asio::error::operation_aborted || !acceptor_.is_open()) return;
                if (error) {
                    pause_.expires_after(accept_pause);
                    pause_.async_wait(life_.while_it_lasts(
                        [this, commands](const boost::system::error_code& gone) {
                            if (!gone) accept(commands);
                        }));
                    return;
                }
                admit(std::move(socket), commands);
                accept(commands);
            }));
    }
    void close() {
        boost::system::error_code ignored;
        acceptor_.close(ignored);
        pause_.cancel();
        for (const auto& weak : open_) {
            if (const auto connection = weak.lock()) connection->close();
        }
    }

 private:
    void admit(Socket socket, const CommandsNow& commands) {
        std::string network;
        // Otherwise connections from machines that are gone would keep their places.
        if constexpr (std::is_same_v<Protocol, boost::asio::ip::tcp>) {
            transport::watch_peer(socket.native_handle());
            boost::system::error_code ignored;
            network =
                lobby::network_of(socket.remote_endpoint(ignored).address().to_string(ignored));
        }
        make_room();
        const auto connection = std::make_shared<ControlConnection<Stream>>(
            make_stream_(std::move(socket)), commands, terms_, token_, std::move(network));
        open_.push_back(connection);
        connection->begin();
    }
    void make_room() {
        std::erase_if(open_, [](const auto& weak) {
            const auto connection = weak.lock();
            return connection == nullptr || connection->closed();
        });
        if (open_.size() < connections_max) return;
        // The oldest of the most idle ones.
        const auto first_to_go =
            std::max_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
                return a.lock()->idleness() < b.lock()->idleness();
            });
        first_to_go->lock()->show_out("others want this place; come back when you have an order");
        open_.erase(first_to_go);
    }

    typename Protocol::acceptor acceptor_;
    boost::asio::steady_timer pause_;
    ControlContext terms_;
    std::string token_;
    MakeStream make_stream_;
    std::deque<std::weak_ptr<ControlConnection<Stream>>> open_;
    loop::Life life_;
};

}  // namespace referee::control
