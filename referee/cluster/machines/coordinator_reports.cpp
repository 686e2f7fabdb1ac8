#include <algorithm>
#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/cluster/machines/coordinator.h"

// What comes of what a coordinator asked for.

namespace referee::machines {
namespace {

std::string named(std::uint64_t number) {
    return "job " + number_text(number);
}

}  // namespace

void Coordinator::take(const JobWork& work, JobReport report) {
    take_submissions(work, report);
    for (const auto number : report.ended) {
        jobs_.erase(number);
        cancelled_.erase(number);
    }
    for (const auto number : report.late)
        telling_.news("the result of " + named(number) +
                      " came late and doesn't count; it is kept in " +
                      worker_->folder().late_file(number));
    for (const auto number : report.cancelled ? work.cancel : std::vector<std::uint64_t>()) {
        // Else it was over before.
        if (jobs_.erase(number) > 0) cancelled_.emplace(number, timers_.now());
    }
    // Who only looked knows nothing of the batch system, and whoever only asked for a list nothing
    // of why jobs weren't taken, as long as there are some to be given.
    const bool submitted = !work.write.empty() || !work.submit.empty();
    const bool asked = submitted || !work.cancel.empty() || work.list;
    const bool tells = troubles_.is_of_submission()
                           ? submitted || (waiting_.empty() &&
                                           jobs_that_are({State::written, State::doubtful}) == 0)
                           : asked;
    if (report.trouble || tells) troubles_.note(report.trouble, report.submission_failed, closing_);
    // A job whose result is here isn't missing in a list.
    for (auto& brought : report.brought) take_result(brought);
    take_list(report);
    lose_gone(report);
    if (!report.brought.empty()) {
        look_every_ = pace::look_least;
        next_look_ = timers_.now();
    }
    // One try: who closes doesn't wait for what is in trouble.
    if (closing_ && report.trouble) return end_closing();
    if (client_ != nullptr && !closing_) client_->look();
    // What was asked for meanwhile doesn't wait for the next look.
    wake(closing_ ? Duration::zero() : std::min(pace::gather, look_every_));
}

void Coordinator::take_submissions(const JobWork& work, const JobReport& report) {
    const bool none_out = jobs_that_are({State::out}) == 0;
    const auto submitted = [&](std::uint64_t number) {
        auto& job = jobs_.at(number);
        if (report.submitted.contains(number)) {
            job.state = State::out;
        } else if (report.submission_failed) {
            job.state = State::doubtful;
        }
    };
    for (const auto& again : work.submit) submitted(again.number);
    // The first that wait stay the first.
    for (auto written = work.write.rbegin(); written != work.write.rend(); ++written) {
        if (report.written.contains(written->number)) {
            submitted(written->number);
            continue;
        }
        const auto& match_tasks = written->match_tasks;
        for (auto task = match_tasks.rbegin(); task != match_tasks.rend(); ++task) {
            const auto held = match_tasks_.find(task->key());
            if (held == match_tasks_.end()) continue;  // forgotten meanwhile
            held->second = 0;
            waiting_.push_front(*task);
        }
        jobs_.erase(written->number);
    }
    if (report.submitted.empty()) return;
    look_every_ = pace::look_least;
    next_look_ = timers_.now() + look_every_;
    // Where others are out that may be lost, their list comes when it is due.
    if (none_out) next_list_ = std::max(next_list_, timers_.now() + pace::list_least);
}

// The list was made behind the submissions of the same report.
void Coordinator::take_list(const JobReport& report) {
    if (!report.seen) return;
    const auto now = timers_.now();
    std::map<std::uint64_t, SeenJob> all;
    for (const auto& job : *report.seen) all[job.number] = job;
    for (auto& [number, job] : jobs_) {
        const auto* seen = base::find_in(all, number);
        if (job.state == State::doubtful) job.state = seen == nullptr ? State::written : State::out;
        if (job.state != State::out) continue;
        if (seen != nullptr) {
            job.seen = *seen;
            job.missing = 0;
        } else if (job.missing++ == 0) {
            job.missing_since = now;
        }
        if (job.missing > 0) list_every_ = pace::list_least;
    }
    note_stuck(*report.seen);
    note_unknown(*report.seen);
    next_list_ = now + list_every_;
    // Whether these are still there then, and keep cores.
    if (!unknown_.empty()) next_list_ = std::min(next_list_, now + pace::missing_believed_after);
}

void Coordinator::note_stuck(const std::vector<SeenJob>& seen) {
    const auto first = std::ranges::find_if(seen, [this](const auto& one) {
        const auto* job = base::find_in(jobs_, one.number);
        return one.stuck && job != nullptr && job->state == State::out;
    });
    if (first == seen.end()) return troubles_.note_stuck({}, {});
    troubles_.note_stuck(named(first->number), first->because);
}

// What is over here and nowhere else: a batch system that was restarted may believe that it goes
// on, and keep its cores for it. One list may be older than the job's end.
void Coordinator::note_unknown(const std::vector<SeenJob>& seen) {
    const auto before = std::exchange(unknown_, {});
    for (const auto& one : seen) {
        if (jobs_.contains(one.number) || cancelled_.contains(one.number)) continue;
        const auto* lists = base::find_in(before, one.number);
        unknown_[one.number] = 1 + (lists == nullptr ? 0 : *lists);
    }
}

void Coordinator::take_result(FoundResult& brought) {
    auto* const found = base::find_in(jobs_, brought.number);
    if (found == nullptr) return;  // cancelled just now: the next look finds it late
    auto& job = *found;
    job.state = State::over;
    if (!brought.refusal.empty()) {
        job.is_late = true;
        telling_.error("the result of " + named(brought.number) +
                       " isn't taken: " + brought.refusal);
        return lose(brought.number, brought.refusal);
    }
    troubles_.note_result();
    std::vector<std::string> tournaments;
    for (const auto& match : brought.matches) tournaments.push_back(match.task.tournament);
    batching_.learn(tournaments, brought.took);
    for (auto& match : brought.matches) {
        const auto verdict = client_ == nullptr
                                 ? Verdict::unexpected
                                 : client_->bring(match.task, std::move(match.games));
        job.is_late = job.is_late || verdict == Verdict::unexpected || verdict == Verdict::unfit;
        if (verdict == Verdict::unexpected || verdict == Verdict::known) forget(match.task);
    }
}

// Looks are counted, not time: where all stood still for hours, as when a computer sleeps, that is
// one look. What never showed any life is as dead as what stopped: a node may lose a job before it
// begins it.
bool Coordinator::is_dead(Job& job, const std::optional<std::int64_t>& last_life) const {
    const auto now = timers_.now();
    if (!job.seen.begun || job.seen.held || last_life != job.last_life) {
        job.last_life = last_life;
        job.looks_without_life = 0;
        job.looked_for_life = now;
    } else if (now - job.looked_for_life >= jobs::show_life_every) {
        ++job.looks_without_life;
        job.looked_for_life = now;
    }
    return job.looks_without_life >= looks_until_dead;
}

void Coordinator::lose_gone(const JobReport& report) {
    std::string last;
    for (const auto& [number, files] : report.without) {
        auto* const found = base::find_in(jobs_, number);
        if (found == nullptr || found->state != State::out || found->match_tasks.empty()) continue;
        auto& job = *found;
        const bool dead = is_dead(job, files.last_life);
        const bool is_missing = job.missing >= lists_until_believed &&
                                timers_.now() - job.missing_since >= pace::missing_believed_after;
        // Whoever is in doubt looks as often as lives are shown.
        if (job.looks_without_life > 0)
            next_list_ = std::min(next_list_, timers_.now() + jobs::show_life_every);
        if (!dead && !is_missing) continue;
        const auto machine = files.machine.empty() ? job.seen.machine : files.machine;
        const auto on_machine = machine.empty() ? "" : " on " + machine;
        if (!job.is_inherited) troubles_.note_lost();
        if (!job.seen.begun && !files.last_words) {
            last = named(number) +
                   " is gone and has no log: it never began, or its machine doesn't see its "
                   "folder or can't write there; mount it at the same path on each";
            telling_.warning(last + "; it is submitted again");
            // Nothing of it was played, so its games stay those that they are. Where it is still
            // somewhere in the batch system, two may play it, and one result stands.
            job.state = State::written;
            job.missing = 0;
            continue;
        }
        // It is cancelled all the same: a list may be wrong.
        job.is_late = true;
        last = named(number) +
               (dead ? " shows no life any more, though it is said to be played" + on_machine
                     : on_machine + " is over without a result") +
               (files.last_words.value_or("").empty() ? "" : "; it said: " + *files.last_words);
        telling_.warning(last + (dead ? "; it is cancelled, and its" : "; its") +
                         " matches are played anew");
        lose(number, last);
    }
    troubles_.judge_lost(last);
}

void Coordinator::lose(std::uint64_t number, const std::string& why) {
    const auto match_tasks = std::exchange(jobs_.at(number).match_tasks, {});
    for (const auto& key : match_tasks) match_tasks_.erase(key);
    for (const auto& key : match_tasks) {
        if (client_ != nullptr) client_->lose(key, why);
    }
}

void Coordinator::end_closing() {
    if (!on_closed_) return;
    if (holds_anything())
        telling_.news(fmt::format("{} jobs are left in {} for the next referee of this store",
                                  jobs_.size() + cancelled_.size(), worker_->folder().path()));
    std::exchange(on_closed_, nullptr)();
}

}  // namespace referee::machines
