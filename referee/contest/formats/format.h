#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "referee/contest/formats/match.h"
#include "referee/contest/formats/schedule.h"
#include "referee/contest/rating/sprt.h"
#include "referee/contest/standings/tie_break.h"

// Formats of tournaments: plain options, what is wrong with them, and the schedule they make.

namespace referee::formats {

inline constexpr Entrant no_entrant = SIZE_MAX;

enum class FormatKind : std::uint8_t {
    round_robin,  // everybody meets everybody, `cycles` times
    swiss,        // rounds among equals
    leaderboard,  // everybody plays the same list of setups, alone or against `opponents`
    gauntlet,     // the first entrant against each of the others, or so many of them at a time
    knockout,     // the loser is out (after two losses with `double_elimination`)
    stages,       // one format after another
    ladder,       // without end: bots that are there are matched, close ratings first
    adaptive,     // matches where the answer to a question is unsure
};
std::string_view name_of(FormatKind kind);

// What a difference in Elo makes likely: a share of a match's points, or of its games.
enum class EloOf : std::uint8_t { match, game };
constexpr std::string_view name_of(EloOf elo) {
    return elo == EloOf::match ? "match" : "game";
}

// Bounds of a sequential test of the first entrant.
struct SprtBounds : rating::SprtLimits {
    EloOf elo = EloOf::match;
};

// Each format has options of its own. `seats` are the entrants in a match, two or a pod's size (a
// solo game is played head to head by two); `seats_min` is the smallest pod that the game allows.
// `draw_numbers`: numbers are drawn by lot, from the seed, rather than given in the order of
// entries.

struct RoundRobinOptions {
    std::size_t seats = 2;
    // How often everybody meets everybody: for two exactly, every second time with reversed seats;
    // in pods at least.
    std::uint32_t cycles = 1;
    // For two: exchange the last two rounds of the first of several cycles, so that nobody has one
    // seat three times in a row (FIDE's recommendation for double round robins).
    bool swap_last_rounds = false;
    bool draw_numbers = false;
};

struct SwissOptions {
    std::size_t seats = 2;
    std::size_t seats_min = 2;  // smaller fields of a round are filled by byes
    // 0: ceil(log2 n), at least 3, at most what the field allows.
    std::uint32_t rounds = 0;
    bool draw_numbers = false;
    bool keep_teams_apart = false;  // entries of one team never meet
    bool accelerated = false;       // for two seats: Baku acceleration
    // For two seats: whether who may meet whom depends on the seats that they had, as FIDE's
    // colours do. Matches in which everybody has each seat equally often have none to balance.
    bool colours = true;
    std::vector<ForbiddenPairs> forbidden_pairs{};
};

struct LeaderboardOptions {
    // These entrants sit in the seats after the one that plays, and are not ranked; empty: each
    // plays alone.
    std::vector<Entrant> opponents;
    std::vector<std::string> opponent_names{};  // the same, for for_field(); empty: not known
};

struct GauntletOptions {
    std::uint32_t cycles = 1;  // matches against each opponent; with `sprt`: at most
    std::optional<SprtBounds> sprt;
    // With more than two the opponents sit down together, so many at a time.
    std::size_t match_seats = 2;
};

struct KnockoutOptions {
    bool draw_numbers = false;
    bool double_elimination = false;
    bool third_place_match = true;  // single elimination only: the other has a third place anyway
    bool second_final = true;       // double elimination: a first loss in the final isn't the end
    std::uint32_t extra_games = 4;  // of a match that is level, at most
};

struct StageConfig;
struct StagesOptions {
    std::vector<StageConfig> stages;  // in order
};

struct LadderOptions {
    std::size_t seats = 2;
    std::size_t seats_min = 2;
};

// What an adaptive tournament is asked.
enum class Question : std::uint8_t {
    top,          // which are the first `top`; 1: who is first
    order,        // the whole order
    better_than,  // who is stronger than one of them, and who is weaker
};

// The time to draw its rounds grows with the cube of the number of entrants.
inline constexpr std::size_t adaptive_entrants_most = 500;

struct AdaptiveOptions {
    Question question = Question::top;
    std::size_t top = 1;
    Entrant better_than = 0;         // no_entrant: it isn't in the field
    std::string better_than_name{};  // the same, for for_field(); empty: not known
    // How likely nothing that is told is wrong.
    double confidence = 0.95;
    // Two whose shares of a round robin's points are so near count as told apart in either order.
    double margin = 0.01;
    std::uint64_t matches = 0;  // at most; 0: a hundred for each entrant
    // No round is drawn any more when so much time has passed since it began; 0: as long as it
    // takes.
    std::chrono::nanoseconds time{0};
    std::uint32_t opening = 6;  // rounds of pairs drawn by lot, at first
};

// In the order of the kinds.
using FormatOptions =
    std::variant<RoundRobinOptions, SwissOptions, LeaderboardOptions, GauntletOptions,
                 KnockoutOptions, StagesOptions, LadderOptions, AdaptiveOptions>;

// What each format has, and the options of its kind.
struct FormatConfig {
    // What a match gives for each entrant that is placed behind, and for each that is level: for
    // two seats a win and a draw. Where a match's points are sums of scores, byes and tie-breaks
    // take these for a win and a draw.
    engines::Score win_points = engines::Score::whole(1);
    engines::Score draw_points = engines::Score::halves(1);
    // What the bye of somebody without opponent gives (swiss, for two seats and pods).
    engines::Score bye_points = engines::Score::whole(1);
    FormatOptions options;

