#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "protocol/base/result.h"
#include "referee/files/file.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/time_share.h"
#include "referee/net/transport/transport.h"
#include "referee/net/transport/transports.h"

namespace referee::transport {

// Where descriptors or memory have run out, nobody is accepted for so long.
inline constexpr std::chrono::milliseconds accept_pause{200};

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

// Accepts connections on one address of TCP. The kernel queues them by the network that they come
// from, so that nobody waits behind the many who come from elsewhere. Accepting pauses where
// descriptors run out, and goes on when there are some again; open connections are not touched. Not
// thread safe.
class Listener {
 public:
    using OnAccepted = std::function<void(std::unique_ptr<Transport>)>;
    using OnSocket =
        std::function<void(const boost::asio::any_io_executor& executor, files::Descriptor socket)>;
    // Told when accepting pauses, with the reason.
    using OnPaused = std::function<void(const std::string& reason)>;

    // The listener, or why there is none and what to do, in a line for a person.
    using Opened = base::Result<std::unique_ptr<Listener>, std::string>;

    // `section`: of the config, where the port stands. Where `present` has the port for some of the
    // same addresses, both share it until one is closed: so somebody listens at each moment.
    static Opened open(const boost::asio::any_io_executor& executor, const std::string& address,
                       std::uint16_t port, std::string_view section = "listen",
                       const Listener* present = nullptr);

    // For a socket that listens already, such as a Unix socket, which has no endpoint(). It is the
    // listener's from now on.
    static Opened adopt(const boost::asio::any_io_executor& executor, int socket);

    // The transports carry the bytes of such a stream as they are: TLS is the business of whoever
    // gets them. `on_tls` is told of peers that begin TLS on a stream of lines.
    // What accepting takes, and what `on_accepted` does, is charged to `strangers_time`, where one
    // is given; it outlives the listener. While nothing of it is left, many who come at once wait,
    // and the first of them go first (Newcomers); on who sent no login it hangs up.
    void start(OnAccepted on_accepted, OnPaused on_paused,
               loop::TimeShare* strangers_time = nullptr, StreamOf stream = StreamOf::lines,
               TcpTransport::OnTls on_tls = nullptr);
    // The same without transports, charged to that account of the share.
    void start_with_sockets(OnSocket on_socket, OnPaused on_paused, loop::TimeShare* strangers_time,
                            std::string account);
    // From now on nobody is told of a connection: who was accepted just before is hung up on.
    void close();
    // Where it really listens: with port 0 the kernel chose one.
    std::string endpoint() const;

 private:
    // Of some networks, or of all.
    struct Queue {
        explicit Queue(boost::asio::ip::tcp::acceptor listening);

        boost::asio::ip::tcp::acceptor acceptor;
        boost::asio::steady_timer pause;
        Newcomers newcomers;
        std::string account;
    };

    Listener() = default;
    boost::asio::awaitable<void> accept_loop(Queue& queue, std::function<bool()> lasts);

    std::list<Queue> queues_;  // one at least
    OnSocket on_socket_;
    OnPaused on_paused_;
    loop::TimeShare* strangers_time_ = nullptr;
    loop::Life life_;
};

}  // namespace referee::transport
