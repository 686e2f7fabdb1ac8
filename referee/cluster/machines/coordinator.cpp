#include "referee/cluster/machines/coordinator.h"

#include "protocol/base/find.h"

// What a coordinator is asked, and what it plans. coordinator_reports.cpp: what comes of it.

namespace referee::machines {
namespace {

// How much rarer each question is than the one before, while nothing happens.
constexpr double rarer = 1.5;

Duration rarer_than(Duration every, Duration most) {
    return std::min(most, std::chrono::duration_cast<Duration>(every * rarer));
}

}  // namespace

Coordinator::Coordinator(std::shared_ptr<const JobTerms> terms, CoordinatorFolder folder,
                         BatchSystem& batch, loop::Timers& timers, loop::Background& background,
                         Telling telling)
    : timers_(timers),
      background_(background),
      telling_(std::move(telling)),
      batching_(terms->config.machines->cores),
      next_number_(folder.first_free()) {
    change(std::move(terms));
    for (const auto& leftover : folder.leftover_jobs(terms_->version)) {
        if (leftover.is_cancelled) {
            cancelled_.emplace(leftover.number, timers_.now());
            continue;
        }
        auto& job = jobs_[leftover.number];
        job.state = State::out;
        job.is_inherited = true;
        job.is_late = !leftover.trouble.empty();
        if (job.is_late) {
            telling_.warning(
                "the job of an earlier coordinator isn't taken up, and its matches "
                "are played anew: " +
                leftover.trouble);
            continue;
        }
        job.time_max = time_beside_games;
        for (const auto& key : leftover.match_tasks) {
            job.time_max = std::min(job.time_max + time_of(key), time_cap_);
            match_tasks_[key] = leftover.number;
            job.match_tasks.insert(key);
        }
    }
    worker_ = std::make_shared<JobWorker>(std::move(folder), batch);
}

void Coordinator::change(std::shared_ptr<const JobTerms> terms) {
    terms_ = std::move(terms);
    match_times_ = match_times(terms_->config);
    time_cap_ = job_time_cap(*terms_->config.machines);
    bots_.clear();
    for (const auto& bot : terms_->config.bots) {
        if (bot.launched()) bots_.insert(bot.name);
    }
    troubles_.retry_now();
    next_list_ = timers_.now();
    wake(Duration::zero());
}

bool Coordinator::takes(const std::string& tournament, const std::string& bot) const {
    return match_times_.contains(tournament) && bots_.contains(bot);
}

// As many as the jobs hold that can begin now, and those of one more, so that the next one needn't
// be waited for: whatever waits when this process is killed is begun anew by the next one.
std::size_t Coordinator::room() const {
    if (!troubles_.may_ask() || closing_) return 0;
    const bool tries = troubles_.tries();
    const auto most =
        tries ? terms_->config.machines->cores : (places() + 1) * batching_.matches_most();
    return most - std::min(most, tries ? match_tasks_.size() : waiting_.size());
}

void Coordinator::play(scheduler::MatchTask task) {
    match_tasks_[task.key()] = 0;
    waiting_.push_back(std::move(task));
    wake(pace::gather);
}

// What an earlier coordinator wrote it may have submitted, too.
bool Coordinator::is_out(const GameKey& task) const {
    const auto* held = base::find_in(match_tasks_, task);
    const auto* job = held == nullptr ? nullptr : base::find_in(jobs_, *held);
    return job != nullptr && (job->state != State::written || job->is_inherited);
}

void Coordinator::forget(const GameKey& task) {
    const auto found = match_tasks_.find(task);
    if (found == match_tasks_.end()) return;
    const auto number = found->second;
    match_tasks_.erase(found);
    if (number == 0) {
        std::erase_if(waiting_, [&](const auto& one) { return one.key() == task; });
    } else if (auto* job = base::find_in(jobs_, number)) {
        job->match_tasks.erase(task);
    }
    wake(pace::gather);
}

Coordinator::Standing Coordinator::standing() const {
    Standing standing{waiting_.size(), jobs_.size() - jobs_that_are({State::over}), 0, {}};
    for (const auto& [number, job] : jobs_) {
        if (job.state != State::out) continue;
        standing.begun += job.seen.begun ? 1 : 0;
        const auto& because = job.seen.because;
        if (!job.seen.begun && !because.empty()) ++standing.because[because];
    }
    return standing;
}

std::size_t Coordinator::jobs_that_are(std::initializer_list<State> states) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        jobs_, [&](const auto& job) { return base::contains(states, job.second.state); }));
}

std::size_t Coordinator::places_most() const {
    return troubles_.tries() ? 1 : terms_->config.machines->jobs_at_once;
}

std::chrono::seconds Coordinator::time_of(const GameKey& task) const {
    const auto* time = base::find_in(match_times_, task.tournament);
    return time == nullptr ? job_time_most : *time;
}

