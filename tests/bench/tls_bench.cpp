// What TLS costs the referee's loop in processor time, without the kernel: a handshake, a move to
// be decrypted, turns of some sizes to be encrypted. turn_bench --tls tells the same of whole
// games.
//
//   tls_bench

#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "referee/net/tls/tls_transport.h"
#include "tests/referee/net/tls/made_certificates.h"
#include "tests/referee/net/tls/memory_client.h"
#include "tests/referee/net/tls/memory_link.h"

namespace {

using namespace referee::tls;

constexpr int handshakes = 200;
constexpr std::size_t lines = 50'000;
constexpr std::size_t move_bytes = 90;
constexpr std::size_t turn_bytes[] = {100, 1'500, 4'000};

double processor_us() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

// A connection, and the time that the referee's side took to begin it.
struct Connection {
    Connection(const Context& context, boost::asio::io_context& loop) {
        auto carrier = std::make_unique<MemoryLink>(loop.get_executor());
        link = carrier.get();
        const auto made_at = processor_us();
        transport = std::make_unique<TlsTransport>(std::move(carrier), context, loop.get_executor(),
                                                   PlainPeers{});
        handshake_us = processor_us() - made_at;
        client.take({});
        while (!client.is_open() || !link->arrivals.empty() || client.has_records()) {
            link->arrive(client.records(), {});
            const auto began = processor_us();
            if (transport->read(room).status == referee::loop::Transport::Status::failed) break;
            handshake_us += processor_us() - began;
            client.take(std::exchange(link->sent, {}));
        }
    }

    MemoryLink* link = nullptr;
    std::unique_ptr<TlsTransport> transport;
    MemoryClient client;
    std::string room = std::string(4096, '\0');
    double handshake_us = 0;
};

void report(const char* what, double us) {
    std::printf("%-32s %8.2f us\n", what, us);
}

}  // namespace

int main() {
    boost::asio::io_context loop(1);
    const auto context = fresh_context();
    double handshake_us = 0;
    for (int i = 0; i < handshakes; ++i) handshake_us += Connection(*context, loop).handshake_us;
    report("a handshake", handshake_us / handshakes);

    Connection connection(*context, loop);
    std::vector<std::string> records;
    const auto move = std::string(move_bytes - 1, 'x') + '\n';
    for (std::size_t i = 0; i < lines; ++i) records.push_back(connection.client.record_of(move));
    auto began = processor_us();
    std::size_t decrypted = 0;
    for (auto& record : records) {
        connection.link->arrive(std::move(record), {});
        decrypted += connection.transport->read(connection.room).bytes;
    }
    report("to decrypt a move of 90 bytes", (processor_us() - began) / lines);
    if (decrypted != lines * move_bytes) std::fprintf(stderr, "tls_bench: moves were lost\n");

    for (const auto bytes : turn_bytes) {
        const std::string turn(bytes, 'y');
        began = processor_us();
        for (std::size_t i = 0; i < lines; ++i) {
            connection.transport->write(turn);
            connection.link->sent.clear();
        }
        const auto what = "to encrypt a turn of " + std::to_string(bytes) + " bytes";
        report(what.c_str(), (processor_us() - began) / lines);
    }
    return 0;
}
