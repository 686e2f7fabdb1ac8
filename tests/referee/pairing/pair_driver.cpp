#include <iostream>
#include <string>
#include <string_view>

#include "referee/pairing/pair_command.h"

// `referee pair` on its own, for scripts that replay tournaments: [--check] FILE.

int main(int argc, char** argv) {
    referee::pairing::PairArguments arguments;
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--check")
            arguments.check = true;
        else
            arguments.file = argv[i];
    }
    return referee::pairing::pair_command(arguments, std::cout, std::cerr);
}
