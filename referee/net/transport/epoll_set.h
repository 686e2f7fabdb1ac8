#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <optional>

#include "referee/net/loop/timers.h"

namespace referee::transport {

class EpollSet;

using InEpollSet =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

// A descriptor whose news its loop is told. One reader and one writer at a time. Not thread safe.
class WatchedDescriptor : public InEpollSet {
 public:
    // The descriptor stays open until close().
    WatchedDescriptor(const boost::asio::any_io_executor& executor, int descriptor);
    ~WatchedDescriptor() { close(); }
    WatchedDescriptor(const WatchedDescriptor&) = delete;
    WatchedDescriptor& operator=(const WatchedDescriptor&) = delete;

    // Completes when something may have come since the last call of emptied() or took_all(): never
    // at once, so that others have their turn. And after close().
    boost::asio::awaitable<void> readable();
    // Completes when there is room to write, and after close().
    boost::asio::awaitable<void> writable();

    // A read found nothing.
    void emptied() { news_ = false; }
    // A read left room. So it took all bytes that there were, unless some are urgent: a read stops
    // at these. And the end of a stream, or a stamp that waits, is news that no read of bytes
    // takes.
    void took_all() { news_ = more_than_bytes_; }
    // A read took what else there was than bytes.
    void took_stamps() { more_than_bytes_ = ended_; }

    // Whoever waits is done. Idempotent.
    void close();
    bool open() const { return descriptor_ >= 0; }

 private:
    friend class EpollSet;
    // A coroutine that waits.
    using Waiter = std::optional<
        boost::asio::async_result<boost::asio::use_awaitable_t<>, void()>::handler_type>;

    void tell(std::uint32_t events);
    void complete(Waiter& waiter, loop::Batch* batch = nullptr);

    EpollSet& set_;
    int descriptor_;
    // Of a file, say, the kernel tells nothing: then each wait is over soon.
    bool always_ready_ = false;
    bool news_ = false;             // what was there before, the kernel tells as well
    bool ended_ = false;            // nothing comes any more
    bool more_than_bytes_ = false;  // the end, urgent bytes, or stamps
    Waiter reader_;
    Waiter writer_;
};

// Which descriptors of a loop have news. The kernel tells of each piece of news once, whether
// somebody waits or not, and of many descriptors in one call. So a wait costs no system call; by
// Asio's own waits it costs one each time. A service of the loop: it is made with the first
// descriptor that is watched, and the loop is an io_context.
class EpollSet final : public boost::asio::execution_context::service {
 public:
    using key_type = EpollSet;
    static boost::asio::execution_context::id id;
    explicit EpollSet(boost::asio::execution_context& context)
        : service(context),
          loop_(static_cast<boost::asio::io_context&>(context)),
          batch_(boost::asio::use_service<loop::Batch>(context)) {}
    ~EpollSet() override;

 private:
    friend class WatchedDescriptor;

    // Both return 0 or an errno.
    int add(int descriptor, WatchedDescriptor& watched);
    int watch_writing(int descriptor, WatchedDescriptor& watched);
    void remove(int descriptor);
    // Somebody waits, or no longer does: the loop has something to do while anybody waits.
    void one_waits();
    void one_is_done() {
        if (--waiting_ == 0 && armed_) set_->cancel();
    }
    // The waiter goes on in a handler of its own. Requires: somebody waits there. `batch`: that it
    // belongs to, or null.
    void post(WatchedDescriptor::Waiter& waiter, loop::Batch* batch = nullptr);
    void wait();
    void take_news();
    void shutdown() noexcept override;

    boost::asio::io_context& loop_;
    loop::Batch& batch_;
    std::optional<boost::asio::posix::stream_descriptor> set_;  // of epoll
    boost::intrusive::list<WatchedDescriptor, boost::intrusive::constant_time_size<false>> all_;
    std::size_t waiting_ = 0;
    bool armed_ = false;
    void* spare_ = nullptr;  // memory of waiters that were posted, for the next ones
};

}  // namespace referee::transport
