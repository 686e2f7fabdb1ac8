#pragma once

#include <cstdlib>
#include <ctime>

namespace tests {

// The machine's zone is that of Vienna, by its rule: an hour later in summer.
inline void live_in_vienna() {
    ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    ::tzset();
}

}  // namespace tests
