#pragma once

// How the hostile bot tells what it managed: a line for each probe, "PROBE allowed" or
// "PROBE denied: WHY". Each probe is bounded, and does no lasting harm where it succeeds.

#include <cstddef>
#include <span>
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

struct Action {
    std::string_view name;
    void (*run)(const Arguments& arguments);
    std::size_t arguments_min = 0;
};
// What can be attempted: a table in each file, which tells the arguments.
std::span<const Action> actions_on_processes();  // processes.cpp
std::span<const Action> actions_on_others();     // others.cpp
std::span<const Action> actions_on_files();      // files.cpp
std::span<const Action> actions_on_network();    // network.cpp

}  // namespace hostile
