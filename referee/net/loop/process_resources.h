#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// What the kernel gives this process: cores, descriptors, and how its loop is preferred to other
// programs.

namespace referee::loop {

// How many cores this process may keep busy: those that it is bound to, or fewer where its control
// groups get less of their time, or where it is in a job of Slurm that was given fewer (a cluster
// may bind nothing). At least one.
std::size_t usable_cores();

// The same of what the system says.
struct CoresSaid {
    std::size_t bound = 1;          // on which it may run
    std::optional<double> quota{};  // of how many its control groups get the time; nothing: of all
    std::string of_slurm{};         // $SLURM_CPUS_PER_TASK; empty: it isn't set
};
std::size_t usable_cores(const CoresSaid& said);

// Of the time of how many cores the control groups get that /proc/self/cgroup names, and those
// above them; nothing: nobody bounds it. `root`: where control groups are mounted.
std::optional<double> quota_of_groups(std::string_view groups, const std::string& root);

// How many descriptors this process may have open at once, at most: the hard limit. It is set by
// whoever started the process.
std::size_t descriptors_max();

// From now on the process may have so many open, or as many as the hard limit allows. The limit is
// never lowered.
void allow_descriptors(std::size_t wanted);

// From now on memory that is freed stays with the process for the next game, up to some tens of
// MiB. To give it back to the kernel after each game and to get it anew, page by page, took a fifth
// of the processor time of many games at once.
void keep_freed_memory();

// How the kernel prefers the loop's thread to other programs.
struct Priority {
    enum class Kind : std::uint8_t {
        realtime,  // SCHED_FIFO: it gets a core as soon as it has something to do
        nice,      // a nice value below 0
        plain,     // as any other program
    };
    Kind kind = Kind::plain;
    int nice = 0;
};

// Asks the kernel for the best that it gives to the calling thread, which must be the process' main
// one: a real-time class of low priority, else a nice value, else nothing. Processes and threads
// that this thread starts afterwards are plain, whatever it has; but where the process leads its
// session, as a service does, the session is put before others, with all its threads.
//
// A real-time thread that works for so long without ever waiting loses its class, by a limit of the
// kernel's (RLIMIT_RTTIME): so it never keeps a core from others for longer. Calling this again
// brings the class back.
Priority raise_priority();

// Leaves the core to other programs for a moment (a tenth of a millisecond), if the calling thread
// has a real-time class; another one shares its core anyway.
void give_way();

// Whether the calling thread had a real-time class and has lost it.
bool has_lost_priority(const Priority& raised);

// A sentence for the person who runs the referee: what it got, and how it gets more.
std::string describe(const Priority& priority);

// That of the referee's loop: where it was busy for too long and lost its class, it gets it back.
class KeptPriority {
 public:
    void raise();
    // Before a game begins; whether it was lost.
    bool keep();
    // As a sentence.
    std::string text() const;
    // The same in a word, as it is now: "real-time", "lost" (until the next game begins), "nice",
    // "plain".
    std::string_view word() const;
    std::uint64_t times_lost() const { return lost_ + (has_lost_priority(priority_) ? 1 : 0); }

 private:
    bool wanted_ = false;
    Priority priority_;
    std::uint64_t lost_ = 0;
};

}  // namespace referee::loop
