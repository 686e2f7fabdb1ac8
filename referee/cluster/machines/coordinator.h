#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "referee/cluster/machines/batch_system.h"
#include "referee/cluster/machines/coordinator_folder.h"
#include "referee/cluster/machines/job_size.h"
#include "referee/cluster/machines/job_worker.h"
#include "referee/net/loop/background.h"
#include "referee/net/loop/earliest_look.h"
#include "referee/net/loop/life.h"
#include "referee/net/loop/timers.h"
#include "referee/tournament/scheduler/executor.h"

namespace referee::machines {

// A list may be wrong, or older than what is known meanwhile: two in a row are believed.
inline constexpr unsigned lists_until_believed = 2;
// A batch system may believe for hours that a job goes on whose node has forgotten it. What has not
// shown life in so many looks, each as far from the last as lives are shown, is dead.
inline constexpr unsigned looks_until_dead = 10;

// How often a coordinator asks, and how long it waits.
namespace pace {
// Results are looked for this often while some come, and less and less often while none does.
inline constexpr Duration look_least = std::chrono::milliseconds(200);
inline constexpr Duration look_most = std::chrono::seconds(5);
// The same of lists, which only tell what was lost.
inline constexpr Duration list_least = std::chrono::seconds(2);
inline constexpr Duration list_most = std::chrono::seconds(60);
// A job that is in no list may have a result all the same, which a shared file system doesn't
// show yet.
inline constexpr Duration missing_believed_after = std::chrono::seconds(15);
// What comes meanwhile goes into the same jobs.
inline constexpr Duration gather = std::chrono::milliseconds(100);
// A job that was lost or isn't wanted may bring its result late: it is kept for so long, and
// looked at this often.
inline constexpr Duration late = std::chrono::hours(1);
inline constexpr Duration look_for_late = std::chrono::seconds(20);
}  // namespace pace

// Makes jobs of matches, gives them to a batch system, and brings their results. Each match that it
// took is out or waits until the scheduler is told how it ended; what is out stands in the folder,
// so the next coordinator goes on with it. On the loop's thread; all that may wait for files or
// commands is done beside it. What reports of that come to stands in coordinator_reports.cpp.
class Coordinator final : public scheduler::Executor {
 public:
    // The batch system, the timers and the background outlive it; the last piece that it gave to
    // the background may even end later. Waits for the folder: it reads the jobs in it.
    Coordinator(std::shared_ptr<const JobTerms> terms, CoordinatorFolder folder, BatchSystem& batch,
                loop::Timers& timers, loop::Background& background, Telling telling);

    // A config that was read again: jobs are as it says from now on. Those that ask for more time
    // than they may and wait are written anew; what was in trouble is tried at once.
    void change(std::shared_ptr<const JobTerms> terms);
    // Cancels what nobody wants, and leaves the folder if nothing else is in it: what was not
    // forgotten is for the next coordinator. Then calls `on_closed`, never from inside.
    void close(std::function<void()> on_closed);

    void serve(Client* client) override { client_ = client; }
    bool takes(const std::string& tournament, const std::string& bot) const override;
    std::size_t room() const override;
    std::string trouble() const override { return troubles_.text(); }
    void play(scheduler::MatchTask task) override;
    bool holds(const GameKey& task) const override { return match_tasks_.contains(task); }
    bool is_out(const GameKey& task) const override;
    void forget(const GameKey& task) override;

    // As an instructor sees it.
    struct Standing {
        std::size_t waiting = 0;  // matches that are in no job yet
        std::size_t jobs = 0;     // that are out
        std::size_t begun = 0;    // of these, as far as the batch system says
        // Of those that have not begun: how many wait for what, in the batch system's words.
        std::map<std::string, std::size_t> because;
    };
    Standing standing() const;

 private:
    enum class State : std::uint8_t {
        written,   // to be submitted, for the first time or again
        doubtful,  // a submission failed: the next list tells whether it is out
        out,
        over,  // its result is here
    };
    struct Job {
        bool is_given() const { return state == State::out || state == State::doubtful; }

        State state = State::written;
        std::set<GameKey> match_tasks;  // of which no end was told
        std::chrono::seconds time_max{0};
        SeenJob seen;  // as the batch system told it last
        std::optional<std::int64_t> last_life;
        unsigned looks_without_life = 0;
        Instant looked_for_life{};
        unsigned missing = 0;  // in so many lists
        Instant missing_since{};
        bool is_late = false;       // its result doesn't count
        bool is_inherited = false;  // of an earlier coordinator, which may have died before it
                                    // could submit it
    };
    using Jobs = std::map<std::uint64_t, Job>;

    void wake(Duration in) { looks_.wake_by(timers_.now() + in); }
    void go();
    void lose_too_long();
    JobWork plan();
    void plan_jobs(JobWork& work);
    void plan_lists(JobWork& work);
    void plan_ends(JobWork& work);
    void take(const JobWork& work, JobReport report);
    void take_submissions(const JobWork& work, const JobReport& report);
    void take_list(const JobReport& report);
    void note_stuck(const std::vector<SeenJob>& seen);
    void note_unknown(const std::vector<SeenJob>& seen);
    void take_result(FoundResult& brought);
    void lose_gone(const JobReport& report);
    bool is_dead(Job& job, const std::optional<std::int64_t>& last_life) const;
    void lose(std::uint64_t number, const std::string& why);
    std::size_t jobs_that_are(std::initializer_list<State> states) const;
    std::size_t jobs_given() const { return jobs_that_are({State::out, State::doubtful}); }
    std::size_t places_most() const;
    // For jobs that could be given now.
    std::size_t places() const { return places_most() - std::min(places_most(), jobs_given()); }
    bool holds_anything() const {
        return !waiting_.empty() || !jobs_.empty() || !cancelled_.empty();
    }
    void end_closing();
    std::chrono::seconds time_of(const GameKey& task) const;

    std::shared_ptr<const JobTerms> terms_;
    // Of each tournament that can be played elsewhere.
    std::map<std::string, std::chrono::seconds, std::less<>> match_times_;
    std::chrono::seconds time_cap_{0};         // of a job
    std::set<std::string, std::less<>> bots_;  // that can be launched elsewhere
    std::shared_ptr<JobWorker> worker_;
    loop::Timers& timers_;
    loop::Background& background_;
    Telling telling_;
    BatchTroubles troubles_{timers_, telling_};
    Client* client_ = nullptr;
    Batching batching_;
    Jobs jobs_;
    // Those that were cancelled, lost ones too, and since when: a result would come late.
    std::map<std::uint64_t, Instant> cancelled_;
    // Jobs that are over and in so many lists since.
    std::map<std::uint64_t, unsigned> unknown_;
    // Of each task that is held its job; 0: it is in none yet.
    std::map<GameKey, std::uint64_t> match_tasks_;
    std::deque<scheduler::MatchTask> waiting_;
    std::uint64_t next_number_;
    bool busy_ = false;  // the worker thread is
    loop::EarliestLook looks_{timers_, [this] { go(); }};
    Instant next_look_{};
    Instant next_list_{};
    Instant next_look_for_late_{};
    Instant next_look_for_lives_{};
    Duration look_every_ = pace::look_least;
    Duration list_every_ = pace::list_least;
    bool closing_ = false;
    bool left_ = false;  // the folder
    std::function<void()> on_closed_;
    loop::Life life_;
};

}  // namespace referee::machines