void Coordinator::go() {
    if (busy_) return;
    lose_too_long();
    if (troubles_.has_paused() && client_ != nullptr && !closing_) client_->look();
    auto work = std::make_shared<JobWork>(plan());
    if (work->empty()) {
        if (closing_) return end_closing();
        if (holds_anything()) wake(look_every_);
        if (troubles_.pauses()) wake(troubles_.until_retry());
        return;
    }
    busy_ = true;
    const auto report = std::make_shared<JobReport>();
    background_.run([worker = worker_, work, report] { *report = worker->carry_out(*work); },
                    life_.while_it_lasts([this, work, report] {
                        busy_ = false;
                        take(*work, std::move(*report));
                    }));
}

// The config may have been read again since.
void Coordinator::lose_too_long() {
    for (const auto& [number, job] : jobs_) {
        if (!job.seen.begun && job.state != State::over && job.time_max > time_cap_)
            lose(number, "its job asked for more time than \"time_max\" says now");
    }
}

JobWork Coordinator::plan() {
    JobWork work;
    work.terms = terms_;
    const auto now = timers_.now();
    // What an earlier coordinator left may have its result, and that may count.
    const bool takes_over = next_look_ == Instant{} && !jobs_.empty();
    if (closing_ && !takes_over) {
        plan_ends(work);
        work.leave = !holds_anything() && !std::exchange(left_, true);
        return work;
    }
    // A submission in trouble may take its command's time: what is there is taken before it.
    const bool looks_first = troubles_.is_of_submission() && now >= next_look_ && jobs_given() > 0;
    if (troubles_.may_ask() && !looks_first && !closing_) {
        if (!takes_over) plan_ends(work);
        plan_jobs(work);
        plan_lists(work);
    }
    if (now >= next_look_ || work.list) {
        for (const auto& [number, job] : jobs_) {
            if (job.is_given()) work.look.push_back(number);
        }
        next_look_ = now + look_every_;
        look_every_ = rarer_than(look_every_, pace::look_most);
    }
    return work;
}

// What nobody wants any more is cancelled; what is over goes.
void Coordinator::plan_ends(JobWork& work) {
    const auto now = timers_.now();
    for (const auto& [number, job] : jobs_) {
        if (!job.match_tasks.empty()) continue;
        if (job.is_given()) {
            work.cancel.push_back(number);
        } else {
            work.ended.push_back({number, job.is_late});
        }
    }
    if (closing_ || now >= next_look_for_late_) {
        for (const auto& [number, since] : cancelled_) {
            const bool is_awaited = !closing_ && now - since < pace::late;
            work.ended.push_back({number, true, is_awaited});
        }
        next_look_for_late_ = now + pace::look_for_late;
    }
    for (auto& [number, lists] : unknown_) {
        if (lists < lists_until_believed) continue;
        work.cancel.push_back(number);
        lists = 0;
    }
}

// Those that are to be given again go before new ones.
void Coordinator::plan_jobs(JobWork& work) {
    auto places = this->places();
    // With room left the scheduler has no more.
    const bool are_last = room() > 0;
    for (const auto& [number, job] : jobs_) {
        if (job.state != State::written || job.match_tasks.empty() || places == 0) continue;
        work.submit.push_back({number, job.time_max, {}});
        --places;
    }
    for (; places > 0 && !waiting_.empty(); --places) {
        NewJob job{next_number_++, time_beside_games, {}};
        auto& known = jobs_[job.number];
        const auto shared_by = are_last ? places_most() : places;
        for (auto left = batching_.next(waiting_, places, shared_by); left > 0; --left) {
            const auto with_next = job.time_max + time_of(waiting_.front().key());
            if (with_next > time_cap_ && !job.match_tasks.empty()) break;
            job.time_max = std::min(with_next, time_cap_);
            auto task = std::move(waiting_.front());
            waiting_.pop_front();
            match_tasks_[task.key()] = job.number;
            known.match_tasks.insert(task.key());
            job.match_tasks.push_back(std::move(task));
        }
        known.time_max = job.time_max;
        work.write.push_back(std::move(job));
    }
}

void Coordinator::plan_lists(JobWork& work) {
    const auto now = timers_.now();
    if (jobs_that_are({State::doubtful}) == 0 && (jobs_given() == 0 || now < next_list_)) return;
    work.list = true;
    work.lives = now >= next_look_for_lives_;
    if (work.lives) next_look_for_lives_ = now + jobs::show_life_every;
    list_every_ = rarer_than(list_every_, pace::list_most);
    next_list_ = now + list_every_;
}

void Coordinator::close(std::function<void()> on_closed) {
    closing_ = true;
    on_closed_ = std::move(on_closed);
    // What an earlier coordinator left and nobody asked for is over too: a match of it may be
    // recorded, and its tournament be at its end.
    for (auto& [number, job] : jobs_) job.match_tasks.clear();
    match_tasks_.clear();
    waiting_.clear();
    wake(Duration::zero());
}

}  // namespace referee::machines
