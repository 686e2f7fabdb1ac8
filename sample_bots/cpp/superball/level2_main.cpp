#include "sample_bots/cpp/superball/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"superball-level2", {"superball"}}, bots::superball::make_level2);
}
