#include "referee/daemon/run_screen.h"

#include <unistd.h>
#include <algorithm>
#include <ostream>

#include "protocol/codes.h"
#include "protocol/json/printable.h"
#include "referee/contest/formats/planned_rounds.h"
#include "referee/report/log/log.h"

namespace referee::daemon {
namespace {

constexpr Duration table_every = std::chrono::milliseconds(250);
// Lines come the more seldom the longer the run has been going on: a file of a day's run is read
// too.
constexpr Duration progress_line_every_min = std::chrono::seconds(2);
constexpr Duration progress_line_every_max = std::chrono::minutes(5);
constexpr int progress_lines_of_run = 20;
// Standings take only a small share of the time, because bots need the processor too.
constexpr Duration ranked_every_min = std::chrono::seconds(1);
constexpr int rest_per_work = 50;

report::TournamentLine line_of(const scheduler::ContestStatus& contest, std::size_t running) {
    const auto& config = *contest.config;
    return {config.id,
            config.game,
            std::string(formats::name_of(config.format.kind())),
            std::string(records::name_of(contest.state)),
            contest.entries->size(),
            contest.round,
            formats::planned_rounds(config.format, contest.entries->size()),
            contest.matches_played,
            contest.matches_total,
            contest.games_played,
            running};
}

// How many matches are yet to be played, as far as that can be known: a Swiss draws its rounds one
// by one, but how many there are is known, and how many matches each has at most.
std::optional<std::uint64_t> matches_left(const scheduler::ContestStatus& contest) {
    auto total = contest.matches_total;
    const auto entrants = contest.entries->size();
    if (!total && contest.config->format.kind() == formats::FormatKind::swiss) {
        if (const auto rounds = formats::planned_rounds(contest.config->format, entrants))
            total = *rounds * (entrants / formats::seats_of(contest.config->format));
    }
    if (!total) return std::nullopt;
    return std::max(*total, contest.matches_played) - contest.matches_played;
}

}  // namespace

RunScreen::RunScreen(const boost::asio::any_io_executor& loop, std::ostream& out, Options terms)
    : out_(out), terms_(terms) {
    if (!terms_.table) return;
    painter_ = std::make_unique<LivePainter>(loop, out);
    // The log would write across the table.
    if (::isatty(STDERR_FILENO) == 1)
        log_as_before_ = log::show_by([this](const std::string& line) { painter_->say(line); });
}

RunScreen::~RunScreen() {
    finish();
}

void RunScreen::say(const std::string& line) {
    if (painter_) return painter_->say(line);
    out_ << protocol::json::visible_lines(line, protocol::json::further_line) << std::endl;
}

void RunScreen::waiting(const std::vector<scheduler::Waiting>& waiting, Instant now) {
    for (const auto& wait : scheduler::without(waiting, waiting_)) {
        if (!wait.routine) say(scheduler::describe(wait, now));
    }
    waiting_ = waiting;
}

void RunScreen::game_ended(const GameResult& result) {
    if (!painter_ || !terms_.names || !counts(result.status)) return;
    for (const auto& fault : result.faults) {
        const auto& bot = result.bots[fault.seat];
        painter_->fault(result.key.tournament, bot,
                        bot + ", " + std::string(protocol::name_of(fault.code)) + " in " +
                            game_id(result.key) + ", turn " + std::to_string(fault.turn) + ": " +
                            fault.message);
    }
}

report::LiveState RunScreen::state_of(const scheduler::Scheduler& scheduler, Instant now) const {
    report::LiveState state;
    state.names = terms_.names;
    std::optional<std::uint64_t> left = 0;
    for (const auto& contest : scheduler.statuses()) {
        state.tournaments.push_back(line_of(contest, scheduler.games_running(contest.config->id)));
        const auto more = matches_left(contest);
        left = left && more ? std::optional(*left + *more) : std::nullopt;
    }
    state.elsewhere = scheduler.matches_elsewhere();
    state.elapsed = now - begun_;
    state.games_a_second = pace_.games_a_second();
    if (left && *left > 0) state.left = pace_.left(*left);
    const auto wait = std::find_if(waiting_.begin(), waiting_.end(),
                                   [](const auto& one) { return !one.routine; });
    if (wait != waiting_.end()) state.waits = scheduler::describe(*wait, now);
    return state;
}

// Its time, and its pace, count from the first game on.
void RunScreen::begin(const scheduler::Scheduler& scheduler, Instant now) {
    if (begun_ == Instant{}) begun_ = now;
    std::uint64_t games = 0;
    std::uint64_t matches = 0;
    for (const auto& contest : scheduler.statuses()) {
        games += contest.games_played;
        matches += contest.matches_played;
    }
    pace_.add(now, games, matches);
}

Duration RunScreen::line_every(Instant now) const {
    const auto goes_on = begun_ == Instant{} ? Duration::zero() : now - begun_;
    return std::clamp(goes_on / progress_lines_of_run, progress_line_every_min,
                      progress_line_every_max);
}

void RunScreen::tick(const scheduler::Scheduler& scheduler, Instant now) {
    if (now - shown_ < (painter_ ? table_every : line_every(now))) return;
    const bool plays = scheduler.games_running() > 0 || scheduler.matches_elsewhere() > 0;
    if (plays) begin(scheduler, now);
    if (painter_) return draw(scheduler, now);
    if (!plays) return;
    shown_ = now;
    const auto state = state_of(scheduler, now);
    say(report::progress_line(state) + ", " + report::pace_line(state));
}

void RunScreen::draw(const scheduler::Scheduler& scheduler, Instant now) {
    if (!painter_->is_idle()) return;
    ranked_every_ = std::max(ranked_every_, rest_per_work * painter_->work());
    shown_ = now;
    auto state = state_of(scheduler, now);
    if (begun_ == Instant{}) state.elapsed = {};
    std::optional<scheduler::ContestSnapshot> snapshot;
    if (terms_.names && now - ranked_ >= std::max(ranked_every_, ranked_every_min)) {
        ranked_ = now;
        ranked_every_ = {};
        // Those of the first that is played stay on the screen until it is over.
        const auto& all = state.tournaments;
        const auto is_over = [](const auto& one) {
            return one.matches_total && one.matches >= *one.matches_total;
        };
        auto shown = std::find_if_not(all.begin(), all.end(), is_over);
        if (shown == all.end() && !all.empty()) shown = std::prev(all.end());
        if (shown != all.end()) snapshot = scheduler.snapshot_of(shown->id);
    }
    painter_->draw(std::move(state), std::move(snapshot));
}

void RunScreen::finish() {
    if (!painter_) return;
    painter_->finish();
    if (log_as_before_) log_as_before_();
    painter_.reset();
}

void RunScreen::tell_end(const scheduler::Scheduler& scheduler, Instant now) {
    begin(scheduler, now);
    auto state = state_of(scheduler, now);
    state.left.reset();
    say(report::progress_line(state) + ", " + report::pace_line(state));
}

}  // namespace referee::daemon
