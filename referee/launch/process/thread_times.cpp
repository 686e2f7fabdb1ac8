#include "referee/launch/process/thread_times.h"

#include <fcntl.h>

#include <algorithm>

#include "referee/launch/process/kernel_file.h"

namespace referee::process {

namespace {

// A thread, too, has a folder of its id, although /proc doesn't list it.
std::string file_of(pid_t thread, const char* name) {
    return "/proc/" + std::to_string(thread) + name;
}

bool wants_to_run(pid_t thread) {
    const auto text = read_kernel_file(file_of(thread, "/stat"));
    return text && text->find(") R ") != std::string::npos;
}

}  // namespace

std::map<pid_t, ThreadTimes> ThreadTimesReader::read(const std::vector<pid_t>& threads,
                                                     bool with_state) {
    std::erase_if(files_, [&threads](const auto& file) {
        return std::find(threads.begin(), threads.end(), file.first) == threads.end();
    });
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
    const auto words = words_of(text_);
    if (words.size() < 2) return false;
    times.ran = nanoseconds(whole_number(words[0]).value_or(0));
    times.waited = nanoseconds(whole_number(words[1]).value_or(0));
    return true;
}

}  // namespace referee::process
