#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

// A mutex whose members say that it guards them. Clang proves that nobody touches them without it
// (scripts/tidy asks for that); to other compilers these words mean nothing.
#if defined(__clang__)
#define REFEREE_THREAD_SAFETY(...) __attribute__((__VA_ARGS__))
#else
#define REFEREE_THREAD_SAFETY(...)
#endif

// Behind a member: only who holds `mutex` reads or changes it.
#define REFEREE_GUARDED_BY(mutex) REFEREE_THREAD_SAFETY(guarded_by(mutex))
// Behind a function's or a lambda's parameters: whoever calls it holds `mutex`.
#define REFEREE_REQUIRES(...) REFEREE_THREAD_SAFETY(requires_capability(__VA_ARGS__))

namespace referee::runtime {

class REFEREE_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
    Mutex() = default;

 private:
    friend class Lock;
    std::mutex mutex_;
};

// Holds a mutex while it lives, but between unlock() and lock().
class REFEREE_THREAD_SAFETY(scoped_lockable) Lock {
 public:
    explicit Lock(Mutex& mutex) REFEREE_THREAD_SAFETY(acquire_capability(mutex))
        : lock_(mutex.mutex_) {}
    ~Lock() REFEREE_THREAD_SAFETY(release_capability()) = default;
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    Lock(Lock&&) = delete;
    Lock& operator=(Lock&&) = delete;

    void lock() REFEREE_THREAD_SAFETY(acquire_capability()) { lock_.lock(); }
    void unlock() REFEREE_THREAD_SAFETY(release_capability()) { lock_.unlock(); }

    // Lets go of the mutex until somebody notifies `changed` and `ready()`, which is called with
    // the mutex held. Requires: the mutex is held.
    template <typename Ready>
    void wait(std::condition_variable& changed, Ready ready) {
        changed.wait(lock_, std::move(ready));
    }
    // The same, but not longer than `duration`.
    template <typename Ready>
    void wait_for(std::condition_variable& changed, std::chrono::nanoseconds duration,
                  Ready ready) {
        changed.wait_for(lock_, duration, std::move(ready));
    }

 private:
    std::unique_lock<std::mutex> lock_;
};

}  // namespace referee::runtime
