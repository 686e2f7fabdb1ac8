#include "referee/tournament/scheduler/waits.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/base/assertion.h"
#include "protocol/base/enum_names.h"
#include "protocol/base/text.h"
#include "referee/tournament/contests/matches.h"

namespace referee::scheduler {
namespace {

using Kind = Wait::Kind;

constexpr std::int64_t seconds_a_minute = 60;
constexpr std::int64_t tens = 10;

std::string one_or_several(std::size_t count, const std::string& one, const std::string& several) {
    return count == 1 ? one : fmt::format("{} {}", count, several);
}

// "a game of friday waits", "3 games of friday wait"; of a ladder, where none is drawn, itself.
std::string games_wait(const Wait& waiting) {
    if (waiting.count == 0) return waiting.tournament + " waits";
    return one_or_several(waiting.count, "a game", "games") + " of " + waiting.tournament +
           (waiting.count == 1 ? " waits" : " wait");
}

std::string in_brackets(const std::string& detail) {
    return detail.empty() ? "" : " (" + detail + ")";
}

// A game is first played among others, then tried alone. So the annulments beyond the first few
// were of tries alone.
std::string annulments(std::size_t count) {
    constexpr std::size_t among_others = contests::played_again_max + 1;
    auto text = fmt::format("annulled {} times", count);
    const auto alone = count - std::min(count, among_others);
    if (alone == 1) text += ", once of them alone";
    if (alone > 1) text += fmt::format(", {} times of them alone", alone);
    return text;
}

// Minutes and seconds: 9:41, also 75:00.
std::string clock_text(std::int64_t seconds) {
    const auto rest = seconds % seconds_a_minute;
    return fmt::format("{}{}{}", seconds / seconds_a_minute, rest < tens ? ":0" : ":", rest);
}

// Each wait of these kinds is for one bot; those of all other kinds are for a group.
bool is_for_one(const Wait& waiting) {
    return waiting.kind == Kind::for_bot || waiting.kind == Kind::for_return ||
           waiting.kind == Kind::for_leaver;
}

// Beyond it a wait for the same bot is news again.
constexpr Duration repeated_within = std::chrono::minutes(10);
constexpr std::uint64_t told_seldom = 10;

// News come at most this often: most waits are over before a person could read of them.
constexpr Duration news_every = std::chrono::seconds(1);

bool same_news(const Wait& one, const Wait& other) {
    return same_wait(one, other) && one.bots == other.bots;
}

}  // namespace

std::string_view name_of(Kind kind) {
    static constexpr std::array<base::Named<Kind>, 17> names{{
        {Kind::for_start, "start"},
        {Kind::for_hours, "hours"},
        {Kind::for_resume, "resume"},
        {Kind::for_arrivals, "arrivals"},
        {Kind::for_bot, "bot"},
        {Kind::for_return, "return"},
        {Kind::for_busy, "busy"},
        {Kind::for_place, "place"},
        {Kind::for_matches, "matches"},
        {Kind::for_draw, "draw"},
        {Kind::for_opponents, "opponents"},
        {Kind::for_rest, "rest"},
        {Kind::for_leaver, "leaver"},
        {Kind::for_calm, "calm"},
        {Kind::for_machines, "machines"},
        {Kind::for_disk, "disk"},
        {Kind::for_end, "end"},
    }};
    static_assert(base::in_order(names));
    return base::row_of(names, kind).name;
}

std::string subject_of(const Wait& waiting) {
    const auto& id = waiting.tournament;
    const auto names = base::names_in(waiting.bots);
    switch (waiting.kind) {
        case Kind::for_start:
            return id + " " +
                   (waiting.detail.empty() ? "waits for the order to begin" : waiting.detail);
        case Kind::for_hours:
            return id + " " + waiting.detail;
        case Kind::for_resume:
            return id + " is paused" + in_brackets(waiting.detail);
        case Kind::for_arrivals:
            return id + " waits for " + names + " to connect";
        case Kind::for_bot:
            return games_wait(waiting) + " for " + names + ", who " + waiting.detail;
        case Kind::for_return:
            return "game " + waiting.game + " waits for " + names +
                   " to connect again, while its clock runs";
        case Kind::for_busy:
            return games_wait(waiting) + " for " + names + ", who " +
                   (waiting.bots.size() == 1 ? "plays" : "play") + " elsewhere";
        case Kind::for_place:
            return games_wait(waiting) + " until one of the games that are played is over";
        case Kind::for_matches:
            return "the next round of " + id + " waits for " +
                   one_or_several(waiting.count, "the last match", "matches") +
                   " of this one: " + names;
        case Kind::for_draw:
            return "the next round of " + id + " is being drawn";
        case Kind::for_opponents:
            return id + " waits for opponents to connect: " +
                   base::counted(waiting.count, "bot is here", "bots are here");
        case Kind::for_rest:
            if (!waiting.detail.empty()) return id + " rests: " + names + ' ' + waiting.detail;
            return id + " waits for " + names + ", who " +
                   (waiting.bots.size() == 1 ? "rests" : "rest");
        case Kind::for_leaver:
            return id + " does not match " + names + ", who left " +
                   one_or_several(waiting.count, "a match", "matches in a row") +
                   " before the first turn";
        case Kind::for_calm:
            return "game " + waiting.game + " of " + id + " (" + names + ") is set aside: it was " +
                   annulments(waiting.count) + in_brackets(waiting.detail) + "; " +
                   (waiting.until ? "it is tried alone when the machine is calm"
                                  : "it is not tried any more in this run");
        case Kind::for_machines:
            return id + " waits for other machines" +
                   (waiting.count > 0
                        ? ", which have " + one_or_several(waiting.count, "a match", "matches") +
                              " of it"
                        : std::string()) +
                   in_brackets(waiting.detail);
        case Kind::for_disk:
            return "no game begins: " + waiting.detail;
        case Kind::for_end:
            return "the referee waits for " +
                   one_or_several(waiting.count, "the last game", "games that are played") +
                   ", then ends";
    }
    REFEREE_ASSERT(false);
}

std::int64_t seconds_left(const Wait& waiting, Instant now) {
    if (!waiting.until || *waiting.until <= now) return 0;
    return std::chrono::ceil<std::chrono::seconds>(*waiting.until - now).count();
}

std::string describe(const Wait& waiting, Instant now) {
    auto text = subject_of(waiting);
    if (waiting.until) text += ", " + clock_text(seconds_left(waiting, now)) + " left";
    if (waiting.kind == Kind::for_bot && waiting.until && waiting.count > 0)
        text += waiting.count == 1 ? "; then it is forfeited" : "; then they are forfeited";
    return text;
}

std::string remedy_of(const Wait& waiting) {
    const auto& id = waiting.tournament;
    const auto withdraw = [&] {
        return "`referee ctl withdraw " + id + " " + base::shell_word(waiting.bots.front()) + "`";
    };
    switch (waiting.kind) {
        case Kind::for_start:
            return "`referee ctl start " + id + "` begins it" +
                   (waiting.detail.empty() ? "" : " now");
        case Kind::for_resume:
            return "`referee ctl resume " + id + "` goes on";
        case Kind::for_arrivals:
            return withdraw() + " takes a bot out, `referee ctl start " + id +
                   " --now` goes on without who is missing";
        case Kind::for_bot:
            return withdraw() + " goes on without it";
        case Kind::for_calm:
            return "`referee ctl resume " + id + "` plays it among the others again";
        case Kind::for_rest:
            return waiting.detail.empty() ? "" : "a new bot or a changed program wakes it";
        default:
            return {};
    }
}

bool same_wait(const Wait& one, const Wait& other) {
    if (one.kind != other.kind || one.tournament != other.tournament || one.game != other.game)
        return false;
    return !is_for_one(one) || one.bots == other.bots;
}

std::string ToldWaits::begins(const Wait& waiting, Instant now) {
    if (!is_for_one(waiting)) return describe(waiting, now);
    auto& known = repeated_[{waiting.kind, waiting.tournament, waiting.bots.front()}];
    if (now - known.last > repeated_within) known = {};
    known.last = now;
    known.told = ++known.times == known.told_next;
    if (!known.told) return {};
    known.told_next *= told_seldom;
    return describe(waiting, now) +
           (known.times == 1 ? "" : fmt::format(" ({} such waits by now)", known.times));
}

bool ToldWaits::ends(const Wait& waiting) {
    if (!is_for_one(waiting)) return true;
    const auto found = repeated_.find({waiting.kind, waiting.tournament, waiting.bots.front()});
    return found != repeated_.end() && found->second.told;
}

std::vector<Wait> without(const std::vector<Wait>& all, const std::vector<Wait>& others) {
    std::vector<Wait> rest;
    for (const auto& one : all) {
        if (std::ranges::none_of(others,
                                 [&one](const auto& other) { return same_wait(one, other); }))
            rest.push_back(one);
    }
    return rest;
}

WaitNews::WaitNews(loop::Timers& timers, Look look, Tell tell)
    : timers_(timers), present_(std::move(look)), tell_(std::move(tell)) {}

void WaitNews::look() {
    if (timer_ != 0) return;
    const auto now = timers_.now();
    if (looked_at_ && now < *looked_at_ + news_every) {
        timer_ = timers_.schedule(*looked_at_ + news_every, [this] {
            timer_ = 0;
            look();
        });
        return;
    }
    looked_at_ = now;
    auto present = present_();
    if (std::equal(present.begin(), present.end(), told_.begin(), told_.end(), same_news)) return;
    told_ = std::move(present);
    tell_(told_);
}

void WaitNews::cancel() {
    timers_.cancel(std::exchange(timer_, 0));
}

}  // namespace referee::scheduler
