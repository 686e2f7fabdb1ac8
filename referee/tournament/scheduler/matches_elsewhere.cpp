#include "referee/tournament/scheduler/matches_elsewhere.h"

#include <algorithm>
#include <utility>

#include "referee/contest/formats/format.h"

namespace referee::scheduler {
namespace {

// Whether the games are those of the task, from the first on.
bool fits(const MatchTask& task, const std::vector<records::GameRecord>& games) {
    if (games.empty() || games.size() > task.games.size()) return false;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const auto& asked = task.games[i];
        const auto& result = games[i].result;
        const bool same =
            result.key == asked.key && result.seed == asked.seed && result.bots == asked.bots;
        const bool goes_on = counts(result.status) || i + 1 == games.size();
        if (!same || !goes_on) return false;
    }
    return true;
}

}  // namespace

MatchesElsewhere::MatchesElsewhere(Executor* executor, const BotSupply& supply,
                                   contests::ContestJournal& records, const Notices& notices,
                                   std::function<bool(const GameKey&)> is_recorded,
                                   std::function<void()> go_on)
    : executor_(executor),
      supply_(supply),
      records_(records),
      notices_(notices),
      is_recorded_(std::move(is_recorded)),
      go_on_(std::move(go_on)) {
    if (executor_ != nullptr) executor_->serve(this);
}

MatchesElsewhere::~MatchesElsewhere() {
    if (executor_ != nullptr) executor_->serve(nullptr);
}

MatchTask MatchesElsewhere::task_of(const ScheduledContest& scheduled,
                                    const contests::GamePlan& first) {
    const auto& contest = *scheduled.contest;
    MatchTask task;
    auto plans = contest.matches().behind(first);
    plans.insert(plans.begin(), first);
    for (const auto& plan : plans) {
        auto& game = task.games.emplace_back(MatchTask::Game{plan.key, plan.setup, plan.seed, {}});
        for (const auto entrant : plan.entrants) game.bots.push_back(contest.name(entrant));
    }
    task.games_max = first.games_max;
    const auto& terms = contest.matches().terms(first.key.match);
    task.one_goes_on = terms.one_goes_on;
    task.extra_games = terms.extra_games;
    return task;
}

// All of its bots are launched, wherever that is. Who is withdrawn forfeits, and for that nobody
// has to go anywhere.
bool MatchesElsewhere::is_for_it(ScheduledContest& scheduled, const contests::GamePlan& plan) {
    const auto& takes = taken_of(scheduled).bots;
    if (takes.empty() || scheduled.aside.has(plan)) return false;
    return std::ranges::all_of(plan.entrants, [&](const auto entrant) {
        return takes[entrant] && !scheduled.contest->plays_no_more(entrant, plan.round);
    });
}

bool MatchesElsewhere::are_all_for_it(ScheduledContest& scheduled) {
    return taken_of(scheduled).all && scheduled.contest->all_withdrawn().empty() &&
           scheduled.contest->matches().aside().empty();
}

std::set<const lobby::Bot*> MatchesElsewhere::bots_wanted_here(const ScheduledContests& contests) {
    std::set<const lobby::Bot*> wanted;
    for (const auto& scheduled : contests) {
        const auto& contest = *scheduled->contest;
        if (scheduled->ladder.pairs_who_is_free() || scheduled->drawing_in_background ||
            scheduled->timetable.closed || contest.state() != records::TournamentState::running)
            continue;
        for (const auto& plan : contest.waiting()) {
            const bool may_begin = !scheduled->aside.has(plan) && !is_for_it(*scheduled, plan) &&
                                   std::ranges::all_of(plan.entrants, [&](const auto entrant) {
                                       return scheduled->field.is_here(entrant) ||
                                              supply_.launches(scheduled->field.bot(entrant));
                                   });
            if (!may_begin) continue;
            for (const auto entrant : plan.entrants) wanted.insert(&scheduled->field.bot(entrant));
        }
    }
    return wanted;
}

void MatchesElsewhere::add_waits(ScheduledContest& scheduled, std::vector<Wait>& found) {
    const auto& contest = *scheduled.contest;
    if (contest.state() != records::TournamentState::running || scheduled.drawing_in_background)
        return;
    Wait wait{.kind = Wait::Kind::for_machines, .tournament = contest.config().id};
    if (executor_ != nullptr) wait.detail = executor_->trouble();
    wait.routine = wait.detail.empty();
    wait.count = of(contest.config().id);
    const auto& planned = contest.waiting();
    const bool more = !wait.routine && std::ranges::any_of(planned, [&](const auto& plan) {
        return is_for_it(scheduled, plan);
    });
    if (wait.count > 0 || more) found.push_back(std::move(wait));
}

const MatchesElsewhere::Taken& MatchesElsewhere::taken_of(ScheduledContest& scheduled) {
    const auto& contest = *scheduled.contest;
    auto& known = taken_[&scheduled];
    const bool is_known = known.asked == asked_ && known.bots.size() == contest.entrants();
    if (is_known || executor_ == nullptr ||
        formats::traits_of(contest.config().format).pairs_who_is_free)
        return known;
    known = {{}, true, asked_};
    for (formats::Entrant entrant = 0; entrant < contest.entrants(); ++entrant) {
        known.bots.push_back(supply_.launches(scheduled.field.bot(entrant)) &&
                             executor_->takes(contest.config().id, contest.name(entrant)));
        known.all = known.all && known.bots.back();
    }
    return known;
}

