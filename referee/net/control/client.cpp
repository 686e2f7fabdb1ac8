#include "referee/net/control/client.h"

namespace referee::control {
namespace {

// The list of all bots is a daemon's longest answer; this is room enough for it.
constexpr std::size_t answer_bytes_max = 64 * 1024 * 1024;

}  // namespace

base::Result<std::string, NoAnswer> ask(const Daemon& daemon, const std::string& request) {
    using PlainText = DialledConnection::PlainText;
    auto dialled = daemon.address
                       ? DialledConnection::dial(*daemon.address, PlainText::to_this_machine_alone)
                       : DialledConnection::dial(daemon.socket);
    if (!dialled) return base::failure(std::move(dialled.error()));
    if (auto written = dialled->write(request + '\n'); !written)
        return base::failure(std::move(written.error()));
    return dialled->read_line(answer_bytes_max);
}

}  // namespace referee::control
