#include "referee/bots/supply/trouble_text.h"

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

}  // namespace

std::string text_of(Duration time) {
    using std::chrono::duration_cast;
    const auto whole = duration_cast<std::chrono::seconds>(time);
    if (whole == time) return std::to_string(whole.count()) + " s";
    return std::to_string(duration_cast<std::chrono::milliseconds>(time).count()) + " ms";
}

std::string printed(const config::BotConfig& bot, const std::string& tail) {
    // What it printed usually ends with a line feed, which is no part of a message.
    const auto end = tail.find_last_not_of(" \t\r\n");
    if (end == std::string::npos) return {};
    return "; it printed: " + tail.substr(0, end + 1) + advice(bot, tail);
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
