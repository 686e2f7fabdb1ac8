#include "sample_bots/cpp/superball/tools/play_once.h"

int main(int argc, char** argv) {
    return bots::superball::tools::play_once(argc, argv, "sb-play", bots::superball::random_move);
}
