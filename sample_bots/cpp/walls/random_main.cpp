#include "sample_bots/cpp/walls/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"walls-random", {"walls"}}, bots::walls::make_random);
}
