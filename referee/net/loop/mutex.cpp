#include "referee/net/loop/mutex.h"

#include <cerrno>

#include "protocol/base/assertion.h"
#include "referee/net/loop/timers.h"

namespace referee::loop {
namespace {

// Only a fault of ours makes one of these calls fail, or a machine without memory.
void require(int error) {
    REFEREE_ASSERT(error == 0);
}

}  // namespace

Mutex::Mutex() {
    pthread_mutexattr_t attributes;
    require(pthread_mutexattr_init(&attributes));
    require(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
    require(pthread_mutex_init(&mutex_, &attributes));
    require(pthread_mutexattr_destroy(&attributes));
}

Mutex::~Mutex() {
    require(pthread_mutex_destroy(&mutex_));
}

Lock::Lock(Mutex& mutex) : mutex_(mutex) {
    lock();
}

Lock::~Lock() {
    if (held_) unlock();
}

void Lock::lock() {
    require(pthread_mutex_lock(&mutex_.mutex_));
    held_ = true;
}

void Lock::unlock() {
    held_ = false;
    require(pthread_mutex_unlock(&mutex_.mutex_));
}

Condition::Condition() {
    pthread_condattr_t attributes;
    require(pthread_condattr_init(&attributes));
    require(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC));
    require(pthread_cond_init(&condition_, &attributes));
    require(pthread_condattr_destroy(&attributes));
}

Condition::~Condition() {
    require(pthread_cond_destroy(&condition_));
}

void Condition::notify_one() {
    require(pthread_cond_signal(&condition_));
}

void Condition::wait_once(Lock& lock) {
    require(pthread_cond_wait(&condition_, &lock.mutex_.mutex_));
}

bool Condition::wait_until(Lock& lock, std::chrono::steady_clock::time_point end) {
    const auto at = timespec_of(end.time_since_epoch());
    const int error = pthread_cond_timedwait(&condition_, &lock.mutex_.mutex_, &at);
    REFEREE_ASSERT(error == 0 || error == ETIMEDOUT);
    return error == 0;
}

}  // namespace referee::loop
