#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "referee/config/config.h"
#include "referee/contest/formats/format.h"
#include "referee/contest/formats/match.h"

namespace referee::contests {

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

// The rounds of a contest, as they are drawn: its schedule, and how far that has come.
class Rounds {
 public:
    using Next = formats::Schedule::Next;

    // The config outlives this.
    explicit Rounds(const config::TournamentConfig& config) : config_(config) {}

    // Makes the schedule, where there is none yet. It is made as late as can be: a bot that enters
    // earlier is simply one of the field.
    void make_schedule(const std::vector<formats::Entry>& field);
    // Null before that.
    formats::Schedule* schedule() { return schedule_.get(); }
    const formats::Schedule* schedule() const { return schedule_.get(); }

    // What is drawn next. Requires: there is a schedule.
    Next next();
    // This was drawn: a match, a bye, or the end. Of a match, asked for at once, terms() are what
    // the format asks of it.
    void note(const Next& drawn);
    formats::MatchTerms terms() const;
    // How many there will be, where that is known beforehand. A Swiss has those that it began with,
    // whoever comes later.
    std::optional<std::uint32_t> planned(std::size_t entrants) const;

    // Whether next() may take long, so that it should be prepared on another thread.
    bool drawing_due() const;
    // The long part of next(), to be run anywhere. `changes` says which state of the contest it was
    // made of. Requires: drawing_due().
    Drawing drawing(const std::vector<formats::Entry>& field, std::uint64_t changes) const;
    // Takes in a drawing that has run, so that next() gives what it came to. It is dropped where
    // the contest has changed since.
    void adopt(Drawing drawing, std::uint64_t changes);

    // Nothing more can be drawn; or, after a match was reopened, perhaps something can.
    void end() { drawn_out_ = true; }
    void go_on() { drawn_out_ = false; }
    bool drawn_out() const { return drawn_out_; }

    // The last round of which anything is drawn; 0: none.
    std::uint32_t last() const { return last_; }
    // The first round of which nothing is drawn, not even beside.
    std::uint32_t first_undrawn() const;
    // How many matches there will be, as it was when they were counted last. To count requires a
    // schedule.
    void count_matches() { matches_total_ = schedule_->matches_total(); }
    std::optional<std::uint64_t> matches_total() const { return matches_total_; }

 private:
    const config::TournamentConfig& config_;
    std::unique_ptr<formats::Schedule> schedule_;
    std::optional<Next> prepared_;  // what a drawing came to
    bool drawn_out_ = false;
    std::uint32_t last_ = 0;
    std::optional<std::uint64_t> matches_total_;
};

}  // namespace referee::contests
