#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <optional>
#include <string_view>

namespace referee::transport {

// The kernel's own stamps of what is sent on a TCP socket: when it left, and when the peer's kernel
// acknowledged it. They come back on the socket's error queue, which also wakes up who waits for
// the socket, and wakes him again until it is empty.
class SendStamps {
 public:
    struct Seen {
        enum class What : std::uint8_t { left, acknowledged };
        What what{};
        std::uint32_t last_byte = 0;  // counted over all that was sent on the socket
        timespec wall{};
    };

    // Requires a connected socket on which nothing was sent yet.
    explicit SendStamps(int socket);

    // False where the kernel gives none.
    bool available() const { return available_; }
    // As send(2), and asks for stamps of the last byte.
    static ssize_t send_and_ask(int socket, std::string_view bytes);
    // All stamps that have come, one after the other; empties the error queue.
    static void take(int socket, const std::function<void(const Seen&)>& each);

 private:
    bool available_ = false;
};

}  // namespace referee::transport
