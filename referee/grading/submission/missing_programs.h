#pragma once

#include <string>

#include "referee/config/config.h"

namespace referee::grading {

// Whether the file lies where the system has its programs, which every sandbox shows.
bool is_of_system(const std::string& path);

// What this machine lacks to start a submission's program, with the command that helps: an
// interpreter or another program of the system that isn't installed, or the adapter of its kind.
// Empty where it lacks nothing. A file of the submission's own that isn't there, or that can't be
// executed, is the submission's matter, and so is a first line that names an interpreter which
// nobody knows. Looks at files.
std::string lack_of_machine(const config::BotConfig& bot, const std::string& search_path);

// The machine on which a grade was made: "lab-7, 8 cores, Linux 6.1.0".
std::string machine_name();

}  // namespace referee::grading
