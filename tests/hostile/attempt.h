#pragma once

// How the hostile bot tells what it managed: a line for each probe, "PROBE allowed" or
// "PROBE denied: WHY". Each probe is bounded, and does no lasting harm where it succeeds.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hostile {

constexpr std::size_t bytes_a_mib = std::size_t{1} << 20;

// Whatever happens to the test, nothing of this lives longer.
constexpr unsigned life_seconds_max = 60;

using Arguments = std::vector<std::string>;

// Lines go to standard output, or from here on to standard error.
void tell_on_standard_error();

// `error`: an errno; 0 where the probe succeeded.
void tell(std::string_view probe, int error);
void tell(std::string_view probe, bool allowed, std::string_view why);

// The errno of what returns -1 on failure.
int errno_of(long result);

// "label=value" in two.
struct Labelled {
    std::string label;
    std::string value;
};
Labelled labelled(const std::string& argument);

long number(const std::string& argument);

// What can be attempted: in processes.cpp, others.cpp, files.cpp and network.cpp.
void fork_many(const Arguments& arguments);             // COUNT
void take_memory_alone(const Arguments& arguments);     // MIB
void take_memory_together(const Arguments& arguments);  // CHILDREN MIB
void take_shared_memory(const Arguments& arguments);    // MIB
void leave_daemons(const Arguments& arguments);
void linger(const Arguments& arguments);
void stop_itself(const Arguments& arguments);
void burn(const Arguments& arguments);          // SECONDS THREADS
void answer_turns(const Arguments& arguments);  // MICROSECONDS: an honest bot
void flood(const Arguments& arguments);         // DESCRIPTOR MIB
void list_descriptors(const Arguments& arguments);

void touch_process(const Arguments& arguments);  // PID
void touch_parent(const Arguments& arguments);
void look_at_parent(const Arguments& arguments);
void look_at_processes(const Arguments& arguments);    // PID
void move_between_groups(const Arguments& arguments);  // PID

void read_files(const Arguments& arguments);    // LABEL=PATH...
void change_files(const Arguments& arguments);  // LABEL=PATH...
void fill_bytes(const Arguments& arguments);    // MIB FOLDER...
void fill_files(const Arguments& arguments);    // COUNT FOLDER...
void leave_files(const Arguments& arguments);   // NAME FOLDER...
void find_files(const Arguments& arguments);    // NAME FOLDER...
void write_anywhere(const Arguments& arguments);

void dial(const Arguments& arguments);    // unix=PATH abstract=NAME tcp=PORT other=PORT udp=PORT
void redial(const Arguments& arguments);  // PORT: with the connection that is standard output

}  // namespace hostile
