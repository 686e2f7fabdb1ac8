#include "referee/net/transport/epoll_set.h"

#include <sys/epoll.h>

#include <array>
#include <boost/asio/async_result.hpp>
#include <boost/asio/bind_allocator.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

namespace referee::transport {
namespace {

namespace asio = boost::asio;

// News that one call takes; what is more comes with the next one. All of one batch is read before
// what follows from it is sent, so that a process with many bots is woken once for many turns; and
// with so few the first of them doesn't wait long for the last.
constexpr std::size_t news_at_once = 32;

constexpr std::uint32_t watched_for = EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLET;
constexpr std::uint32_t ended = EPOLLRDHUP | EPOLLHUP;
constexpr std::uint32_t to_read = EPOLLIN | EPOLLPRI | EPOLLERR | ended;

int change(int set, int operation, int descriptor, std::uint32_t events,
           WatchedDescriptor& watched) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &watched;
    return epoll_ctl(set, operation, descriptor, &event) == 0 ? 0 : errno;
}

// Of many that are posted at once Asio keeps the memory of two. All are of one type here, so each
// fits where another was. What is spare tells where the next is.
template <typename Posted>
struct SpareMemory {
    using value_type = Posted;
    explicit SpareMemory(void*& first) : spare(first) {}
    template <typename Other>
    explicit SpareMemory(const SpareMemory<Other>& other) : spare(other.spare) {}
    Posted* allocate(std::size_t count) const {
        if (spare == nullptr) return std::allocator<Posted>().allocate(count);
        return static_cast<Posted*>(std::exchange(spare, *static_cast<void**>(spare)));
    }
    void deallocate(void* memory, std::size_t /*count*/) const noexcept {
        spare = ::new (memory) void*(spare);
    }
    bool operator==(const SpareMemory& other) const { return &spare == &other.spare; }

    void*& spare;
};

}  // namespace

asio::execution_context::id EpollSet::id;

EpollSet::~EpollSet() {
    while (spare_ != nullptr)
        ::operator delete(std::exchange(spare_, *static_cast<void**>(spare_)));
}

int EpollSet::add(int descriptor, WatchedDescriptor& watched) {
    if (!set_) {
        const int made = epoll_create1(EPOLL_CLOEXEC);
        if (made < 0) return errno;
        set_.emplace(loop_, made);
    }
    all_.push_back(watched);
    return change(set_->native_handle(), EPOLL_CTL_ADD, descriptor, watched_for, watched);
}

int EpollSet::watch_writing(int descriptor, WatchedDescriptor& watched) {
    return change(set_->native_handle(), EPOLL_CTL_MOD, descriptor, watched_for | EPOLLOUT,
                  watched);
}

void EpollSet::remove(int descriptor) {
    if (set_) epoll_ctl(set_->native_handle(), EPOLL_CTL_DEL, descriptor, nullptr);
}

void EpollSet::one_waits() {
    ++waiting_;
    if (!armed_) wait();
}

void EpollSet::post(WatchedDescriptor::Waiter& waiter, loop::Batch* batch) {
    if (batch != nullptr) batch->add();
    asio::post(loop_, asio::bind_allocator(
                          SpareMemory<std::byte>(spare_),
                          [goes_on = *std::exchange(waiter, std::nullopt), batch]() mutable {
                              std::move(goes_on)();
                              if (batch != nullptr) batch->done();
                          }));
}

void EpollSet::wait() {
    armed_ = true;
    set_->async_wait(asio::posix::descriptor_base::wait_read,
                     [this](const boost::system::error_code& error) {
                         armed_ = false;
                         if (!error) take_news();
                         if (waiting_ > 0 && !armed_) wait();
                     });
}

// The first reader goes on from here, without another round of the loop: one that looks for news
// again costs a system call, and where games have their answers one by one there is none. That
// comes last, since it may destroy others that have news.
void EpollSet::take_news() {
    std::array<epoll_event, news_at_once> news;
    const int count = epoll_wait(set_->native_handle(), news.data(), news.size(), 0);
    WatchedDescriptor::Waiter first;
    for (int i = 0; i < count; ++i) {
        const auto& one = news[static_cast<std::size_t>(i)];
        auto& watched = *static_cast<WatchedDescriptor*>(one.data.ptr);
        if (!first && watched.reader_ && (one.events & to_read) != 0) {
            first.emplace(*std::move(watched.reader_));
            watched.reader_.reset();
            one_is_done();
        }
        watched.tell(one.events);
    }
    if (first) (*std::move(first))();
}

// A waiter may own the descriptor that it waits for. So they are taken out before they end.
void EpollSet::shutdown() noexcept {
    std::vector<WatchedDescriptor::Waiter> waiters;
    for (auto& watched : all_) {
        waiters.push_back(std::exchange(watched.reader_, std::nullopt));
        waiters.push_back(std::exchange(watched.writer_, std::nullopt));
    }
    waiting_ = 0;
    set_.reset();
}

WatchedDescriptor::WatchedDescriptor(const asio::any_io_executor& executor, int descriptor)
    : set_(asio::use_service<EpollSet>(executor.context())), descriptor_(descriptor) {
    const int error = set_.add(descriptor_, *this);
    if (error == EPERM) {
        always_ready_ = true;
    } else if (error != 0) {
        throw std::system_error(error, std::generic_category(), "watching a descriptor");
    }
}

asio::awaitable<void> WatchedDescriptor::readable() {
    return asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [this](auto waiter) {
            reader_.emplace(std::move(waiter));
            if (open() && !news_ && !always_ready_) {
                set_.one_waits();
            } else {
                set_.post(reader_);
            }
        },
        asio::use_awaitable);
}

asio::awaitable<void> WatchedDescriptor::writable() {
    return asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [this](auto waiter) {
            writer_.emplace(std::move(waiter));
            if (open() && !always_ready_ && set_.watch_writing(descriptor_, *this) == 0) {
                set_.one_waits();
            } else {
                set_.post(writer_);
            }
        },
        asio::use_awaitable);
}

void WatchedDescriptor::tell(std::uint32_t events) {
    if ((events & ended) != 0) ended_ = true;
    if ((events & (EPOLLERR | EPOLLPRI)) != 0 || ended_) more_than_bytes_ = true;
    if ((events & to_read) != 0) {
        news_ = true;
        complete(reader_, &set_.batch_);
    }
    if ((events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) complete(writer_);
}

void WatchedDescriptor::complete(Waiter& waiter, loop::Batch* batch) {
    if (!waiter) return;
    set_.post(waiter, batch);
    set_.one_is_done();
}

void WatchedDescriptor::close() {
    if (!open()) return;
    set_.remove(std::exchange(descriptor_, -1));
    complete(reader_);
    complete(writer_);
}

}  // namespace referee::transport
