#pragma once

#include <string>
#include <vector>

#include "referee/config/config.h"
#include "referee/office/cli/measured_ways.h"

namespace referee::cli {

// How fair a config's clocks are to bots as far away as they were in earlier games. Each text is a
// line, or several, without an end of line.
struct WayReport {
    // For each tournament whose budget loses too much to somebody's way: who, how much, and which
    // clock would be fair to all.
    std::vector<std::string> warnings;
    // What the report rests on, which budgets are fair, and who was not measured yet.
    std::vector<std::string> notes;
};

// `out` names the folder of the records in texts. Bots that the referee launches have no way.
WayReport way_report(const config::Config& config, const MeasuredWays& measured,
                     const std::string& out);

// The least figure that is at least `time`, 1 ms or more, and round as people write it: 10 ms, 12,
// 15, 20, 25, 30, 40, 50, 60, 80 ms, 100 ms and so on.
Duration round_figure(Duration time);

}  // namespace referee::cli
