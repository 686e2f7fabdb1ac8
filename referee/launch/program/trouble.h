#pragma once

#include <string>

namespace referee::program {

// Why nobody can say which program a bot is.
struct Trouble {
    enum class Kind {
        unreadable,       // a file or folder can't be read
        no_file,          // a socket, a pipe or a device among the files
        too_many_files,   // more than entries_max
        too_many_bytes,   // more than bytes_max
        too_deep,         // folders within folders beyond depth_max
        version_too_slow  // the interpreter did not tell its version in time
    };
    Kind kind = Kind::unreadable;
    std::string message;  // what was found, what was expected, what to do
};

}  // namespace referee::program
