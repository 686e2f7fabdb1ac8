#include "referee/launch/supply/command_files.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"
#include "referee/roster/kinds/kind.h"

namespace referee::supply {
namespace {

namespace fs = std::filesystem;

// Of a program: more than the kernel reads of a script's first line.
constexpr std::size_t first_bytes_max = 256;

// What the sources of usual languages are called whose interpreters are given a file.
constexpr std::array source_endings = {".py",  ".pyc", ".js",  ".mjs", ".cjs", ".ts",
                                       ".rb",  ".pl",  ".lua", ".php", ".sh",  ".jl",
                                       ".rkt", ".scm", ".R",   ".r",   ".tcl", ".jar"};

bool is_source(const std::string& word) {
    if (word.starts_with('-') || word.find_first_of(" \t\n*?") != std::string::npos) return false;
    return std::ranges::any_of(source_endings,
                               [&word](std::string_view ending) { return word.ends_with(ending); });
}

// A program of the bot's own may take such a name for what it writes.
bool is_interpreter(const std::string& program) {
    return program.find('/') == std::string::npos ||
           fs::path(program).parent_path().filename() == "bin";
}

std::string folder_of(const config::BotConfig& bot) {
    std::error_code ignored;
    return bot.directory.empty() ? fs::current_path(ignored).string() : bot.directory;
}

std::string mistake_in_first_line(const std::string& program, const std::string& search_path) {
    const auto mistake = [&program](const std::string& why) {
        return "can't start '" + program + "': " + why;
    };
    const auto asked = interpreter_of(program, search_path);
    if (!asked) {
        const auto bytes = files::first_bytes(program, first_bytes_max);
        // The kernel starts what it knows by its first bytes, and those of programs hold zeros.
        if (bytes.empty() || bytes.find('\0') != std::string::npos) return {};
        return mistake(
            "it is a text whose first line names no interpreter; expected a first line like "
            "'#!/usr/bin/env python3', or a command that starts with one, e.g. [\"python3\", "
            "\"bot.py\"]");
    }
    if (asked->ends_with_cr)
        return mistake(
            "its first line ends with CR LF, so the kernel looks for an interpreter whose name "
            "ends with CR; expected LF alone: sed -i 's/\\r$//' " +
            program);
    if (asked->file.empty())
        return mistake("its first line asks env for '" + asked->named +
                       "', and there is no such program in " + search_path +
                       "; install it, or correct the line, e.g. '#!/usr/bin/env python3'");
    if (!files::is_there(asked->file))
        return mistake("the interpreter of its first line, '" + asked->file +
                       "', is not there; install it, or correct the line, e.g. "
                       "'#!/usr/bin/env python3'");
    return {};
}

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

// Interpreters that courses use, and the packages of Debian that have them.
struct KnownInterpreter {
    std::string_view program;
    std::string_view package;
};
constexpr std::array<KnownInterpreter, 19> known_interpreters{{
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
    const auto* const found =
        std::ranges::find(known_interpreters, name, &KnownInterpreter::program);
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
    if (has_path && (!sandbox::is_of_system(word) || files::is_there(word))) return {};
    if (!has_path && !process::program_file(word, folder, search_path).empty()) return {};
    // Its own file, named without the "./": then it is the command that is wrong.
    if (!has_path && files::is_there(folder + "/" + word)) return {};
    return lacks(word, package_of(word));
}

// Of the first line of a script.
std::string lack_of_script(const BotCommand& command) {
    const auto asked = interpreter_of(command.program, command.search_path);
    if (!asked || asked->ends_with_cr || asked->named.empty()) return {};
    const auto& file = asked->file;
    if (!file.empty() && (files::is_there(file) || !sandbox::is_of_system(file))) return {};
    return lacks(asked->named, package_of(asked->named));
}

}  // namespace

BotCommand::BotCommand(const config::BotConfig& its_bot, const std::string& referees_path)
    : bot(its_bot),
      folder(folder_of(bot)),
      search_path(process::path_in(bot.environment).value_or(referees_path)) {
    if (bot.launch.empty()) return;
    const auto& word = bot.launch.front();
    is_in_path = word.find('/') == std::string::npos;
    program = process::program_file(word, folder, search_path);
    if (!program.empty()) program = files::absolute_path(folder, program);
}

std::vector<std::string> files_named(const BotCommand& command) {
    std::vector<std::string> files;
    const auto& words = command.bot.launch;
    for (std::size_t i = command.is_in_path ? 1 : 0; i < words.size(); ++i) {
        if (words[i].empty()) continue;
        auto file = files::absolute_path(command.folder, words[i]);
        const bool known = base::contains(files, file);
        if (files::is_regular_file(file) && !known) files.push_back(std::move(file));
    }
    return files;
}

std::optional<Interpreter> interpreter_of(const std::string& file, const std::string& search_path) {
    auto line = files::first_bytes(file, first_bytes_max);
    line.resize(std::min(line.size(), line.find('\n')));
    if (!line.starts_with("#!")) return std::nullopt;
    Interpreter asked;
    asked.ends_with_cr = line.ends_with('\r');
    std::istringstream words(line.substr(2));
    words >> asked.named;
    asked.file = asked.named;
    if (fs::path(asked.named).filename() != "env") return asked;
    for (std::string word; words >> word;) {
        // "env -S NAME" and "env NAME=VALUE PROGRAM".
        if (word.starts_with('-') || word.find('=') != std::string::npos) continue;
        asked.named = word;
        asked.file = process::program_file(word, "/", search_path);
        break;
    }
    return asked;
}

std::vector<std::string> programs_found(const BotCommand& command) {
    const auto& bot = command.bot;
    std::vector<std::string> found;
    const auto find = [&](const std::string& word) {
        if (auto file = process::program_file(word, {}, command.search_path); file.starts_with('/'))
            found.push_back(std::move(file));
    };
    const auto look_at = [&](const std::string& word) {
        if (word.find('/') == std::string::npos) return find(word);
        const auto asked =
            interpreter_of(files::absolute_path(command.folder, word), command.search_path);
        if (asked && asked->named.find('/') == std::string::npos) find(asked->named);
    };
    if (!bot.launch.empty()) look_at(bot.launch.front());
    if (!bot.program) return found;
    if (!bot.program->kind->interpreter.empty()) find(std::string(bot.program->kind->interpreter));
    look_at(bot.program->words.front());
    return found;
}

std::string missing_source(const BotCommand& command) {
    const auto& words = command.bot.launch;
    if (words.empty() || !is_interpreter(words.front())) return {};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto& word = words[i];
        // What follows is no file, but a module or a piece of program.
        if (word == "-m" || word == "-c" || word == "-e") return {};
        if (!is_source(word) && words[i - 1] != "-jar") continue;
        const auto file = files::absolute_path(command.folder, word);
        return files::is_there(file) ? std::string() : file;
    }
    return {};
}

std::string mistake_in_files(const BotCommand& command) {
    if (files::is_regular_file(command.program)) {
        if (auto mistake = mistake_in_first_line(command.program, command.search_path);
            !mistake.empty())
            return mistake;
    }
    if (const auto missing = missing_source(command); !missing.empty())
        return "can't run '" + missing +
               "', which its command names: no such file; check the name, or build the bot first";
    return {};
}

std::string mistake_in_program(const BotCommand& command) {
    const auto& bot = command.bot;
    const auto& folder = command.folder;
    const auto& search_path = command.search_path;
    if (!bot.program) return {};
    const auto& kind = *bot.program->kind;
    const auto& word = bot.program->words.front();
    if (bot.program->is_file) {
        const auto file = files::absolute_path(folder, word);
        if (auto mistake = mistake_in_file(file, kind.takes_commands); !mistake.empty())
            return mistake;
    } else if (process::program_file(word, folder, search_path).empty()) {
        return "can't start '" + word + "', the command of its \"program\": it isn't in " +
               search_path + "; install it, or give its whole path";
    }
    if (!kind.interpreter.empty() &&
        process::program_file(std::string(kind.interpreter), folder, search_path).empty()) {
        return "can't start '" + std::string(kind.interpreter) +
               "', which runs programs of the kind " + std::string(kind.name) +
               ": it isn't installed; apt-get install " + std::string(kind.package);
    }
    const auto adapter = kinds::launch_of(*bot.program, folder).adapter;
    if (!adapter.empty() && !files::is_there(adapter))
        return "can't start '" + adapter +
               "', the adapter of its kind: no such file; install the referee with its sample bots";
    return {};
}

std::string lack_of_machine(const BotCommand& command) {
    const auto& bot = command.bot;
    const auto& folder = command.folder;
    const auto& search_path = command.search_path;
    if (bot.launch.empty()) return {};
    if (auto lack = lack_of_program(bot.launch.front(), folder, search_path); !lack.empty())
        return lack;
    if (auto lack = lack_of_script(command); !lack.empty()) return lack;
    if (!bot.program) return {};
    const auto& kind = *bot.program->kind;
    if (!kind.interpreter.empty() &&
        process::program_file(std::string(kind.interpreter), folder, search_path).empty())
        return lacks(std::string(kind.interpreter), kind.package);
    const auto adapter = kinds::launch_of(*bot.program, folder).adapter;
    if (!adapter.empty() && !files::is_there(adapter)) return lacks_own(adapter);
    if (bot.program->is_file) return {};
    return lack_of_program(bot.program->words.front(), folder, search_path);
}

}  // namespace referee::supply
