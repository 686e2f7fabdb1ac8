#pragma once

#include <boost/asio/execution_context.hpp>
#include <cstddef>

namespace referee::loop {

// Handlers of a loop that became ready at once and are still to run: what one look at the network
// found, say. A service of the loop. Not thread safe.
class Batch final : public boost::asio::execution_context::service {
 public:
    using key_type = Batch;
    inline static boost::asio::execution_context::id id;
    explicit Batch(boost::asio::execution_context& loop) : service(loop) {}

    void add() { ++left_; }
    // One has run.
    void done() { --left_; }
    bool over() const { return left_ == 0; }

 private:
    void shutdown() noexcept override {}

    std::size_t left_ = 0;
};

}  // namespace referee::loop
