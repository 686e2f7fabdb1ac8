#include "referee/grading/submission/missing_programs.h"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <thread>

#include "protocol/base/text.h"
#include "referee/config/read_values.h"
#include "referee/files/named_file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"
#include "referee/launch/supply/command_files.h"
#include "referee/roster/kinds/kind.h"

namespace referee::grading {

namespace {

namespace fs = std::filesystem;

// Interpreters that courses use, and the packages of Debian that have them.
struct Known {
    std::string_view program;
    std::string_view package;
};
constexpr std::array<Known, 19> known_interpreters{{
    {"python3", "python3"},   {"python", "python-is-python3"},
    {"node", "nodejs"},       {"java", "default-jre-headless"},
    {"octave", "octave"},     {"octave-cli", "octave"},
    {"racket", "racket"},     {"ruby", "ruby"},
    {"perl", "perl"},         {"lua", "lua5.4"},
    {"php", "php-cli"},       {"Rscript", "r-base-core"},
    {"julia", "julia"},       {"guile", "guile-3.0"},
    {"mono", "mono-runtime"}, {"swipl", "swi-prolog-nox"},
    {"sbcl", "sbcl"},         {"tclsh", "tcl"},
    {"bash", "bash"},
}};

std::string_view package_of(const std::string& program) {
    const auto name = fs::path(program).filename().string();
    const auto is_it = [&name](const auto& known) { return known.program == name; };
    const auto* const found =
        std::find_if(known_interpreters.begin(), known_interpreters.end(), is_it);
    return found == known_interpreters.end() ? std::string_view() : found->package;
}

// What the referee brings itself has no package of its own.
std::string lacks_own(const std::string& file) {
    return "this referee has no '" + file + "', which plays for programs of that kind: install " +
           "the referee with its sample bots";
}

std::string lacks(const std::string& program, std::string_view package) {
    if (fs::path(program).filename() == "referee-adapter") return lacks_own(program);
    const auto ending = fs::path(program).extension().string();  // of python3.11 it is a number
    if (program.find('/') == program.npos && ending.size() > 1 && !base::is_digit(ending[1]))
        return "there is no program '" + program +
               "' here: expected a file of one's own with its " + "path, such as \"./" + program +
               "\", or behind what runs it, such as \"python3 " + program + "\"";
    return "this machine has no '" + program + "', which the program needs: " +
           (package.empty() ? "install the package that has it; \"apt-file search bin/" +
                                  fs::path(program).filename().string() + "\" tells which"
                            : "apt-get install " + std::string(package));
}

// Of a word at which a command begins.
std::string lack_of_program(const std::string& word, const std::string& folder,
                            const std::string& search_path) {
    const bool has_path = word.find('/') != std::string::npos;
    if (has_path && (!is_of_system(word) || files::is_there(word))) return {};
    if (!has_path && !process::program_file(word, folder, search_path).empty()) return {};
    // Its own file, named without the "./": then it is the command that is wrong.
    if (!has_path && files::is_there(folder + "/" + word)) return {};
    return lacks(word, package_of(word));
}

// Of the first line of a script.
std::string lack_of_script(const config::BotConfig& bot, const std::string& search_path) {
    const auto asked = supply::interpreter_of(supply::program_of(bot, search_path), search_path);
    if (!asked || asked->ends_with_cr || package_of(asked->named).empty()) return {};
    if (!asked->file.empty() && files::is_there(asked->file)) return {};
    return lacks(asked->named, package_of(asked->named));
}

}  // namespace

bool is_of_system(const std::string& path) {
    const auto& system = sandbox::system_paths();
    return std::any_of(system.begin(), system.end(),
                       [&path](const auto& folder) { return config::lies_in(path, folder); });
}

std::string lack_of_machine(const config::BotConfig& bot, const std::string& search_path) {
    if (bot.launch.empty()) return {};
    const auto its_path = supply::search_path_of(bot, search_path);
    const auto folder = supply::working_directory_of(bot);
    if (auto lack = lack_of_program(bot.launch.front(), folder, its_path); !lack.empty())
        return lack;
    if (auto lack = lack_of_script(bot, its_path); !lack.empty()) return lack;
    if (!bot.program) return {};
    const auto& kind = *bot.program->kind;
    if (!kind.interpreter.empty() &&
        process::program_file(std::string(kind.interpreter), folder, its_path).empty())
        return lacks(std::string(kind.interpreter), kind.package);
    const auto adapter = kinds::launch_of(*bot.program, folder, kinds::sample_bots_place()).adapter;
    if (!adapter.empty() && !files::is_there(adapter)) return lacks_own(adapter);
    if (bot.program->is_file) return {};
    return lack_of_program(bot.program->words.front(), folder, its_path);
}

std::string machine_name() {
    utsname system{};
    if (uname(&system) != 0) return "unknown";
    const auto cores = std::thread::hardware_concurrency();
    return std::string(system.nodename) + ", " + std::to_string(cores) +
           (cores == 1 ? " core, " : " cores, ") + system.sysname + " " + system.release;
}

}  // namespace referee::grading
