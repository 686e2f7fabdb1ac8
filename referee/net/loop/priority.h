#pragma once

#include <cstdint>
#include <string>

namespace referee::loop {

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

}  // namespace referee::loop
