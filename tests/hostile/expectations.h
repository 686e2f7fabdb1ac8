#pragma once

// What must come of each attempt, in each tier.

#include <string>
#include <vector>

#include "referee/bots/sandbox/allowance.h"
#include "referee/bots/sandbox/tier.h"

namespace hostile {

enum class Comes {
    open,  // it succeeds: this is how the suite knows that the attempt is a real one
    held,  // it doesn't
    any,   // the machine decides, and nothing is promised
};

// One line that the bot prints.
struct Probe {
    std::string name;
    Comes none;
    Comes c;
    Comes b;
    Comes a;

    Comes in(referee::sandbox::Tier tier) const;
};

struct Attempt {
    std::string name;
    std::vector<std::string> command;  // of hostile_bot; with words as in Scene::filled_in
    std::vector<Probe> probes;
    // Where the referee is root, a bot has a user of its own, and then more is held in tier C.
    std::vector<Probe> probes_as_root = {};
    bool python = false;
    bool tells_on_standard_error = false;
};

// What each of them is given; less than they try to take.
referee::sandbox::Allowance little();

const std::vector<Attempt>& attempts();

}  // namespace hostile
