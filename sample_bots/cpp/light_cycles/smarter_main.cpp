#include "sample_bots/cpp/light_cycles/players.h"

int main(int argc, char** argv) {
    return kit::run(argc, argv, {"cycles-smarter", {"light_cycles"}},
                    bots::light_cycles::make_smarter);
}
