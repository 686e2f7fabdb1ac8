#pragma once

#include <string>

namespace referee::grading {

// The machine on which a grade was made: "lab-7, 8 cores, Linux 6.1.0".
std::string machine_name();

}  // namespace referee::grading
