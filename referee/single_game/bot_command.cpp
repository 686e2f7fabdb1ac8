#include "referee/single_game/bot_command.h"

#include <algorithm>

#include "protocol/base/text.h"
#include "protocol/codec.h"
#include "protocol/limits.h"
#include "referee/config/read_config.h"
#include "referee/roster/kinds/kind.h"

namespace referee::single_game {

std::string mistake_in_commands(const std::vector<std::string>& commands, const std::string& game) {
    for (const auto& command : commands) {
        const auto program = kinds::program_in(command);
        if (!program) return "--bot: " + program.error();
        const auto why = *program ? kinds::unsuited(**program, game) : std::string();
        if (!why.empty()) return "--bot: " + command + " " + why;
    }
    return {};
}

void set_command(config::BotConfig& bot, const std::string& command) {
    const auto program = kinds::program_in(command);
    if (program && *program) {
        config::set_program(bot, **program);
    } else {
        bot.launch = kinds::command_of(command);
    }
}

std::string bot_name(const std::string& command, const std::vector<config::BotConfig>& others) {
    const auto program = kinds::program_in(command);
    const bool of_kind = program && *program;
    auto base = of_kind ? (*program)->words.back() : command.substr(0, command.find(' '));
    std::erase_if(base, [](char c) { return c == '\'' || c == '"'; });  // of a shell
    base = base.substr(base.find_last_of('/') + 1).substr(0, protocol::limits::name_bytes_max / 2);
    if (!protocol::is_valid_name(base)) base = "bot";
    auto name = base;
    const auto taken = [&name](const auto& bot) { return bot.name == name; };
    for (int n = 2; std::ranges::any_of(others, taken); ++n) name = fmt::format("{}-{}", base, n);
    return name;
}

}  // namespace referee::single_game
