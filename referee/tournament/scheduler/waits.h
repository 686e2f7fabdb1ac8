#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "referee/game/clock/time.h"
#include "referee/net/loop/timers.h"

namespace referee::scheduler {

// Something that does not go on at present: what it is, for whom it waits, and until when at most.
struct Wait {
    enum class Kind : std::uint8_t {
        for_start,      // a tournament, for the order to begin, or for its start
        for_hours,      // a tournament, for the hours in which its matches begin
        for_resume,     // a paused tournament
        for_arrivals,   // a tournament's first games, for bots to connect
        for_bot,        // games that are drawn, for a bot that is away; a ladder, for its launch
        for_return,     // a game that is played, for a bot that lost its connection
        for_busy,       // games that are drawn, or a ladder, for bots that play elsewhere
        for_place,      // games that are drawn, until fewer are played at once
        for_matches,    // the next round, for the last matches of this one
        for_draw,       // the next round, which is being drawn
        for_opponents,  // a ladder, for bots to connect
        for_rest,       // a ladder, for bots that rest, or that rest from each other
        for_leaver,     // a bot of a ladder that left matches, to be matched again
        for_calm,       // a game that is set aside, for a machine on which it can be tried alone
        for_machines,   // matches, for other machines that play them
        for_disk,       // all games, until records can be written again
        for_end,        // the end of the referee, for the games that are played
    };
    Kind kind = Kind::for_start;
    std::string tournament{};         // empty: all of them
    std::string game{};               // its id, where one game waits
    std::vector<std::string> bots{};  // for which it waits
    // Of games (none where a ladder waits, which has drawn none yet), matches, bots that are here,
    // or annulments of the game, as the kind says.
    std::size_t count = 0;
    std::optional<Instant> until{};  // then it waits no longer
    std::string detail{};            // why, in a person's words; may be empty
    bool routine = false;            // it comes and goes while all is well
};

// The name of a kind, for programs: "arrivals", "bot", ...
std::string_view name_of(Wait::Kind kind);

// A sentence for people: "friday waits for ann and bob to connect, 9:41 left".
std::string describe(const Wait& waiting, Instant now);
// The same without the time that is left, which changes each second.
std::string subject_of(const Wait& waiting);
// The orders by which an instructor can end it; empty where there are none.
std::string remedy_of(const Wait& waiting);

// Until the wait is over, in whole seconds, rounded up: 0 only where nothing is left.
std::int64_t seconds_left(const Wait& waiting, Instant now);

// Whether both are the same wait. A wait for a group stays the same when other bots are in it.
bool same_wait(const Wait& one, const Wait& other);
// Those of `all` that are not among `others`.
std::vector<Wait> without(const std::vector<Wait>& all, const std::vector<Wait>& others);

// Which waits a log tells, a line each: one for a bot that comes and goes, as where it crashes
// again and again, is told the first, the tenth, the hundredth time, ...
class ToldWaits {
 public:
    // A wait begins. How it is told: describe(), of a repeated one with how often it came; empty:
    // not at all.
    std::string begins(const Wait& waiting, Instant now);
    // It is over: whether that is told, as its beginning was.
    bool ends(const Wait& waiting);

 private:
    struct Repeated {
        std::uint64_t times = 0;
        std::uint64_t told_next = 1;
        Instant last{};
        bool told = false;
    };
    // Of waits for one bot, by their tournament and the bot.
    std::map<std::tuple<Wait::Kind, std::string, std::string>, Repeated> repeated_;
};

// Tells what waits, whenever other things wait than it told last, or for other bots; at most once a
// second. On the loop's thread.
class WaitNews {
 public:
    using Look = std::function<std::vector<Wait>()>;
    using Tell = std::function<void(const std::vector<Wait>&)>;

    // The timers outlive this. `look` says what waits at present.
    WaitNews(loop::Timers& timers, Look look, Tell tell);
    ~WaitNews() { cancel(); }
    WaitNews(const WaitNews&) = delete;
    WaitNews& operator=(const WaitNews&) = delete;

    // There may be news: tells them now, or when the second is over.
    void look();
    // News that are due are not told any more.
    void cancel();

 private:
    loop::Timers& timers_;
    Look present_;
    Tell tell_;
    loop::Timers::Id timer_ = 0;
    std::optional<Instant> looked_at_;
    std::vector<Wait> told_;
};

}  // namespace referee::scheduler
