#include "referee/office/run/game_command.h"

#include <algorithm>
#include <utility>

#include "protocol/codec.h"
#include "protocol/limits.h"

namespace referee::run {

std::vector<std::string> command_of(const std::string& text) {
    if (text.find_first_of("\"'\\$`|&;<>()*?[]{}~#\n") != std::string::npos)
        return {"sh", "-c", "exec " + text};
    std::vector<std::string> words;
    std::string word;
    for (const char c : text + " ") {
        if (c != ' ' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words;
}

std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others) {
    auto base = command.substr(0, command.find(' '));
    base = base.substr(base.find_last_of('/') + 1).substr(0, protocol::limits::name_bytes_max / 2);
    if (!protocol::is_valid_name(base)) base = "bot";
    auto name = base;
    const auto taken = [&name](const auto& bot) { return bot.name == name; };
    for (int n = 2; std::any_of(others.begin(), others.end(), taken); ++n)
        name = base + "-" + std::to_string(n);
    return name;
}

}  // namespace referee::run
