#pragma once

// What must come of each attempt, in each tier. What the system call filter denies is tried by
// sandbox_test; here some of it shows that each tier has loaded it.

#include <string>
#include <vector>

#include "referee/launch/process/launch_spec.h"

namespace hostile {

enum class Comes {
    open,          // it succeeds: this is how the suite knows that the attempt is a real one
    held,          // it doesn't
    any,           // the machine decides, and nothing is promised
    held_as_root,  // held where the referee is root, so that each bot has a user of its own
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

enum class How {
    speaks,
    may_be_ended,  // it speaks, and the kernel may end all of it before it has told anything
    tells_on_standard_error,
    dials_in,
};

struct Attempt {
    std::string name;
    std::vector<std::string> command;  // of hostile_bot; with words as in Scene::filled_in
    std::vector<Probe> probes;
    How how = How::speaks;
};

// What each of them is given; less than they try to take.
referee::process::SandboxAllowance little();

// Those that strain the machine, and all others.
const std::vector<Attempt>& bombs();
const std::vector<Attempt>& attempts();

}  // namespace hostile
