#include "referee/launch/process/core_wait.h"

#include <fcntl.h>

#include <utility>

#include "protocol/base/find.h"
#include "protocol/base/text.h"

namespace referee::process {

nanoseconds CoreWait::wait_min(const BotCpuTimes& now, nanoseconds wall) const {
    const auto used = used_since(now.used);
    auto longest = std::min(certain_, std::max<nanoseconds>(wall - used, nanoseconds::zero()));
    for (const auto& [id, thread] : now.threads) {
        const auto* found = base::find_in(begun_.threads, id);
        const auto before = found == nullptr ? ThreadTimes{} : *found;
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

nanoseconds CoreWait::wait_max(const BotCpuTimes& now, nanoseconds wall) {
    bool wants_to_run = false;
    bool waits_on = false;
    for (const auto& [id, thread] : now.threads) {
        wants_to_run |= thread.runs_or_waits;
        const auto* before = base::find_in(seen_, id);
        waits_on |= before != nullptr && thread.runs_or_waits && *before == thread;
    }
    lasts_ = (waits_on ? lasts_ : nanoseconds::zero()) + wall - std::exchange(seen_at_, wall);
    seen_ = now.threads;
    certain_ = wait_min(now, wall);
    if (!wants_to_run) return certain_;
    return std::clamp(certain_ + lasts_, nanoseconds::zero(),
                      std::max(wall - used_since(now.used), nanoseconds::zero()));
}

namespace {

// A thread, too, has a folder of its id, although /proc doesn't list it.
std::string file_of(pid_t thread, const char* name) {
    return fmt::format("/proc/{}{}", thread, name);
}

bool wants_to_run(pid_t thread) {
    const auto text = read_kernel_file(file_of(thread, "/stat"));
    return text && text->find(") R ") != std::string::npos;
}

}  // namespace

std::map<pid_t, ThreadTimes> ThreadTimesReader::read(const std::vector<pid_t>& threads,
                                                     bool with_state) {
    std::erase_if(files_,
                  [&threads](const auto& file) { return !base::contains(threads, file.first); });
    std::map<pid_t, ThreadTimes> all;
    for (const pid_t thread : threads) {
        ThreadTimes times;
        if (!read_counters(thread, times)) continue;
        times.runs_or_waits = with_state && wants_to_run(thread);
        all.emplace(thread, times);
    }
    return all;
}

// The file has three numbers: time on a core and in the queue, in nanoseconds, and how often it
// came to run.
bool ThreadTimesReader::read_counters(pid_t thread, ThreadTimes& times) {
    Descriptor opened;
    auto found = files_.find(thread);
    if (found == files_.end()) {
        opened = open_file(file_of(thread, "/schedstat"), O_RDONLY);
        if (!opened) return false;
        if (files_.size() < open_files_max) found = files_.emplace(thread, std::move(opened)).first;
    }
    const int file = found == files_.end() ? opened.get() : found->second.get();
    if (!reread_counters(file, text_)) {
        // The thread has ended; another one may have its id by now, and is met at the next look.
        files_.erase(thread);
        return false;
    }
    std::string_view text = text_;
    const auto ran = whole_number(take_word(text));
    const auto waited = whole_number(take_word(text));
    if (!ran || !waited) return false;
    times.ran = nanoseconds(*ran);
    times.waited = nanoseconds(*waited);
    return true;
}

}  // namespace referee::process
