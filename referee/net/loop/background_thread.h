#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "referee/net/loop/background.h"
#include "referee/net/loop/loop_inbox.h"

namespace referee::loop {

// Background work on one thread beside the loop's.
class BackgroundThread final : public Background {
 public:
    explicit BackgroundThread(const boost::asio::any_io_executor& loop);
    // Waits for the piece that is being worked on; drops the others.
    ~BackgroundThread() override;
    BackgroundThread(const BackgroundThread&) = delete;
    BackgroundThread& operator=(const BackgroundThread&) = delete;

    void run(Work work, Work done) override;

 private:
    LoopInbox inbox_;
    boost::asio::thread_pool thread_{1};
};

}  // namespace referee::loop