    FormatKind kind() const { return static_cast<FormatKind>(options.index()); }
    // The options, where it is of that kind; else null.
    template <typename Options>
    const Options* as() const {
        return std::get_if<Options>(&options);
    }
};

// One of several formats, each of which takes the best of the one before.
struct StageConfig {
    FormatConfig format;
    std::size_t advance = 0;  // how many of the stage before play this one; 0: all
    // Tie-breaks that decide who goes on to the next stage.
    std::vector<standings::TieBreak> ranked_by{standings::usual_order_of_stage.begin(),
                                               standings::usual_order_of_stage.end()};
};

// The default options of that kind, for so many seats in a match; some kinds know their seats by
// themselves.
FormatOptions options_of(FormatKind kind, std::size_t seats = 2, std::size_t seats_min = 2);

// Entrants in a match, at most; of stages those of the first.
std::size_t seats_of(const FormatConfig& format);
// The fewest that a match can be made of.
std::size_t seats_min_of(const FormatConfig& format);
// In order; none where it isn't made of stages.
std::span<const StageConfig> stages_of(const FormatConfig& format);
// Those that everybody plays against and who are not ranked; mostly none.
const std::vector<Entrant>& fixed_opponents(const FormatConfig& format);
// The same format where this is the field: bots that it names are the entrants of their names
// there. Who isn't there is no_entrant, and no opponent. A field is known only when the tournament
// begins, and may be the best of a ladder.
FormatConfig for_field(FormatConfig format, std::span<const Entry> entries);
// The sequential test that it ends with; mostly null.
const SprtBounds* sequential_test(const FormatConfig& format);

// After so much time the schedule is told end_by_time(); 0: never.
std::chrono::nanoseconds time_of(const FormatConfig& format);

// How a format differs from others, for the code that runs a tournament of it.
struct Traits {
    bool ends = true;  // some day every match has been played
    // The field may be empty at first: everybody who comes takes part.
    bool open_field = false;
    // Schedule::offer makes a match of entrants that are here and free when it can begin. So nobody
    // is waited for before the first match, and a match that can't begin is dropped.
    bool pairs_who_is_free = false;
    // The tournament may end at any moment, but what is drawn is played: so no more is drawn than
    // can begin.
    bool may_end_any_time = false;
    // Who is admitted when it has begun, late or after a withdrawal, plays what is drawn from then
    // on.
    bool takes_late = false;
    // Who meets whom is known from the start, whatever the results are.
    bool fixed_list = false;
    // How many results can be looked at and played again; nothing: all of them.
    std::optional<std::size_t> matches_kept{};
};
Traits traits_of(const FormatConfig& format);

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

// ---- format_check.cpp ---------------------------------------------------------------------------

// All errors of a tournament of these entries, in a fixed order; none: make_schedule may be called.
std::vector<FormatError> check_format(const FormatConfig& config, std::span<const Entry> entries,
                                      const GameSeats& game);

// That round 1, or that of a later stage whoever goes on, can't be drawn because of who must not
// meet, where it is tried with these entries. Requires: check_format() has no error.
std::optional<FormatError> first_round_error(const FormatConfig& config,
                                             std::span<const Entry> entries);

// ---- format.cpp ---------------------------------------------------------------------------------

// How many rounds at most nobody meets anybody twice. Requires: entrants >= 1, seats >= 2.
std::uint32_t rounds_without_repeats(std::size_t entrants, std::size_t seats);

// Rounds of a Swiss of so many entrants; and where the config names none.
std::uint32_t rounds_of(const SwissOptions& its, std::size_t entrants);
std::uint32_t default_rounds(std::size_t entrants, std::size_t seats);

// The entrants by their numbers in tables and brackets: in order, or by lot where the format's
// options say so.
std::vector<Entrant> numbers_of(std::size_t entrants);
std::vector<Entrant> numbers_of(const FormatConfig& config, std::size_t entrants,
                                std::uint64_t seed);

// Requires: check_format has nothing to say.
std::unique_ptr<Schedule> make_schedule(const FormatConfig& config, std::vector<Entry> entries,
                                        std::uint64_t seed);

// ---- stages.cpp ---------------------------------------------------------------------------------

// One format after another: each stage takes the best of the one before, in their order, so that
// a knockout is seeded by it. Rounds and matches are counted on.
std::unique_ptr<Schedule> stages(const StagesOptions& options, std::vector<Entry> entries,
                                 std::uint64_t seed);

// ---- ladder.cpp ---------------------------------------------------------------------------------

// Matches of a ladder that can be looked at and played again; those further back are in the store,
// and in the ratings.
inline constexpr std::size_t ladder_matches_kept = 5000;
// Who has played fewer matches of a ladder, or is withdrawn, stands behind the others.
inline constexpr std::uint64_t ladder_matches_to_rank = 3;

// Two entrants each, the lower one first.
using EntrantPairs = std::set<std::pair<Entrant, Entrant>>;

// What a ladder has beside other schedules, because it pairs the entrants that are there.
class Ladder : public Schedule {
 public:
    // Called before next(): who could play now, how many are here in all, those left out for whom
    // nobody waits, who rest from each other (they sit in no match together), and whose open
    // matches wait because they are away.
    virtual void offer(std::vector<Entrant> free, std::size_t here, EntrantPairs apart,
                       const std::set<Entrant>& absent) = 0;
    // A match that was handed out is not played: it is as if it had never been drawn, but its
    // ordinal is not used again.
    virtual void drop(const Pairing& drawn) = 0;
    // Whether any match that counts for this entrant has been told.
    virtual bool has_played(Entrant entrant) const = 0;
    // Whether it has played enough to stand before those who have not.
    virtual bool ranks(Entrant entrant) const = 0;
};
// The schedule, where it is a ladder's; else null.
Ladder* ladder_of(Schedule* schedule);
const Ladder* ladder_of(const Schedule* schedule);

// A ladder has no end and no rounds. Entrants that are offered as free are matched with the closest
// in rating; those who have played least come first. Nobody meets an entrant that it rests from,
// nor one again that it met lately, while there are others here to wait for. Everybody may enter,
// leave and come back at any time. places() ranks by rating. Ratings are folded from the results in
// the order of the matches, so the order of arrival plays no part.
std::unique_ptr<Ladder> ladder(const LadderOptions& options, std::vector<Entry> entries);

// ---- format.cpp ---------------------------------------------------------------------------------

// How many rounds a tournament of so many entrants has, where its format says so beforehand: a
// Swiss, a knockout, and a round robin for two.
std::optional<std::uint32_t> planned_rounds(const FormatConfig& config, std::size_t entrants);

// The format that draws the matches now: one of the stages where there are any.
// Requires: `stage` is what the schedule of this format says.
const FormatConfig& stage_of(const FormatConfig& format, std::size_t stage);

// `seed`: the tournament's. Requires: a format that isn't made of stages.
MatchTerms terms_of(const FormatConfig& format, std::uint64_t seed);

// What a whole match is worth: won against all others, or level with all of them. Of two seats that
// is `win_points` and `draw_points`, in pods that times the number of others.
engines::Score win_of_match(const FormatConfig& format);
engines::Score draw_of_match(const FormatConfig& format);

// What tie-breaks reckon with; of stages that of the first.
standings::PointSystem points_of(const FormatConfig& format);

}  // namespace referee::formats
