#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "referee/game/clock/time.h"

namespace referee {

// How long a line and its answer are under way together: at least `least`, and at most `most` as
// far as is plausible; on average `mean_excess` longer than the least. Never least > most, nor
// least + mean_excess > most; all are zero where nothing is known.
struct Path {
    Duration least{};
    Duration most{};
    Duration mean_excess{};

    Duration mean() const { return least + mean_excess; }

    static constexpr Path exact(Duration round_trip) { return {round_trip, round_trip}; }
    bool operator==(const Path&) const = default;
};

// When something happened, as far as it can be known: not before `earliest`, not after `latest`.
struct Stamp {
    Instant earliest{};
    Instant latest{};

    static constexpr Stamp exact(Instant at) { return {at, at}; }
    constexpr Duration width() const { return latest - earliest; }
    bool operator==(const Stamp&) const = default;
};

}  // namespace referee

namespace referee::clock {

// The most that jitter can add to a path: 20 ms (10 ms each way) and a margin of 5 ms. The clock
// believes a share of the budget at most.
inline constexpr Duration spread_max = std::chrono::milliseconds(25);
// A round trip that is longer than the least by this is no sample of the way: the peer's kernel
// delayed its acknowledgement. Linux does so for 40 ms, counted in ticks of up to 10 ms; others for
// longer.
inline constexpr Duration delayed_ack_min = std::chrono::milliseconds(30);
// Older samples are forgotten. Between two games of a bot less time passes, mostly.
inline constexpr Duration sample_age_max = std::chrono::seconds(30);

// What a bot has shown from one address of the time that a line and its answer are under way:
// arithmetic only. It outlives the bot's connections.
//
// The least counts since the bot came first, and never rises. The kernel's own is that of the last
// minutes: a peer that delays everything from some moment on would raise it.
//
// The most is the least and 1.25 times the excess over it. The excess is the second largest among
// the last samples, because one packet that was held up tells nothing of the next turn; while
// samples are few, the largest. A simulation of ways with 10 ms of even jitter each chose this: an
// answer that was 1 ms in time was late in 0.03% of turns; with the largest of 32 alone in 1.1%,
// with their 90th percentile in 10%.
//
// A new bot has shown nothing yet, and must not lose its first turns for that. So the
// excess begins as spread_max. The first lines that might tell more leave it so, the next ones
// take it away bit by bit: whether they tell or not, since a bot can keep its acknowledgements back
// until it answers. With 10 ms of jitter an answer in the first 32 turns was late though 1 ms in
// time in 0.2% of turns, and in 5.5% without this.
//
// A bot can make its way look longer: its kernel acknowledges when the bot reads, if not before,
// and a bot may read late on purpose. Where of sixteen samples or more not one came within half of
// the excess, all were held back, and none counts: a way that shakes has short round trips too. Who
// holds back some of them looks like a way that shakes; what that is good for, the clock bounds.
class PathHistory {
 public:
    static constexpr std::size_t samples_kept = 32;
    static constexpr std::size_t samples_few = 16;

    // The kernel has measured a round trip as short as this.
    void saw_least(Duration round_trip);
    // One round trip of the way: a line and its acknowledgement, which was sent at once and not
    // together with an answer.
    void saw(Duration round_trip, Instant at);
    // One that took so long or longer: nobody knows how much.
    void saw_more_than(Duration round_trip, Instant at);
    // A line was sent whose acknowledgement may become a sample.
    void asked();
    // Where there are no samples to be had: what the kernel says of the deviation.
    void saw_deviation(Duration deviation);
    // Samples that are older tell nothing any more.
    void forget_before(Instant at);
    // What a later connection of the same bot has shown so far.
    void join(const PathHistory& later);

    const Path& path() const { return path_; }

 private:
    struct Sample {
        Instant at{};
        Duration round_trip{};
    };
    // The smallest excess over the least, and the one that counts. Requires a sample.
    std::pair<Duration, Duration> seen() const;
    // What may still be unknown of it.
    Duration unknown() const;
    Duration mean_excess() const;
    void reckon();

    std::optional<Duration> least_;
    std::vector<Sample> samples_;
    std::size_t asked_ = 0;
    Duration deviation_{};
    Path path_{};
};

}  // namespace referee::clock
