// Prints the name of a bot's program:
//
//     program_teller WORKING_DIRECTORY FOLDER SEARCH_PATH KIND INTERPRETER WORD...
//
// An empty FOLDER: it has none of its own. An empty KIND: it speaks the protocol. Ends with 1 and
// the trouble where there is no name.

#include <iostream>
#include <string>
#include <vector>

#include "referee/launch/program/program.h"

int main(int count, char** words) {
    const std::vector<std::string> given(words + 1, words + count);
    if (given.size() < 6) {
        std::cerr << "expected WORKING_DIRECTORY FOLDER SEARCH_PATH KIND INTERPRETER WORD...\n";
        return 2;
    }
    const referee::program::ProgramLaunch launch{
        {given.begin() + 5, given.end()}, given[0], given[1], given[2], given[3], given[4]};
    const auto name = referee::program::Programs().identify(launch);
    std::cout << (name ? *name : name.error()) << '\n';
    return name ? 0 : 1;
}
