#pragma once

// Reads what a bot prints as fast as it prints, and keeps only the end: so a full pipe never blocks
// the bot, and the referee's memory doesn't grow.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {

class OutputTail : public std::enable_shared_from_this<OutputTail> {
 public:
    // How much of the end is kept: enough for a traceback.
    static constexpr std::size_t bytes_max = 8 * 1024;

    explicit OutputTail(const boost::asio::any_io_executor& executor) : pipe_(executor) {}

    // `pipe` is the reading end, non-blocking. 0 or an errno.
    int open(Descriptor pipe);

    // Reads on the executor until the pipe ends or close() is called.
    void start();

    void close();

    // Is given all that is read from now on, as it comes; nothing: nobody is.
    void on_bytes(std::function<void(std::string_view)> call) { on_bytes_ = std::move(call); }

    // Reads what is in the pipe now, without waiting. Gives the last bytes, unchanged (they may be
    // any bytes), at most bytes_max of them.
    std::string drained();

    // How many bytes came in all.
    std::uint64_t bytes_total() const { return bytes_total_; }

 private:
    bool read_some(int chunks_max);

    boost::asio::posix::stream_descriptor pipe_;
    std::string kept_;  // the last bytes, and up to as many before them
    std::uint64_t bytes_total_ = 0;
    std::function<void(std::string_view)> on_bytes_;
};

}  // namespace referee::process
