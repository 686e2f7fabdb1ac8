#pragma once

#include <pthread.h>

#include <chrono>

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

namespace referee::loop {

// Whoever holds it has the priority of the highest thread that waits for it: the loop, which may
// have a real-time class, never waits until a thread without one gets a processor.
class REFEREE_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
    Mutex();
    ~Mutex();
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;

 private:
    friend class Lock;
    friend class Condition;
    pthread_mutex_t mutex_{};
};

// Holds a mutex while it lives, except between unlock() and lock().
class REFEREE_THREAD_SAFETY(scoped_lockable) Lock {
 public:
    explicit Lock(Mutex& mutex) REFEREE_THREAD_SAFETY(acquire_capability(mutex));
    ~Lock() REFEREE_THREAD_SAFETY(release_capability());
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

    void lock() REFEREE_THREAD_SAFETY(acquire_capability());
    void unlock() REFEREE_THREAD_SAFETY(release_capability());

 private:
    friend class Condition;
    Mutex& mutex_;
    bool held_ = false;
};

// Something that is guarded by a mutex has changed.
class Condition {
 public:
    Condition();
    ~Condition();
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;

    // One thread that waits looks again.
    void notify_one();

    // Releases the mutex until somebody notifies and `ready()` is true. `ready` is called with the
    // mutex held. Requires: the mutex is held. (Clang can't see that it is the one that `ready`
    // wants.)
    template <typename Ready>
    void wait(Lock& lock, Ready ready) REFEREE_THREAD_SAFETY(no_thread_safety_analysis) {
        while (!ready()) wait_once(lock);
    }
    // The same, but not longer than `duration`.
    template <typename Ready>
    void wait_for(Lock& lock, std::chrono::nanoseconds duration, Ready ready)
        REFEREE_THREAD_SAFETY(no_thread_safety_analysis) {
        const auto end = std::chrono::steady_clock::now() + duration;
        while (!ready() && wait_until(lock, end)) {
        }
    }

 private:
    void wait_once(Lock& lock);
    // False: the end has come.
    bool wait_until(Lock& lock, std::chrono::steady_clock::time_point end);

    pthread_cond_t condition_{};
};

}  // namespace referee::loop
