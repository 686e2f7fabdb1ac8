#pragma once

namespace referee::cli {

// The program, from its arguments to its exit status.
int run_program(int argc, char** argv);

}  // namespace referee::cli
