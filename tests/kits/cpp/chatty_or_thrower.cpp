// Two bots in one program, which takes a compiler half as long; the name by which it is started
// says which it is.
#include <cstdio>
#include <iostream>
#include <string>

#include "referee_bot.hpp"

namespace {

// Prints to standard output by habit, and reads.
std::string chat(referee_bot::Game& game) {
    std::cin.get();
    std::cout << "thinking about turn " << game.turn << std::endl;
    std::printf("and more\n");
    return "F";
}

// Has no idea in its third answer of a game.
std::string throw_in_the_third(referee_bot::Game& game) {
    const int answers = game.memory.value("answers", 0) + 1;
    game.memory["answers"] = answers;
    if (answers == 3) throw std::runtime_error("no idea");
    return "F";
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argv[0];
    if (path.substr(path.rfind('/') + 1) == "thrower")
        return referee_bot::run(argc, argv, {{"walls", throw_in_the_third}}, "thrower");
    std::puts("chatty begins");
    return referee_bot::run(argc, argv, {{"walls", chat}}, "chatty");
}
