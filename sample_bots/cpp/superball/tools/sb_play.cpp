#include "sample_bots/cpp/superball/tools/arguments.h"

// sb-play and its like: the build says which, and whose moves they are.
int main(int argc, char** argv) {
    return bots::superball::tools::play_once(argc, argv, SB_PLAY_TOOL,
                                             bots::superball::SB_PLAY_MOVE);
}
