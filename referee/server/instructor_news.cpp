#include "referee/server/instructor_news.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include "protocol/base/text.h"
#include "referee/config/config.h"
#include "referee/report/ratings.h"

namespace referee::server {

namespace {

std::string text_of(const RegistrationsState& state) {
    std::string text;
    if (state.waiting > 0)
        text = base::counted(state.waiting, "name waits", "names wait") +
               " for approval: `referee ctl registrations` shows who, `referee ctl approve --all` "
               "lets all of them play";
    if (state.full)
        text += fmt::format(
            "{}the list of registered names is full, {} of {}, and new ones are refused: raise "
            "\"registration.total\", or refuse names that nobody needs (`referee ctl registrations "
            "--all` shows all)",
            text.empty() ? "" : "; ", state.names, state.total);
    return text;
}

std::string meanwhile(DoubtedTurns& doubted) {
    const auto who = doubted.lately();
    return who.empty() ? "" : "; in time only by doubt since the last such line: " + who;
}

constexpr std::int64_t ms_per_s = 1000;
constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t day_ms = 24 * 60 * minute_ms;
// In less time a single large file would look like a trend.
constexpr std::int64_t seen_least_ms = 60 * minute_ms;
// Nobody knows how much is played later than that; there is time enough to make room.
constexpr std::int64_t told_ahead_ms = 21 * day_ms;
constexpr double gigabyte = 1e9;

// "Friday, 2026-11-27"
std::string day_of(std::int64_t ms) {
    return fmt::format("{:%A, %F}", fmt::gmtime(static_cast<std::time_t>(ms / ms_per_s)));
}

}  // namespace

RegistrationsState registrations_state(const tournament::ConfigRoster& roster,
                                       const config::RegistrationConfig& terms) {
    RegistrationsState state;
    const auto& registered = roster.registered();
    for (const auto& [name, known] : registered.all())
        state.waiting += terms.approval && known.standing == tournament::Standing::waiting ? 1 : 0;
    state.names = registered.counted();
    state.total = terms.total;
    state.full =
        !terms.password.empty() &&
        (state.names >= state.total || registered.all().size() >= config::registered_names_max);
    state.text = text_of(state);
    return state;
}

RegistrationNews::RegistrationNews(loop::Timers& timers, std::function<void()> tell)
    : timers_(timers), tell_(std::move(tell)) {}

RegistrationNews::~RegistrationNews() {
    timers_.cancel(waiting_);
}

void RegistrationNews::changed() {
    if (waiting_ != 0) return;
    if (!told_at_ || timers_.now() - *told_at_ >= every) return tell_now();
    waiting_ = timers_.schedule(*told_at_ + every, [this] {
        waiting_ = 0;
        tell_now();
    });
}

void RegistrationNews::tell_now() {
    told_at_ = timers_.now();
    tell_();
}

std::optional<std::string> VersionNews::played(const std::string& tournament,
                                               const std::string& bot, const std::string& program) {
    if (program.empty()) return std::nullopt;
    auto& seen = seen_[{tournament, bot}];
    ++seen.matches;
    seen.changes += !seen.program.empty() && seen.program != program ? 1 : 0;
    seen.program = program;
    const report::ProgramChange change{.matches = seen.matches, .changes = seen.changes};
    if (seen.told || !change.is_restless()) return std::nullopt;
    seen.told = true;
    return fmt::format(
        "the program of {} changed {} times in its last {} matches of {}, or it says so by its "
        "\"version\": no figure of it is of one program; a ladder ranks it as if its version had "
        "not changed, until one has settled",
        bot, seen.changes, seen.matches, tournament);
}

void DoubtedTurns::add(const std::string& bot, const std::string& address,
                       const clock::Doubts& doubts) {
    if (doubts.turns == 0) return;
    for (auto* players : {&ever_, &lately_}) {
        auto& player = (*players)[bot];
        player.address = address;
        player.doubts.add(doubts);
    }
    if (address.empty()) return;
    auto& place = places_[address];
    place.sum.add(doubts);
    if (doubts.by_doubt > 0) place.doubted.insert(bot);
}

clock::Doubts DoubtedTurns::of(std::string_view bot) const {
    const auto found = ever_.find(bot);
    return found == ever_.end() ? clock::Doubts{} : found->second.doubts;
}

std::optional<std::string> DoubtedTurns::many_from(const std::string& address) {
    const auto found = places_.find(address);
    if (found == places_.end()) return std::nullopt;
    auto& [sum, doubted, told] = found->second;
    if (told || doubted.size() < 2 || !sum.many()) return std::nullopt;
    told = true;
    return fmt::format("{} bots from {} ({}): {}", doubted.size(), address, base::joined(doubted),
                       clock::describe(sum));
}

std::string DoubtedTurns::lately() {
    std::vector<std::pair<std::string, Player>> players(lately_.begin(), lately_.end());
    lately_.clear();
    std::erase_if(players, [](const auto& one) { return one.second.doubts.by_doubt == 0; });
    std::ranges::stable_sort(players, [](const auto& a, const auto& b) {
        return a.second.doubts.by_doubt > b.second.doubts.by_doubt;
    });
    std::string text;
    for (std::size_t i = 0; i < std::min(players.size(), named_max); ++i) {
        const auto& [bot, player] = players[i];
        text += fmt::format("{}{}{} {} of {} turns", i == 0 ? "" : ", ", bot,
                            player.address.empty() ? "" : " from " + player.address,
                            player.doubts.by_doubt, player.doubts.turns);
    }
    if (players.size() > named_max)
        text += fmt::format(", and {} more", players.size() - named_max);
    return text;
}

std::optional<std::string> PriorityLosses::news(Instant now, DoubtedTurns& doubted) {
    const auto more = count_ - told_;
    if (more == 0) return std::nullopt;
    const bool first = told_ == 0;
    if (!first && now - told_at_ < told_every) return std::nullopt;
    const auto since = std::chrono::duration_cast<std::chrono::seconds>(now - told_at_).count();
    told_ = count_;
    told_at_ = now;
    if (first)
        return std::string(
                   "the referee was busy for so long without a pause that it lost its real-time "
                   "class: other programs may run before it until the next game begins, and it may "
                   "judge deadlines some milliseconds late. That is more work than one core bears: "
                   "fewer games at once (\"games_at_once\" in the config) or a faster core helps. "
                   "From now on this is told at most once a minute; `referee ctl status` has the "
                   "present state") +
               meanwhile(doubted);
    return fmt::format(
        "the referee lost its real-time class {} more in the last {} s, {} times in all{}",
        base::counted(more, "time"), since, count_, meanwhile(doubted));
}

void LateBots::game_ended(const GameResult& game) {
    const auto begun = begun_.extract(game_id(game.key));
    if (begun.empty()) return;
    for (const auto& fault : game.faults) {
        const auto& told = fault.evidence;
        const auto at_us = told.noticed_us ? told.noticed_us : told.received_us;
        if (!at_us || (fault.code != FaultCode::late && fault.code != FaultCode::hung)) continue;
        late_.emplace(begun.mapped() + std::chrono::microseconds(*at_us), game.bots[fault.seat]);
        if (late_.size() > kept_max) late_.erase(late_.begin());
    }
}

std::string LateBots::text(Instant now) const {
    std::set<std::string> most;
    auto end = late_.lower_bound(now - remembered);
    std::map<std::string, std::size_t> bots;  // that were late within `together`, how often
    for (auto begin = end; begin != late_.end(); ++begin) {
        for (; end != late_.end() && end->first - begin->first <= together; ++end)
            ++bots[end->second];
        if (bots.size() > most.size()) {
            most.clear();
            for (const auto& [bot, times] : bots) most.insert(bot);
        }
        if (--bots[begin->second] == 0) bots.erase(begin->second);
    }
    if (most.size() < bots_min) return {};
    return fmt::format(
        "{} bots were late in the same 2 s, not long ago ({}): a machine that they share, or the "
        "way to it, may be too busy",
        most.size(), base::joined(most));
}

std::optional<std::string> LateBots::news(Instant now) {
    if (told_at_ && now - *told_at_ < remembered) return std::nullopt;
    auto line = text(now);
    if (line.empty()) return std::nullopt;
    told_at_ = now;
    return line;
}

std::optional<std::string> StallNews::told(Instant now, std::string_view cause, Duration stood,
                                           std::size_t turns) {
    if (told_at_ && now - *told_at_ < line_every) {
        ++passed_over_;
        passed_over_time_ += stood;
        return std::nullopt;
    }
    told_at_ = now;
    auto line = "the referee stood still for " + ms_text(stood) + " (" + std::string(cause) +
                ") while " + base::counted(turns, "turn ran", "turns ran");
    if (passed_over_ > 0) {
        line += "; before that " + base::counted(passed_over_, "time more", "times more") + ", " +
                ms_text(passed_over_time_) + " in all";
    }
    passed_over_ = 0;
    passed_over_time_ = {};
    return line;
}

std::optional<std::string> DiskForecast::look(std::int64_t now_ms, Disk disk,
                                              const std::string& folder) {
    text_.clear();
    if (!seen_.empty() && now_ms < seen_.back().at_ms) seen_.clear();  // the clock was set back
    while (!seen_.empty() && seen_.front().at_ms < now_ms - day_ms) seen_.pop_front();
    seen_.push_back({now_ms, disk});
    const auto& first = seen_.front();
    const auto span = now_ms - first.at_ms;
    if (span < seen_least_ms || disk.free_bytes >= first.disk.free_bytes) return std::nullopt;
    const auto each_day = [span](std::uint64_t less, std::uint64_t more) {
        return static_cast<double>(std::max(less, more) - less) * static_cast<double>(day_ms) /
               static_cast<double>(span);
    };
    const auto all = each_day(disk.free_bytes, first.disk.free_bytes);
    const auto own = each_day(first.disk.store_bytes, disk.store_bytes);
    auto days_left = static_cast<double>(disk.free_bytes) / all;
    // Replays grow to their bound; then all else fills alone.
    const auto within = std::min(disk.store_bytes, disk.replay_bytes_most);
    const auto bounded = each_day(first.disk.store_bytes, within);
    const auto room = static_cast<double>(disk.replay_bytes_most - within);
    if (bounded * days_left > room) {
        if (bounded >= all) return std::nullopt;
        days_left = (static_cast<double>(disk.free_bytes) - room) / (all - bounded);
    }
    const auto left_ms = days_left * static_cast<double>(day_ms);
    if (left_ms > static_cast<double>(told_ahead_ms)) return std::nullopt;
    text_ = fmt::format(
        "the disk of {} is full on {}, if it goes on like this: {:.2f} GB more each day, of which "
        "{:.2f} GB are the referee's records and replays, {:.2f} GB are free. Make room{}",
        folder, day_of(now_ms + static_cast<std::int64_t>(left_ms)), all / gigabyte, own / gigabyte,
        static_cast<double>(disk.free_bytes) / gigabyte,
        2 * own < all ? ": other programs fill it" : ", or lower replays_mb of the config");
    if (told_ms_ && now_ms >= *told_ms_ && now_ms - *told_ms_ < day_ms) return std::nullopt;
    told_ms_ = now_ms;
    return text_;
}

}  // namespace referee::server
