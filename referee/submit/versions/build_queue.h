#pragma once

#include <sys/types.h>

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/table/cores.h"

namespace referee::versions {

// How a build ended.
struct BuildEnd {
    int status = 0;      // of exit; what `referee build` promises. -1: it did not exit by itself
    std::string output;  // the last that it printed
};

// Builds programs, one after the other, each by a `referee build` of its own: what strangers packed
// is unpacked in a process that holds nothing else, and the loop waits for none of it. A build has
// a core for itself, as a bot that thinks; after it the next build waits as long as it took, so
// that builds never take more than half of one core from the games. Not thread safe.
class BuildQueue {
 public:
    using OnEnd = std::function<void(const BuildEnd&)>;

    // Both outlive it.
    BuildQueue(const boost::asio::any_io_executor& executor, loop::Timers& timers,
               table::Cores& cores);
    ~BuildQueue();
    BuildQueue(const BuildQueue&) = delete;
    BuildQueue& operator=(const BuildQueue&) = delete;

    struct Job {
        std::string name;                    // whose program it is
        unsigned number = 0;                 // its version
        std::vector<std::string> arguments;  // of `referee build`
        Duration time_max{};                 // then it is killed, whatever holds it up
        std::function<void()> on_begin;
        OnEnd on_end;
    };
    // The calls come later, never from inside this one. A job of the same name that has not begun
    // is taken out of the queue, and given back.
    std::optional<Job> add(Job job);
    // No build begins any more; the one that is on is killed, and nobody hears of its end.
    void close();

 private:
    void look();
    void begin();
    void read();
    void ended();

    static constexpr std::size_t piece_bytes = 16 * 1024;

    boost::asio::any_io_executor executor_;
    loop::Timers& timers_;
    table::Cores& cores_;
    std::deque<Job> waiting_;
    std::optional<Job> current_;
    table::Cores::Permit core_ = 0;
    pid_t process_ = 0;
    boost::asio::posix::stream_descriptor output_;
    std::array<char, piece_bytes> piece_{};
    std::string printed_;
    Instant begun_{};
    loop::Timers::Id rest_ = 0;
    loop::Timers::Id deadline_ = 0;
    bool closed_ = false;
    loop::Life life_;
};

}  // namespace referee::versions