void MatchesElsewhere::give(ScheduledContest& scheduled) {
    if (executor_ == nullptr) return;
    const auto& waiting = scheduled.contest->waiting();
    if (waiting.empty()) return;
    // What is on its way there has its place.
    const auto is_full = [this, room = executor_->room()] { return room <= promised_; };
    for (std::size_t i = 0; i < waiting.size() && !is_full();) {
        if (is_for_it(scheduled, waiting[i])) {
            give_one(scheduled, i);
        } else {
            ++i;
        }
    }
}

void MatchesElsewhere::give_one(ScheduledContest& scheduled, std::size_t i) {
    auto& contest = *scheduled.contest;
    auto task = task_of(scheduled, contest.waiting()[i]);
    const auto key = task.key();
    auto first = contest.take(i);
    std::vector<records::Record> records{
        contests::Contest::start_of(first, task.games.front().bots)};
    out_.emplace(key, Out{&scheduled, std::move(task), std::move(first), false});
    ++promised_;
    records_.write(contest, std::move(records), [this, key] {
        --promised_;
        const auto out = out_.find(key);
        if (out != out_.end()) {  // else it was taken back meanwhile
            out->second.recorded = true;
            executor_->play(out->second.task);
        }
        go_on_();
    });
}

bool MatchesElsewhere::goes_on(ScheduledContest& scheduled, const contests::GamePlan& plan) {
    if (executor_ == nullptr || !executor_->holds(plan.key)) return false;
    out_.emplace(plan.key, Out{&scheduled, task_of(scheduled, plan), plan, true});
    return true;
}

Executor::Verdict MatchesElsewhere::bring(const GameKey& task,
                                          std::vector<records::GameRecord> games) {
    const auto out = out_.find(task);
    if (out == out_.end())
        return is_recorded_(task) ? Executor::Verdict::known : Executor::Verdict::unexpected;
    if (!fits(out->second.task, games)) {
        interrupt(out, "another machine brought other games than it was given");
        return Executor::Verdict::unfit;
    }
    auto& scheduled = *out->second.scheduled;
    out_.erase(out);
    record(scheduled, task, std::move(games), 0);
    return Executor::Verdict::taken;
}

// One by one, as if they were played one after the other: the next game of a match waits only when
// the one before it is recorded. Where this process ends in between, the rest is played anew.
void MatchesElsewhere::record(ScheduledContest& scheduled, const GameKey& task, Games games,
                              std::size_t next) {
    auto& contest = *scheduled.contest;
    const auto game = std::make_shared<const records::GameRecord>(std::move(games[next]));
    std::vector<records::Record> records;
    if (next > 0) {
        const auto place = contest.view().waiting_place(game->result.key);
        // The match was decided before it, or an order said otherwise.
        if (!place) return end(task);
        records.emplace_back(contests::Contest::start_of(contest.take(*place), game->result.bots));
    }
    records_.write_end(
        contest, std::move(records), game,
        [this, &scheduled, task, games = std::move(games), next](const auto& ended) mutable {
            notices_.recorded(*scheduled.contest, ended.withdrawn);
            notices_.ended(*scheduled.contest, ended, nullptr);
            if (next + 1 == games.size()) return end(task);
            record(scheduled, task, std::move(games), next + 1);
        });
}

void MatchesElsewhere::end(const GameKey& task) {
    executor_->forget(task);
    go_on_();
}

void MatchesElsewhere::lose(const GameKey& task, const std::string& reason) {
    const auto out = out_.find(task);
    if (out != out_.end()) interrupt(out, reason);
}

void MatchesElsewhere::interrupt(AllOut::iterator out, const std::string& reason) {
    auto& scheduled = *out->second.scheduled;
    const auto key = out->first;
    std::vector<records::Record> records{scheduled.contest->interrupted(out->second.first, reason)};
    out_.erase(out);
    scheduled.contest->finished(std::get<records::GameRecord>(records.front()).result);
    records_.write(*scheduled.contest, std::move(records), [this, key] {
        executor_->forget(key);
        go_on_();
    });
}

void MatchesElsewhere::take_back(const std::string& reason,
                                 std::optional<std::string_view> tournament,
                                 std::optional<std::uint64_t> match) {
    const auto is_meant = [&](const GameKey& key) {
        return key.tournament == tournament.value_or(key.tournament) &&
               key.match == match.value_or(key.match);
    };
    interrupt_if(is_meant, reason);
}

void MatchesElsewhere::take_unbegun_back(const std::string& reason) {
    interrupt_if([this](const GameKey& key) { return !executor_->is_out(key); }, reason);
}

template <typename IsMeant>
void MatchesElsewhere::interrupt_if(const IsMeant& is_meant, const std::string& reason) {
    for (auto out = out_.begin(); out != out_.end();) {
        const auto next = std::next(out);
        if (is_meant(out->first)) interrupt(out, reason);
        out = next;
    }
}

// Games that are played again are out one by one.
std::size_t MatchesElsewhere::of(std::string_view tournament) const {
    std::size_t matches = 0;
    std::uint64_t last = 0;  // they lie in their order
    for (const auto& [key, out] : out_) {
        if (key.tournament == tournament && std::exchange(last, key.match) != key.match) ++matches;
    }
    return matches;
}

}  // namespace referee::scheduler
