#include "referee/daemon/stall_news.h"

#include "protocol/base/milliseconds.h"

namespace referee::daemon {

std::optional<std::string> StallNews::told(Instant now, std::string_view cause, Duration stood,
                                           std::size_t turns) {
    if (told_at_ && now - *told_at_ < line_every) {
        ++passed_over_;
        passed_over_time_ += stood;
        return std::nullopt;
    }
    told_at_ = now;
    auto line = "the referee stood still for " + base::milliseconds(in_us(stood)) + " (" +
                std::string(cause) + ") while " + std::to_string(turns) +
                (turns == 1 ? " turn ran" : " turns ran");
    if (passed_over_ > 0) {
        line += "; before that " + std::to_string(passed_over_) +
                (passed_over_ == 1 ? " time more, " : " times more, ") +
                base::milliseconds(in_us(passed_over_time_)) + " in all";
    }
    passed_over_ = 0;
    passed_over_time_ = {};
    return line;
}

}  // namespace referee::daemon
