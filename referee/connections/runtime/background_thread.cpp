#include "referee/connections/runtime/background_thread.h"

#include <boost/asio/post.hpp>
#include <utility>

namespace referee::runtime {

BackgroundThread::BackgroundThread(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}

BackgroundThread::~BackgroundThread() {
    thread_.stop();
    thread_.join();
}

void BackgroundThread::run(Work work, Work done) {
    boost::asio::post(thread_,
                      [loop = loop_, work = std::move(work), done = std::move(done)]() mutable {
                          std::exchange(work, nullptr)();  // destroyed before the loop hears
                          boost::asio::post(loop, std::move(done));
                      });
}

}  // namespace referee::runtime
