#include "referee/net/loop/background_thread.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace referee::loop {

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
