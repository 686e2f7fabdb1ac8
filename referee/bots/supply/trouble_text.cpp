#include "referee/bots/supply/trouble_text.h"

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

protocol::Evidence evidence_of(const std::optional<lobby::Process::Exit>& exit,
                               const std::string& tail) {
    protocol::Evidence evidence;
    if (exit && exit->status) evidence.exit_status = *exit->status;
    if (exit && exit->signal) evidence.signal = *exit->signal;
    if (!tail.empty()) evidence.stderr_tail = tail;
    return evidence;
}

}  // namespace referee::supply
