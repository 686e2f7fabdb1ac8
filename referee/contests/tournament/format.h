#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "referee/contests/standings/tie_break.h"
#include "referee/contests/tournament/schedule.h"

// Formats of tournaments: plain options, what is wrong with them, and the schedule they make.

namespace referee::tournament {

enum class FormatKind : std::uint8_t {
    round_robin,  // everybody meets everybody, `cycles` times
    swiss,        // rounds among equals
    leaderboard,  // everybody plays the same list of setups, alone or against `opponents`
    gauntlet,     // the first entrant against each of the others
    knockout,     // the loser is out (after two losses with `double_elimination`)
    stages,       // one format after another
    ladder,       // without end: whoever is there is matched, close ratings first
};
std::string_view name_of(FormatKind kind);
std::optional<FormatKind> format_named(std::string_view name);

// What a difference in Elo makes likely: a share of a match's points, or of its games.
enum class EloOf : std::uint8_t { match, game };
constexpr std::string_view name_of(EloOf elo) {
    return elo == EloOf::match ? "match" : "game";
}

// Bounds of a sequential test: is the first entrant stronger by elo1 rather than only by elo0?
struct SprtBounds {
    double elo0 = 0;
    double elo1 = 10;
    double alpha = 0.05;  // wrongly saying yes
    double beta = 0.05;   // wrongly saying no
    EloOf elo = EloOf::match;
};

struct FormatConfig {
    FormatKind kind = FormatKind::round_robin;
    // Entrants in a match: two seats, a pod's size, or 1 where a leaderboard's bots play alone. A
    // solo game played head to head has two.
    std::size_t seats = 2;
    // The smallest pod that the game allows; smaller fields of a round are filled by byes.
    std::size_t seats_min = 2;
    // round_robin: how often everybody meets everybody; every second time with reversed seats.
    // gauntlet: matches against each opponent (with `sprt`: at most).
    std::uint32_t cycles = 1;
    // round_robin of pods: how often everybody meets everybody in a cycle; where no design does it
    // exactly, so often or once more. 0: equally often, as seldom as a known design allows.
    std::uint32_t meetings = 0;
    // round_robin for two: exchange the last two rounds of the first of several cycles, so that
    // nobody has one seat three times in a row (FIDE's recommendation for double round robins).
    bool swap_last_rounds = false;
    // Rounds of a Swiss; 0: ceil(log2 n), at least 3, at most what the field allows.
    std::uint32_t rounds = 0;
    // Numbers are drawn by lot, from the seed, rather than given in the order of entries.
    bool draw_numbers = false;
    // Entries of one team never meet (swiss).
    bool keep_teams_apart = false;
    // What the bye of somebody without opponent gives (swiss, for two seats and pods).
    engines::Score bye_points = engines::Score::whole(1);
    // What a match gives for each entrant that is placed behind, and for each that is level: for
    // two seats a win and a draw. Where a match's points are sums of scores: what byes and
    // tie-breaks take a win and a draw for.
    engines::Score win_points = engines::Score::whole(1);
    engines::Score draw_points = engines::Score::halves(1);
    // swiss for two seats: Baku acceleration.
    bool accelerated = false;
    // knockout.
    bool double_elimination = false;
    bool third_place_match = true;  // single elimination only: the other has its third
    bool second_final = true;       // double elimination: a first loss in the final isn't the end
    std::uint32_t extra_games = 4;  // of a match that is level, at most
    // gauntlet.
    std::optional<SprtBounds> sprt;
    // leaderboard against fixed opponents, which are entrants and are not ranked.
    std::vector<Entrant> opponents;
    // Tie-breaks that decide who goes on to the next stage.
    std::vector<standings::TieBreak> ranked_by = {
        standings::TieBreak::points, standings::TieBreak::buchholz_cut_1,
        standings::TieBreak::buchholz, standings::TieBreak::sonneborn_berger,
        standings::TieBreak::scores};
    // stages: in order; each takes the best `advance` of the one before.
    std::vector<FormatConfig> stages;
    std::size_t advance = 0;  // how many of the stage before play this one; 0: all
};

// What the checks must know of the game.
struct GameSeats {
    std::size_t fewest = 2;  // entrants that a match can seat
    std::size_t most = 2;
    bool solo = false;  // bots play alone, each its own game; any number can be compared
};

// What is wrong with a tournament, in clear words. `member` names the format's member, or is
// "bots".
struct FormatError {
    std::string member;
    std::string message;
};

// All errors of a tournament of these entries, in a fixed order; none: make_schedule may be called.
std::vector<FormatError> check_format(const FormatConfig& config, std::span<const Entry> entries,
                                      const GameSeats& game);

// How many rounds at most nobody meets anybody twice. Requires: entrants >= 1, seats >= 2.
std::uint32_t rounds_without_repeats(std::size_t entrants, std::size_t seats);

// Rounds of a Swiss of so many entrants where the config names none.
std::uint32_t default_rounds(std::size_t entrants, std::size_t seats);

// The entrants by their numbers in tables and brackets: in order, or by lot.
std::vector<Entrant> numbers_of(const FormatConfig& config, std::size_t entrants,
                                std::uint64_t seed);

// Requires: check_format has nothing to say.
std::unique_ptr<Schedule> make_schedule(const FormatConfig& config, std::vector<Entry> entries,
                                        std::uint64_t seed);

}  // namespace referee::tournament
