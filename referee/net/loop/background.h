#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>

namespace referee::loop {

// Work that takes too long for the loop's thread. Pieces run one after the other: on a thread of
// their own in production, at once in a simulation. `done` runs on the loop's thread, after run()
// has returned.
class Background {
 public:
    using Work = std::function<void()>;

    virtual ~Background() = default;
    virtual void run(Work work, Work done) = 0;
};

// Brings calls from other threads to the loop.
//
// asio's own way, to post from the other thread, wakes the loop while that thread holds the loop's
// mutex. A loop with a real-time class then runs at once, meets the mutex, and sleeps until the
// other thread, which has no such class, gets a processor again: milliseconds on a busy machine, in
// every second hand-over. Here the loop is woken when nothing is held any more, and whoever holds
// the inbox's mutex inherits the priority of who waits for it.
class LoopInbox {
 public:
    using Call = std::function<void()>;

    explicit LoopInbox(const boost::asio::any_io_executor& loop);
    // On the loop's thread, when nobody posts any more. What was posted still runs, on the loop.
    ~LoopInbox();
    LoopInbox(const LoopInbox&) = delete;
    LoopInbox& operator=(const LoopInbox&) = delete;

    // From any thread. Calls run on the loop's thread, in their order, each as a handler of its
    // own.
    void post(Call call);

 private:
    struct Queue;
    static void wait(const std::shared_ptr<Queue>& queue);

    std::shared_ptr<Queue> queue_;
};

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
