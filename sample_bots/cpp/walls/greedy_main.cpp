#include "sample_bots/cpp/walls/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"walls-greedy", {"walls"}}, bots::walls::make_greedy);
}
