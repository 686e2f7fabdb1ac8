#include "referee/launch/supply/trouble_text.h"

#include <algorithm>
#include <array>
#include <csignal>

namespace referee::supply {

std::string text_of(Duration time) {
    using std::chrono::duration_cast;
    const auto whole = duration_cast<std::chrono::seconds>(time);
    if (whole == time) return std::to_string(whole.count()) + " s";
    return std::to_string(duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

std::string printed(const std::string& tail) {
    // What it printed usually ends with a line feed, which is no part of a message.
    const auto end = tail.find_last_not_of(" \t\r\n");
    return end == std::string::npos ? std::string() : "; it printed: " + tail.substr(0, end + 1);
}

std::string with_hint(std::string words, const std::string& hint) {
    return hint.empty() ? words : std::move(words) + "; " + hint;
}

bool died_of_closed_pipe(const process::ExitStatus& status, std::string_view tail) {
    using How = process::ExitStatus::How;
    if (status.how == How::signalled) return status.code == SIGPIPE;
    if (status.how != How::exited || status.code == 0) return false;
    // What the usual languages print then.
    constexpr std::array<std::string_view, 3> words{"Broken pipe", "BrokenPipe", "EPIPE"};
    return std::any_of(words.begin(), words.end(), [tail](std::string_view word) {
        return tail.find(word) != std::string_view::npos;
    });
}

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail) {
    protocol::Evidence evidence;
    if (exit && exit->status) evidence.exit_status = *exit->status;
    if (exit && exit->signal) evidence.signal = *exit->signal;
    if (!tail.empty()) evidence.stderr_tail = tail;
    return evidence;
}

}  // namespace referee::supply
