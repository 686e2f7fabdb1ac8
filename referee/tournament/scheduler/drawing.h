#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "referee/contest/formats/format.h"

namespace referee::scheduler {

// The long part of a contest's next draw(), as a value of its own: what it needs to know, and what
// came of it. It shares nothing with its contest, so it may run on any thread while the contest is
// looked at, changed or destroyed. Contest::drawing() makes it, Contest::adopt() takes in what came
// of it.
class Drawing {
 public:
    // Once. What it comes to depends only on what it was made of.
    void run();

 private:
    friend class Rounds;
    using Schedule = formats::Schedule;

    // What a schedule is made of, where there is none yet.
    formats::FormatConfig format_;
    std::vector<formats::Entry> entries_;
    std::uint64_t seed_ = 0;
    // A copy of the contest's; run() goes on with it.
    std::unique_ptr<Schedule> schedule_;
    std::optional<Schedule::Next> next_;
    std::uint64_t changes_ = 0;  // of the contest, when this was made
};

}  // namespace referee::scheduler
