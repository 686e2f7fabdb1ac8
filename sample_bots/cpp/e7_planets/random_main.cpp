#include "sample_bots/cpp/e7_planets/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"e7-random", {"e7_planets"}}, bots::e7_planets::make_random);
}
