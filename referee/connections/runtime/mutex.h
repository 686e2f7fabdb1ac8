#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

// A mutex whose members say that it guards them. Clang proves that nobody touches them without
// holding it (scripts/tidy asks for that); other compilers ignore these words.
#if defined(__clang__)
#define REFEREE_THREAD_SAFETY(...) __attribute__((__VA_ARGS__))
#else
#define REFEREE_THREAD_SAFETY(...)
#endif

// Stands behind a member: it is read and changed only with `mutex` held.
#define REFEREE_GUARDED_BY(mutex) REFEREE_THREAD_SAFETY(guarded_by(mutex))
// Stands behind the parameters of a function or a lambda: its caller holds `mutex`.
#define REFEREE_REQUIRES(...) REFEREE_THREAD_SAFETY(requires_capability(__VA_ARGS__))

namespace referee::runtime {

class REFEREE_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
    Mutex() = default;

 private:
    friend class Lock;
    std::mutex mutex_;
};

// Holds a mutex while it lives, except between unlock() and lock().
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

    // Releases the mutex until somebody notifies `changed` and `ready()` is true. `ready` is called
    // with the mutex held. Requires: the mutex is held.
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
