// Has no idea in its third answer of a game.
#include "referee_bot.hpp"

int main(int argc, char** argv) {
    return referee_bot::run(argc, argv,
                            {{"walls",
                              [](referee_bot::Game& game) {
                                  const int answers = game.memory.value("answers", 0) + 1;
                                  game.memory["answers"] = answers;
                                  if (answers == 3) throw std::runtime_error("no idea");
                                  return "F";
                              }}},
                            "thrower");
}
