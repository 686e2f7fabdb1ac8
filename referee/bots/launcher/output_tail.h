#pragma once

// Reads what a bot prints, as fast as it prints, and keeps only the end of it: the bot is never
// blocked by a full pipe, and the referee never grows.

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "referee/bots/launcher/descriptor.h"

namespace referee::launcher {

class OutputTail : public std::enable_shared_from_this<OutputTail> {
 public:
    // Requires bytes_max > 0.
    OutputTail(boost::asio::any_io_executor executor, std::size_t bytes_max);

    // `pipe` is the reading end, non-blocking. 0 or an errno.
    int open(Descriptor pipe);

    // Reads on the executor until the pipe ends or close() is called.
    void start();

    // Reads what is in the pipe at this moment, without waiting.
    void drain();

    void close();

    // The last bytes, as they came (any bytes at all), at most bytes_max of them.
    std::string text() const;

    // How many bytes came in all.
    std::uint64_t bytes_total() const { return bytes_total_; }

 private:
    bool read_some(int chunks_max);
    void keep(const char* data, std::size_t size);

    boost::asio::posix::stream_descriptor pipe_;
    std::size_t bytes_max_;
    std::string ring_;           // grows to bytes_max_, then is written round
    std::size_t ring_next_ = 0;  // where the next byte goes once it is full
    std::uint64_t bytes_total_ = 0;
};

}  // namespace referee::launcher
