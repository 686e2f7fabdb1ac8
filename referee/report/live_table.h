#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/game.h"
#include "referee/game/clock/time.h"
#include "referee/report/ledger.h"
#include "referee/watch/terminal/terminal.h"

namespace referee::report {

// How far a tournament is.
struct TournamentLine {
    std::string id;
    std::string game;
    std::string format;
    std::string state;
    std::uint64_t bots = 0;
    std::uint64_t round = 0;
    std::optional<std::uint64_t> rounds{};  // in all, where that is known
    std::uint64_t matches = 0;
    std::optional<std::uint64_t> matches_total{};
    std::uint64_t games = 0;
    std::uint64_t running = 0;
};

// A line for each tournament, below a heading; as wide as TextTable makes it.
std::string tournaments_table(std::span<const TournamentLine> tournaments, std::size_t width);

// A tournament's standings while it is played: what a person wants to see of them at a glance.
struct LiveStandings {
    struct Row {
        std::size_t rank = 0;
        std::string name;
        std::string points;
        std::uint64_t games = 0;
    };
    std::string tournament;
    std::string points;     // the name of what the field is ranked by
    std::vector<Row> rows;  // all of them
};
// May take long: call it beside the loop.
LiveStandings live_standings(const Ledger& ledger);

// How a run stands at a moment.
struct LiveState {
    bool names = true;  // whether a tournament, a bot or a game may be named
    std::vector<TournamentLine> tournaments;
    std::uint64_t elsewhere = 0;  // matches that other machines have
    std::optional<double> games_a_second;
    std::optional<Duration> left;
    Duration elapsed{};
    std::string waits;                               // what it waits for; empty: nothing to tell
    std::shared_ptr<const LiveStandings> standings;  // may be null
    // Of the standings' tournament, in this run.
    std::map<std::string, std::uint64_t, std::less<>> faults_of_bots;
    std::vector<std::string> last_faults;  // the newest first, a sentence each
};

// The state as lines that fit the screen, one of its lines left free for the cursor.
std::vector<terminal::Line> live_table(const LiveState& state, const engines::Screen& screen);
// Its first two lines: how much has been played, and how quickly that goes.
std::string progress_line(const LiveState& state);
std::string pace_line(const LiveState& state);

// How quickly games went in the last minute, and how long what is left takes at the pace at which
// matches ended in the last half of the run: rounds end by bursts. Says nothing before enough was
// measured. Pure.
class Pace {
 public:
    // How many had been played at a moment; moments never go back. What is told first is from
    // before: only what comes after it is measured.
    void add(Instant now, std::uint64_t games, std::uint64_t matches);

    // Games a second.
    std::optional<double> games_a_second() const;
    std::optional<Duration> left(std::uint64_t matches_left) const;

 private:
    struct Sample {
        Instant at{};
        std::uint64_t games = 0;
        std::uint64_t matches = 0;
    };
    std::deque<Sample> samples_;
    std::deque<Sample> ends_;  // the first sample, and those with more matches than before
    Instant begun_{};
};

}  // namespace referee::report
