#include "referee/launch/supply/student_program.h"

#include <unistd.h>

#include <filesystem>

#include "referee/config/fields.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/supply/command_files.h"
#include "referee/roster/kinds/kind.h"

namespace referee::supply {
namespace {

namespace fs = std::filesystem;

std::string mistake_in_file(const std::string& file, bool is_executed) {
    std::error_code error;
    const auto found = fs::status(file, error);
    const auto begin = "can't play with '" + file + "', the file of its \"program\": ";
    if (fs::is_directory(found))
        return begin + "it is a folder; expected the file in it that is the program";
    if (!fs::exists(found))
        return begin + "no such file; check the name, or build the program first";
    if (is_executed && ::access(file.c_str(), X_OK) != 0)
        return begin + "it can't be executed; chmod +x " + file +
               ", or, where it needs an interpreter, name both as a command, such as java -jar "
               "Walls.jar";
    return {};
}

}  // namespace

std::string mistake_in_program(const config::BotConfig& bot, const std::string& search_path) {
    if (!bot.program) return {};
    const auto& kind = *bot.program->kind;
    const auto folder = working_directory_of(bot);
    const auto its_search_path = search_path_of(bot, search_path);
    const auto& word = bot.program->words.front();
    if (bot.program->is_file) {
        const auto file = config::absolute_path(folder, word);
        if (auto mistake = mistake_in_file(file, kind.takes_commands); !mistake.empty())
            return mistake;
    } else if (process::program_file(word, folder, its_search_path).empty()) {
        return "can't start '" + word + "', the command of its \"program\": it isn't in " +
               its_search_path + "; install it, or give its whole path";
    }
    if (!kind.interpreter.empty() &&
        process::program_file(std::string(kind.interpreter), folder, its_search_path).empty()) {
        return "can't start '" + std::string(kind.interpreter) +
               "', which runs programs of the "
               "kind " +
               std::string(kind.name) + ": it isn't installed; apt-get install " +
               std::string(kind.package);
    }
    const auto adapter = kinds::launch_of(*bot.program, folder, kinds::sample_bots_place()).adapter;
    std::error_code ignored;
    if (!adapter.empty() && !fs::exists(adapter, ignored))
        return "can't start '" + adapter +
               "', the adapter of its kind: no such file; install the referee with its sample bots";
    return {};
}

}  // namespace referee::supply
