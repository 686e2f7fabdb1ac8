#include "referee/net/lobby/guess_news.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "protocol/base/text.h"
#include "referee/limits.h"

namespace referee::lobby {
namespace {

constexpr std::string_view further_places = "further addresses";

}  // namespace

GuessNews::GuessNews(loop::Timers& timers, Tell tell) : timers_(timers), tell_(std::move(tell)) {}

GuessNews::~GuessNews() {
    timers_.cancel(timer_);
}

void GuessNews::wrong(const std::string& place, const std::string& secret, std::int64_t tries) {
    auto found = bursts_.find(place);
    if (found == bursts_.end()) {
        const bool alone = bursts_.size() < limits::bursts_told_max;
        const auto& subject = alone ? place : std::string(further_places);
        const auto [entry, begins] = bursts_.try_emplace(subject);
        found = entry;
        if (begins) {
            found->second.tries = tries - 1;
            found->second.began = timers_.now();
            tell_("wrong secrets are tried from " + subject + ": " + base::counted(tries, "time") +
                  " lately, the last at " + secret +
                  "; answers to wrong tries come later and later from now on");
        }
    }
    count(found->second, secret);
    look_later();
}

void GuessNews::wrong_where_told(const std::string& place, const std::string& secret) {
    const auto found = bursts_.find(place);
    if (found != bursts_.end()) count(found->second, secret);
}

void GuessNews::count(Burst& burst, const std::string& secret) {
    ++burst.tries;
    burst.last = timers_.now();
    burst.last_secret = secret;
    if (burst.secrets.size() < limits::burst_secrets_max) burst.secrets.insert(secret);
}

void GuessNews::turned_away(const std::string& place) {
    auto found = bursts_.find(place);
    if (found == bursts_.end()) found = bursts_.find(std::string(further_places));
    if (found == bursts_.end()) return;
    ++found->second.turned_away;
    found->second.last = timers_.now();
}

void GuessNews::look() {
    timer_ = 0;
    for (auto burst = bursts_.begin(); burst != bursts_.end();) {
        const auto& [place, sum] = *burst;
        if (timers_.now() - sum.last < limits::burst_silence) {
            ++burst;
            continue;
        }
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(sum.last - sum.began).count();
        auto line = "no more wrong secrets from " + place + ": " +
                    base::counted(sum.tries, "try", "tries") + " within " +
                    base::counted(std::max<std::int64_t>(seconds, 1), "second");
        const bool uncounted = sum.secrets.size() >= limits::burst_secrets_max;
        line += ", at " + std::string(uncounted ? "at least " : "") +
                base::counted(sum.secrets.size(), "secret") + ", the last at " + sum.last_secret;
        if (sum.turned_away > 0)
            line += "; " + std::to_string(sum.turned_away) + " more were turned away unjudged";
        tell_(line);
        burst = bursts_.erase(burst);
    }
    look_later();
}

void GuessNews::look_later() {
    if (timer_ != 0 || bursts_.empty()) return;
    const auto first = std::min_element(
        bursts_.begin(), bursts_.end(),
        [](const auto& a, const auto& b) { return a.second.last < b.second.last; });
    timer_ = timers_.schedule(first->second.last + limits::burst_silence, [this] { look(); });
}

}  // namespace referee::lobby
