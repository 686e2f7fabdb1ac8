#include "referee/launch/process/core_wait.h"

#include <algorithm>

namespace referee::process {

nanoseconds CoreWait::used_since(const BotCpuTimes& now) const {
    return std::max(now.used - begun_.used, nanoseconds::zero());
}

std::optional<nanoseconds> CoreWait::worked(nanoseconds used) const {
    if (!has_begun_) return std::nullopt;
    return std::max(used - begun_.used, nanoseconds::zero());
}

nanoseconds CoreWait::certain(const BotCpuTimes& now, nanoseconds wall) const {
    const auto used = used_since(now);
    nanoseconds longest{};
    for (const auto& [id, thread] : now.threads) {
        const auto found = begun_.threads.find(id);
        const auto before = found == begun_.threads.end() ? ThreadTimes{} : found->second;
        const auto ran = thread.ran - before.ran;
        // A wait that had begun before the turn is counted whole, but it was a wait of this turn
        // from the turn's begin only.
        const auto waited = std::min(thread.waited - before.waited, wall - ran);
        // The others may have run all the while that this one waited.
        const auto others = std::max(used - ran, nanoseconds::zero());
        longest = std::max(longest, waited - others);
    }
    return longest;
}

nanoseconds CoreWait::possible(const BotCpuTimes& now, nanoseconds wall) const {
    const bool wants_to_run =
        std::any_of(now.threads.begin(), now.threads.end(),
                    [](const auto& thread) { return thread.second.runs_or_waits; });
    if (!wants_to_run) return certain(now, wall);
    return std::max(wall - used_since(now), nanoseconds::zero());
}

}  // namespace referee::process
