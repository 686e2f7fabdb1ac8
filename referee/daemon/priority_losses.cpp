#include "referee/daemon/priority_losses.h"

namespace referee::daemon {

namespace {

std::string meanwhile(DoubtedTurns& doubted) {
    const auto who = doubted.lately();
    return who.empty() ? "" : "; in time only by doubt since the last such line: " + who;
}

}  // namespace

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
                   "class: "
                   "other programs may run before it until the next game begins, and it may judge "
                   "deadlines some milliseconds late. That is more work than one core bears: fewer "
                   "games at once (\"games_at_once\" in the config) or a faster core helps. From "
                   "now "
                   "on this is told at most once a minute; `referee ctl status` has the present "
                   "state") +
               meanwhile(doubted);
    return "the referee lost its real-time class " + std::to_string(more) +
           (more == 1 ? " time" : " times") + " more in the last " + std::to_string(since) +
           " s, " + std::to_string(count_) + " times in all" + meanwhile(doubted);
}

}  // namespace referee::daemon
