#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/base/result.h"
#include "referee/config/config.h"
#include "referee/game/clock/time.h"
#include "referee/net/loop/timers.h"

namespace referee::machines {

// What the jobs of one submission have in common.
struct BatchNeeds {
    std::size_t cores = 1;             // that a job keeps busy: so many bots think at once
    std::chrono::seconds time_max{0};  // after which a job may be killed: it hangs
};

// A job that the batch system knows: it waits there, or is played.
struct SeenJob {
    std::uint64_t number = 0;
    std::string id;         // the batch system's own
    bool begun = false;     // else it waits
    std::string machine;    // where it is played; empty where nobody says
    std::string because{};  // why it waits, in the batch system's own words; may be empty
    bool stuck = false;  // it waits for what doesn't come by itself: somebody has to do something
    bool held = false;   // it has begun and was suspended: it may show no life
};

// What a batch system answers instead.
struct BatchTrouble {
    // False: it will say the same of this request tomorrow (no such partition, no such program).
    // True: it may be otherwise in a while (nobody answers, the queue is full).
    bool passes = true;
    std::string reason;  // what happened, and what to do, for the instructor
};

// Where jobs wait and are played: Slurm, or anything that three commands of the instructor's reach.
// A job goes by its number in the folder of the coordinator's jobs, which no other has.
// It may lose jobs, play them twice or say nothing for hours: so nothing follows from what it says
// but patience, and only a job's result counts. Its calls may take as long as a command takes, so
// none is made on the loop's thread, and one at a time.
class BatchSystem {
 public:
    template <typename T>
    using Answer = base::Result<T, BatchTrouble>;

    virtual ~BatchSystem() = default;
    // Gives it jobs. On trouble some may have been taken all the same: list() tells.
    virtual Answer<void> submit(const std::vector<std::uint64_t>& numbers,
                                const BatchNeeds& needs) = 0;
    // All jobs of this coordinator's folder that it knows. One that was submitted and is not there
    // is over, however it ended.
    virtual Answer<std::vector<SeenJob>> list() = 0;
    // It shall forget the jobs with these numbers, whether they wait or are played. Those that it
    // doesn't know are no trouble.
    virtual Answer<void> cancel(const std::vector<std::uint64_t>& numbers) = 0;
    // Tries whether jobs could be submitted that need that; submits nothing. Tells what may be
    // wrong all the same; empty: nothing known.
    virtual Answer<std::string> check(const BatchNeeds& needs) = 0;
};

// What the config names: Slurm (slurm.h), or three commands of the instructor's;
// configs/MACHINES.md tells what each is given and what it answers. `id`: of this coordinator and
// of no other. `referee`: the program that plays jobs, an absolute path that holds on all machines.
// Nothing is asked of it yet.
std::unique_ptr<BatchSystem> batch_of(const config::MachinesConfig& config, const std::string& id,
                                      const std::string& referee);

// Whether a coordinator could work from here with the machines that the config names, and give them
// its matches; nothing is submitted, or left in the folder. As BatchSystem::check tells it.
BatchSystem::Answer<std::string> try_machines(const config::Config& config);

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
    void note(const std::optional<BatchTrouble>& trouble, bool of_submission, bool closing);
    // A job that will not begin by itself; told once for each reason, and nothing is cancelled:
    // whoever can do something about it may do it. `why`: the batch system's own words; empty:
    // there is none.
    void note_stuck(const std::string& job, const std::string& why);
    void note_lost() { ++lost_in_a_row_; }
    // Of those that were lost now, the last one.
    void judge_lost(const std::string& last);
    // Whoever loses jobs is not the only one: the others go on at once.
    void note_result() {
        if (std::exchange(lost_in_a_row_, 0) >= lost_in_a_row_most) retry_now();
    }

 private:
    void set(const std::string& trouble, Duration most);

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
