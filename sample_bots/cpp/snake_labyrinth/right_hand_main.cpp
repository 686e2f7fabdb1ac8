#include "sample_bots/cpp/snake_labyrinth/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"snake-right-hand", {"snake_labyrinth"}},
                    bots::snake_labyrinth::make_right_hand);
}
