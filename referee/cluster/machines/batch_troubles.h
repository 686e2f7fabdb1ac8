#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "protocol/base/text.h"
#include "referee/cluster/machines/batch_system.h"
#include "referee/net/loop/timers.h"

namespace referee::machines {

// Is told how things go, for the log.
struct Telling {
    std::function<void(const std::string& news)> news;
    std::function<void(const std::string& trouble)> warning;  // that passes by itself
    std::function<void(const std::string& trouble)> error;    // somebody has to do something
};

// What is wrong with a batch system, as far as a coordinator knows: whether it may be asked now, or
// only later, and what is told of that.
class BatchTroubles {
 public:
    // So many jobs in a row without a result are no accident: from then on one job after the other
    // tries whether things are well again.
    static constexpr std::size_t lost_in_a_row_most = 3;
    // After trouble that passes, or stays; more each time.
    static constexpr Duration retry_least = std::chrono::seconds(5);
    static constexpr Duration retry_most = std::chrono::seconds(60);
    static constexpr Duration retry_most_of_lasting = std::chrono::minutes(5);

    // The timers and what it tells outlive it.
    BatchTroubles(const loop::Timers& timers, const Telling& telling)
        : timers_(timers), telling_(telling) {}

    // In words, for people; empty: all is well.
    const std::string& text() const { return trouble_.empty() ? stuck_ : trouble_; }
    bool may_ask() const { return timers_.now() >= retry_at_; }
    Duration until_retry() const { return retry_at_ - timers_.now(); }
    // Somebody may have mended it.
    void retry_now() { retry_at_ = timers_.now(); }
    // Whether one job after the other tries if things are well.
    bool tries() const { return lost_in_a_row_ >= lost_in_a_row_most; }
    // Whoever waits for room is told when a pause is over: once.
    bool pauses() const { return pauses_; }
    bool has_paused() { return may_ask() && std::exchange(pauses_, false); }
    // A list that is answered doesn't end such a trouble.
    bool is_of_submission() const { return of_submission_; }

    // Of an answer that tells whether there is trouble. `closing`: what is well is told to nobody.
    void note(const std::optional<BatchTrouble>& trouble, bool of_submission, bool closing) {
        if (trouble) {
            of_submission_ = of_submission;
            return set(trouble->reason, trouble->passes ? retry_most : retry_most_of_lasting);
        }
        if (tries() || trouble_.empty()) return;
        if (!closing) telling_.warning("the machines can be reached again: matches go on");
        trouble_.clear();
        of_submission_ = false;
        retry_now();
        retry_after_ = Duration::zero();
    }
    // A job that will not begin by itself; told once for each reason, and nothing is cancelled:
    // whoever can do something about it may do it. `why`: the batch system's own words; empty:
    // there is none.
    void note_stuck(const std::string& job, const std::string& why) {
        stuck_ = why.empty() ? why : job + " will not begin by itself: " + why;
        if (why != std::exchange(stuck_why_, why) && !why.empty()) telling_.error(stuck_);
    }
    void note_lost() { ++lost_in_a_row_; }
    // Of those that were lost now, the last one.
    void judge_lost(const std::string& last) {
        if (last.empty() || !tries()) return;
        set(fmt::format("the last {} jobs ended without a result, and one after the other is tried "
                        "now and then: {}",
                        lost_in_a_row_, last),
            retry_most_of_lasting);
    }
    // Whoever loses jobs is not the only one: the others go on at once.
    void note_result() {
        if (std::exchange(lost_in_a_row_, 0) >= lost_in_a_row_most) retry_now();
    }

 private:
    void set(const std::string& trouble, Duration most) {
        retry_after_ =
            retry_after_ == Duration::zero() ? retry_least : std::min(most, 2 * retry_after_);
        retry_at_ = timers_.now() + retry_after_;
        pauses_ = true;
        if (trouble != trouble_) {
            const auto& tell = most == retry_most_of_lasting ? telling_.error : telling_.warning;
            tell("no match is given to other machines for now: " + trouble);
        }
        trouble_ = trouble;
    }

    const loop::Timers& timers_;
    const Telling& telling_;
    std::string trouble_;
    bool of_submission_ = false;
    std::string stuck_;
    std::string stuck_why_;
    Instant retry_at_{};
    bool pauses_ = false;
    Duration retry_after_{};
    std::size_t lost_in_a_row_ = 0;  // jobs, since a result came
};

}  // namespace referee::machines
