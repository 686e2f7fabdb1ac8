#include "referee/launch/process/output_tail.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace referee::process {
namespace {

// A pipe holds as much by default, so one read empties it.
constexpr std::size_t chunk_bytes = 64 * 1024;

// After so many chunks other work has its turn.
constexpr int chunks_a_turn_max = 4;

// Bounds a drain: otherwise a bot that never stops printing would hold up the caller.
constexpr int chunks_a_drain_max = 16;

std::string_view last_of(std::string_view text) {
    return text.substr(text.size() - std::min(text.size(), OutputTail::bytes_max));
}

}  // namespace

int OutputTail::open(Descriptor pipe) {
    boost::system::error_code error;
    pipe_.assign(pipe.get(), error);
    if (!error) [[maybe_unused]]
        const int owned_by_asio = pipe.release();
    return error.value();
}

void OutputTail::start() {
    if (!pipe_.is_open()) return;
    pipe_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this()](boost::system::error_code error) {
                         if (error || !self->pipe_.is_open()) return;
                         if (self->read_some(chunks_a_turn_max)) self->start();
                     });
}

void OutputTail::close() {
    boost::system::error_code ignored;
    if (pipe_.is_open()) pipe_.close(ignored);
}

std::string OutputTail::drained() {
    read_some(chunks_a_drain_max);
    return std::string(last_of(kept_));
}

// False where the pipe has ended.
bool OutputTail::read_some(int chunks_max) {
    std::array<char, chunk_bytes> chunk;
    for (int i = 0; i < chunks_max && pipe_.is_open(); ++i) {
        const ssize_t got = ::read(pipe_.native_handle(), chunk.data(), chunk.size());
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
        if (got <= 0) {
            close();
            return false;
        }
        const std::string_view bytes(chunk.data(), static_cast<std::size_t>(got));
        bytes_total_ += bytes.size();
        kept_ += last_of(bytes);
        if (kept_.size() > 2 * bytes_max) kept_.erase(0, kept_.size() - bytes_max);
        if (on_bytes_) on_bytes_(bytes);
    }
    return pipe_.is_open();
}

}  // namespace referee::process
