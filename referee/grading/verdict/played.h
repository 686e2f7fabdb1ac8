#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/game.h"
#include "protocol/json/document.h"
#include "referee/contest/rating/sprt.h"
#include "referee/game/result/game_result.h"

// What was played for a grade, as values, and how reasons name it. Nothing here knows how it was
// played.

namespace referee::verdict {

// One game that counts, from the view of the program that is graded (or of a reference).
struct PlayedGame {
    std::string id;          // "ann.dumb-1a2b3c4d/1.3"
    std::uint32_t seed = 0;  // 0: not known
    bool by_seed = false;    // its start is the seed's: the game has no maps
    std::string map;         // the name of the map or maze that it was played on; empty: none
    std::size_t setup = 0;   // which game of the series' match it was, from 0
    engines::Seat seat = 0;  // its own
    bool forfeited = false;  // ended before its time by its own doing
    double score = 0;
    std::vector<int> placing;   // by seat
    std::string detail;         // the outcome's, as JSON text
    std::vector<Fault> faults;  // its own, those that are kept
    std::int64_t turns = 0;
    bool moved = true;  // it gave a valid move
    // In how many turns it was asked for a move, and in how many it did something wrong.
    std::size_t asked = 0;
    std::size_t wrong = 0;
    bool costs_turns = false;   // what it did wrong cost it these turns and nothing else
    bool costs_pieces = false;  // it cost it pieces, each time
    std::string params;         // that it began from, as JSON text; empty: not known
    std::string reason;         // why the game ended
    std::string story;          // of its end, in words for a student; empty: not told
    // What shows nothing of a map, of its end and of its play; empty: nothing is told.
    std::string end_in_kind;
    std::vector<std::string> play_in_kind;

    bool won() const;  // alone in the first place; a solo game is won where its detail says so
    bool can_be_won() const;  // no solo game whose detail doesn't say
};

// One run of a series that has runs.
struct PlayedRun {
    std::string input;  // the file's name
    bool right = false;
    std::string
        reason{};  // why it is wrong: "line 3: expected ..., found ..."; empty where it is right
    std::string printed{};  // the end of what it wrote to its standard error
    std::string given{};    // the input, of the first that is wrong, where a page has room for it
};

struct PlayedSeries {
    std::vector<PlayedGame> games;  // in order
    std::vector<PlayedRun> runs;    // by input; of a series with runs, which has no games
    std::map<std::string, std::vector<PlayedGame>>
        references;  // by the reference's name, same setups
    // Of a series with a sequential test (pass_probability.h): "stronger" is as good as its
    // opponents.
    std::optional<rating::SprtVerdict> test;
    std::size_t test_matches = 0;
    double test_share = 0;  // of the matches' points that it got
    // Why games could not be played or don't show what they should, which is never the program's
    // doing: "the opponent dumb failed in game ...". Empty: nothing is the matter.
    std::string trouble;
    // Why not all of its games were played, by the program's own doing: it thought longer than the
    // rubric allows, or gave no valid move. Empty: all were, or there is trouble.
    std::string cut_short;
};

// Whoever has a place in a tournament, and of what the places go by first; empty: not known.
struct Placed {
    std::size_t place = 0;  // from 1
    std::string name;
    std::string figure{};
};

// The places of the tournament that gives extra credit.
struct TournamentPlaces {
    bool open = false;           // it isn't over, so its places may change
    std::string by;              // what the places go by first: "points"; empty: not known
    std::vector<Placed> placed;  // the best first; the house's bots have no place
};

// Whatever a grade is made of.
struct Played {
    std::map<std::string, PlayedSeries> series;  // by id
    const TournamentPlaces* places = nullptr;    // null: none were given
    std::string name{};                          // by which it stands there
    // Why no game could be played at all, by the program's own doing: its build failed, no such
    // file. Says nothing of runs, which are of other programs.
    std::string unplayable;

    std::vector<const PlayedGame*> games() const;  // of all series
};

// What the program wrote to its standard error before its first fault, or with the first input that
// was wrong, where that was kept.
std::string last_words(const Played& played);

// An outcome's detail with a member "attainable": what no play scores more than on these params, as
// far as the game can tell; unchanged where it can't, or where the detail has it. Requires: params
// that the game accepts, and an object.
std::string with_attainable(const engines::Game& game, std::string_view params,
                            std::string_view detail);

// The name of the map or the maze in a game's params; nothing where they name none.
std::optional<std::string_view> map_named_in(protocol::json::View params);
// "challenge2_vault", "seed 7" of a game for one player that has no maps; empty: neither.
std::string begun_from(const PlayedGame& game);
// "game ann.dumb/1.3", "game ann.mazes/1.3 on challenge2_vault", "game ann.hundred/1.7, seed 7".
std::string in_game(const PlayedGame& game);
// Why the game ended as it did, as a student may best read it.
std::string end_of(const PlayedGame& game);

}  // namespace referee::verdict
