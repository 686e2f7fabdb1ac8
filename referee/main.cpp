#include "referee/cli/commands.h"

int main(int argc, char** argv) {
    return referee::cli::run_program(argc, argv);
}
