// Prints to standard output by habit.
#include <cstdio>
#include <iostream>

#include "referee_bot.hpp"

int main(int argc, char** argv) {
    std::puts("chatty begins");
    return referee_bot::run(argc, argv,
                            {{"walls",
                              [](referee_bot::Game& game) {
                                  std::cout << "thinking about turn " << game.turn << std::endl;
                                  std::printf("and more\n");
                                  return "F";
                              }}},
                            "chatty");
}
