#include "referee/bots/supply/trouble_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace referee::supply {
namespace {

// What a bot that speaks over a socket may not know: a path to its standard output can't be opened.
std::string advice(const config::BotConfig& bot, const std::string& tail) {
    if (bot.speaks != config::Speaks::stdio ||
        bot.standard_output != config::StandardOutput::socket) {
        return {};
    }
    const auto told = [&tail](std::string_view sign) {
        return tail.find(sign) != std::string::npos;
    };
    const bool opened = told("/dev/stdout") || told("/dev/fd/1") || told("/self/fd/1");
    if (!opened && !told("ENXIO") && !told("No such device or address")) return {};
    return "; its standard output is a socket, and no program can open one by its path: it may "
           "help to write to descriptor 1, or to give the bot \"stdout\": \"pipe\" in the config "
           "(for a single game: --stdout pipe)";
}

// What a program says that misses a file in the sandbox, or may not write where it wants to.
std::string advice_in_sandbox(const std::string& tail) {
    constexpr std::array signs = {"No such file",
                                  "not found",
                                  "No module named",
                                  "annot find module",
                                  "cannot open shared object",
                                  "Permission denied",
                                  "Read-only file system",
                                  "Operation not permitted"};
    const bool told = std::any_of(signs.begin(), signs.end(), [&tail](const char* sign) {
        return tail.find(sign) != std::string::npos;
    });
    if (!told) return {};
    return "; in the sandbox it sees the system's programs and its own \"directory\" alone, and "
           "writes in /tmp: \"reads\" in the config (for a single game: --reads) shows it more";
}

}  // namespace

std::string text_of(Duration time) {
    using std::chrono::duration_cast;
    const auto whole = duration_cast<std::chrono::seconds>(time);
    if (whole == time) return std::to_string(whole.count()) + " s";
    return std::to_string(duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

std::string printed(const config::BotConfig& bot, const std::string& tail, bool sandboxed) {
    // What it printed usually ends with a line feed, which is no part of a message.
    const auto end = tail.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    auto mistake = advice(bot, tail);
    if (mistake.empty() && sandboxed) mistake = advice_in_sandbox(tail);
    return "; it printed: " + tail.substr(0, end + 1) + mistake;
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
