#include "referee/net/loop/background.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "referee/net/loop/mutex.h"

namespace referee::loop {

namespace {

int open_event() {
    const int descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (descriptor < 0)
        throw std::system_error(errno, std::generic_category(), "can't open an eventfd");
    return descriptor;
}

}  // namespace

struct LoopInbox::Queue {
    explicit Queue(const boost::asio::any_io_executor& loop) : event(loop, open_event()) {}

    void wake_loop() {
        const std::uint64_t one = 1;
        // It can only fail where that was done so often without an answer that it wakes anyway.
        static_cast<void>(::write(event.native_handle(), &one, sizeof one));
    }
    // On the loop's thread.
    void deliver() {
        std::uint64_t wakings = 0;
        static_cast<void>(::read(event.native_handle(), &wakings, sizeof wakings));
        std::vector<Call> due;
        {
            const Lock guard(mutex);
            due.swap(calls);
        }
        for (auto& call : due) boost::asio::post(event.get_executor(), std::move(call));
    }

    boost::asio::posix::stream_descriptor event;
    Mutex mutex;
    std::vector<Call> calls REFEREE_GUARDED_BY(mutex);
};

LoopInbox::LoopInbox(const boost::asio::any_io_executor& loop)
    : queue_(std::make_shared<Queue>(loop)) {
    wait(queue_);
}

LoopInbox::~LoopInbox() {
    queue_->deliver();
    boost::system::error_code ignored;
    queue_->event.close(ignored);
}

void LoopInbox::post(Call call) {
    bool first = false;
    {
        const Lock guard(queue_->mutex);
        first = queue_->calls.empty();
        queue_->calls.push_back(std::move(call));
    }
    if (first) queue_->wake_loop();  // else somebody has, and the loop has not answered yet
}

void LoopInbox::wait(const std::shared_ptr<Queue>& queue) {
    queue->event.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                            [queue](const boost::system::error_code& error) {
                                if (error) return;  // the inbox has ended
                                queue->deliver();
                                wait(queue);
                            });
}

BackgroundThread::BackgroundThread(const boost::asio::any_io_executor& loop) : inbox_(loop) {}

BackgroundThread::~BackgroundThread() {
    thread_.stop();
    thread_.join();
}

void BackgroundThread::run(Work work, Work done) {
    boost::asio::post(thread_, [this, work = std::move(work), done = std::move(done)]() mutable {
        std::exchange(work, nullptr)();  // destroyed before the loop hears
        inbox_.post(std::move(done));
    });
}

}  // namespace referee::loop
