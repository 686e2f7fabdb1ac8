#include "referee/office/report/progress.h"

#include <algorithm>
#include <ostream>

#include "protocol/json/printable.h"

namespace referee::report {
namespace {

constexpr Duration bar_every = std::chrono::milliseconds(100);
constexpr Duration line_every = std::chrono::seconds(2);
constexpr std::size_t bar_width = 24;
// A line of a terminal has room for no more.
constexpr std::size_t rounds_told_max = 3;
constexpr std::int64_t us_a_second = 1'000'000;

std::string bar(std::uint64_t done, std::uint64_t total) {
    const auto full = total == 0 ? 0 : static_cast<std::size_t>(done * bar_width / total);
    return "[" + std::string(full, '#') + std::string(bar_width - full, '.') + "]";
}

std::string seconds(std::int64_t us) {
    const auto tenths = us / (us_a_second / 10);
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

// ", round 2"; of several tournaments that are played now, ", round 2 of friday, 1 of monday", and
// nothing where no names may be told.
std::string rounds_of(const scheduler::Scheduler& scheduler, bool names) {
    const auto statuses = scheduler.statuses();
    if (statuses.size() > 1 && !names) return {};
    std::string text;
    std::size_t told = 0;
    for (const auto& contest : statuses) {
        if (!contest.begun || contest.over || contest.round == 0) continue;
        if (++told > rounds_told_max) return text + " ...";
        text += (told == 1 ? ", round " : ", ") + std::to_string(contest.round);
        if (statuses.size() > 1) text += " of " + contest.config->id;
    }
    return text;
}

}  // namespace

void Progress::clear() {
    if (terminal_ && drawn_) out_ << "\r\x1b[K";
    drawn_ = false;
}

void Progress::say(const std::string& line) {
    clear();
    out_ << protocol::json::visible_lines(line, protocol::json::further_line) << std::endl;
}

void Progress::waiting(const std::vector<scheduler::Waiting>& waiting, Instant now) {
    for (const auto& wait : scheduler::without(waiting, waiting_)) {
        if (!wait.routine) say(scheduler::describe(wait, now));
    }
    waiting_ = waiting;
}

void Progress::idle(Instant now) {
    if (!terminal_ || now - shown_ < bar_every) return;
    const auto wait = std::find_if(waiting_.begin(), waiting_.end(),
                                   [](const auto& one) { return !one.routine; });
    if (wait == waiting_.end()) return;
    shown_ = now;
    clear();
    out_ << scheduler::describe(*wait, now) << std::flush;
    drawn_ = true;
}

std::string Progress::line_of(const scheduler::Scheduler& scheduler, Instant now) const {
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    std::uint64_t games = 0;
    bool known = true;
    for (const auto& contest : scheduler.statuses()) {
        done += contest.matches_played;
        games += contest.games_played;
        const auto all = contest.matches_total;
        known = known && all.has_value();
        total += all.value_or(0);
    }
    const auto elapsed_us = in_us(now - begun_);
    // Only games of this run count: those of a former run were played in its own time.
    const auto played = static_cast<std::int64_t>(games - games_before_);
    const auto matches_played = static_cast<std::int64_t>(done - matches_before_);
    std::string line;
    if (known)
        line = bar(done, total) + " " + std::to_string(done) + " of " + std::to_string(total) +
               " matches";
    if (!known) line = std::to_string(done) + " matches";
    line += rounds_of(scheduler, names_) + ", " + std::to_string(games) + " games";
    if (elapsed_us > us_a_second)
        line += ", " + std::to_string(played * us_a_second / elapsed_us) + " a second";
    line += ", " + std::to_string(scheduler.games_running()) + " running, " + seconds(elapsed_us);
    if (known && matches_played > 0 && done < total) {
        const auto left = elapsed_us / matches_played * static_cast<std::int64_t>(total - done);
        line += ", about " + seconds(left) + " left";
    }
    return line;
}

void Progress::begin(const scheduler::Scheduler& scheduler, Instant now) {
    if (begun_ != Instant{}) return;
    begun_ = now;
    for (const auto& contest : scheduler.statuses()) {
        matches_before_ += contest.matches_played;
        games_before_ += contest.games_played;
    }
}

void Progress::update(const scheduler::Scheduler& scheduler, Instant now) {
    begin(scheduler, now);
    if (now - shown_ < (terminal_ ? bar_every : line_every)) return;
    shown_ = now;
    if (!terminal_) {
        out_ << line_of(scheduler, now) << std::endl;
        return;
    }
    clear();
    out_ << line_of(scheduler, now) << std::flush;
    drawn_ = true;
}

void Progress::done(const scheduler::Scheduler& scheduler, Instant now) {
    clear();
    begin(scheduler, now);
    out_ << line_of(scheduler, now) << std::endl;
}

}  // namespace referee::report
