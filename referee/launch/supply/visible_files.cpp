#include "referee/launch/supply/command_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"
#include "referee/launch/process/search_path.h"
#include "referee/launch/sandbox/bubblewrap.h"

namespace referee::supply {
namespace {

namespace fs = std::filesystem;

bool holds(const std::vector<std::string>& folders, const std::string& path) {
    return std::ranges::any_of(
        folders, [&path](const auto& folder) { return files::lies_in(path, folder); });
}

// Whether a link leads from the file to somewhere else than its own folder, or one below `folder`.
// The bot's author may have put it there.
bool leads_away(const std::string& file, const std::string& folder) {
    const auto led_to = files::real_path(file);
    if (sandbox::is_of_system(led_to)) return false;
    if (files::lies_in(file, folder)) {
        const auto below = fs::path(file).lexically_relative(folder);
        return led_to != files::absolute_path(files::real_path(folder), below.string());
    }
    return !files::lies_in(led_to, files::real_path(fs::path(file).parent_path().string()));
}

// Adds the path, and drops what lies below it.
void add(std::vector<std::string>& reads, const std::string& path) {
    if (holds(reads, path)) return;
    std::erase_if(reads, [&path](const auto& other) { return files::lies_in(other, path); });
    reads.push_back(path);
}

// The folder that a program was installed in, with what it needs beside its file: PREFIX for a
// PREFIX/bin/PROGRAM with a PREFIX/lib. Empty where it looks like no such program.
std::string prefix_of(const std::string& program) {
    const fs::path folder = fs::path(program).parent_path();
    if (folder.filename() != "bin" && folder.filename() != "sbin") return {};
    const auto prefix = folder.parent_path();
    std::error_code ignored;
    return prefix != "/" && fs::is_directory(prefix / "lib", ignored) ? prefix.string()
                                                                      : std::string();
}

// What tools put into a virtual environment.
constexpr std::array environment_entries = {"bin",        "include", "lib",         "lib64",
                                            "etc",        "man",     "share",       "pyvenv.cfg",
                                            ".gitignore", ".lock",   "CACHEDIR.TAG"};

// Somebody may have made one in a folder that holds more.
bool is_virtual_environment(const fs::path& prefix) {
    std::error_code error;
    if (!fs::exists(prefix / "pyvenv.cfg", error)) return false;
    const auto names = files::names_in(prefix.string(), error);
    return !error && std::ranges::all_of(names, [](const auto& name) {
        return base::contains(environment_entries, name);
    });
}

// Whether the folder was made for what was installed in it, and holds nothing else: pyenv's
// versions/3.11, nvm's versions/node/v20, asdf's installs/python/3.11, uv's python/cpython-3.12,
// conda's, a virtual environment.
bool is_kept_apart(const fs::path& prefix) {
    std::error_code ignored;
    const auto above = prefix.parent_path();
    const auto top = above.parent_path();
    if (above.filename() == "versions") return fs::is_directory(top / "shims", ignored);
    if (above.filename() == "node" && top.filename() == "versions") return true;
    if (above.filename() == "python" && top.filename() == "uv") return true;
    if (top.filename() == "installs") return fs::is_directory(top / "../shims", ignored);
    return fs::is_directory(prefix / "conda-meta", ignored) || is_virtual_environment(prefix);
}

// Where the programs live that the search path finds for the bot: the folders that they were
// installed in. No word of a bot's author leads there.
std::vector<std::string> installations(const std::vector<std::string>& programs) {
    std::vector<std::string> found;
    for (const auto& program : programs) {
        for (const auto& path : {program, files::real_path(program)}) {
            auto prefix = prefix_of(path);
            if (!prefix.empty() && is_kept_apart(prefix)) found.push_back(std::move(prefix));
        }
    }
    return found;
}

// The program that the first line of a script names; empty for other files.
std::string interpreter_file(const std::string& file, const std::string& search_path) {
    const auto asked = interpreter_of(file, search_path);
    return asked ? asked->file : std::string();
}

// Whether a script that lies there stands for a program that was installed.
bool is_installed(const std::string& program) {
    const auto folder = fs::path(program).parent_path().filename();
    return folder == "bin" || folder == "sbin" || folder == "shims";
}

// Looks at the files of one bot's command.
class Looking {
 public:
    explicit Looking(const BotCommand& command)
        : command_(command), reads_(visible_files(command).reads) {
        for (const auto& path : reads_) real_reads_.push_back(files::real_path(path));
    }

    bool sees(const std::string& path) const {
        const auto led_to = files::real_path(path);
        return (sandbox::is_of_system(path) || holds(reads_, path)) &&
               (sandbox::is_of_system(led_to) || holds(real_reads_, led_to));
    }
    std::optional<HiddenFile> hidden(const std::string& what, const std::string& file) const {
        if (sees(file)) return std::nullopt;
        const auto led_to = files::real_path(file);
        if (leads_away(file, command_.folder))
            return HiddenFile{what + " " + file + ", a link to " + led_to, {}};
        return HiddenFile{what + " " + file, file};
    }
    // A program needs what it was installed with, wherever a link to it lies.
    std::optional<HiddenFile> hidden_program(const std::string& what,
                                             const std::string& program) const {
        for (const auto& path : {program, files::real_path(program)}) {
            const auto prefix = prefix_of(path);
            if (prefix.empty() || sees(prefix)) continue;
            return HiddenFile{what + " " + path + " without the libraries of " + prefix, prefix};
        }
        if (sees(program)) return std::nullopt;
        const auto led_to = files::real_path(program);
        const auto seen = sandbox::is_of_system(program) || holds(reads_, program);
        return HiddenFile{what + " " + program + (led_to == program ? "" : ", which is " + led_to),
                          seen ? led_to : program};
    }
    // A script that stands for a program, as version managers have it, starts others or loads what
    // lies beside it.
    std::optional<HiddenFile> hidden_by_script(const std::string& program) const {
        if (sandbox::is_of_system(program) ||
            interpreter_file(program, command_.search_path).empty())
            return std::nullopt;
        auto folder = fs::path(program).parent_path();
        if (folder.filename() == "shims") folder = folder.parent_path();
        if (sees(folder.string())) return std::nullopt;
        return HiddenFile{"what " + program + ", a script, may need from " + folder.string(),
                          folder.string()};
    }
    std::optional<HiddenFile> hidden_interpreter(const std::string& script) const {
        const auto interpreter = interpreter_file(script, command_.search_path);
        if (interpreter.empty() || !files::is_regular_file(interpreter)) return std::nullopt;
        return hidden_program("the interpreter of " + script + ",", interpreter);
    }

 private:
    const BotCommand& command_;
    std::vector<std::string> reads_;
    std::vector<std::string> real_reads_;
};

}  // namespace

VisibleFiles visible_files(const BotCommand& command) {
    VisibleFiles visible;
    const auto& bot = command.bot;
    const auto& program = command.program;
    if (bot.has_own_directory) {
        add(visible.reads, files::absolute_path(bot.directory, {}));
    } else {
        visible.named = files_named(command);
        std::erase_if(visible.named, [&](const auto& file) {
            return sandbox::is_of_system(file) || leads_away(file, command.folder);
        });
        for (const auto& file : visible.named) add(visible.reads, file);
    }
    const bool shown =
        !program.empty() && !sandbox::is_of_system(program) && files::is_regular_file(program);
    auto programs = programs_found(command);
    if (shown && (command.is_in_path || !leads_away(program, command.folder))) {
        add(visible.reads, program);
        if (bot.launch.front().starts_with('/')) programs.push_back(program);
    }
    for (const auto& prefix : installations(programs)) add(visible.reads, prefix);
    for (const auto& path : bot.reads) add(visible.reads, path);
    return visible;
}

std::string path_inside(const BotCommand& command) {
    const auto& bot = command.bot;
    const auto& search_path = command.search_path;
    if (process::path_in(bot.environment)) return search_path;
    auto needed = programs_found(command);
    needed.insert(needed.end(), {command.program, interpreter_file(command.program, search_path)});
    for (auto& each : needed) each = fs::path(each).parent_path().string();
    std::vector<std::string> kept;
    const auto keep = [&kept](const std::string& folder) {
        if (!base::contains(kept, folder)) kept.push_back(folder);
    };
    const auto plain = process::folders_of(process::plain_search_path);
    // In their order, so that each program is found where the referee itself finds it.
    for (const auto& folder : process::folders_of(search_path)) {
        if (!folder.starts_with('/')) continue;
        const bool is_plain = base::contains(plain, folder);
        const bool is_needed = base::contains(needed, folder);
        if (is_plain || is_needed || holds(bot.reads, files::absolute_path(folder, {})))
            keep(folder);
    }
    for (const auto& folder : plain) keep(folder);
    return base::joined(kept, ":");
}

std::optional<HiddenFile> hidden_file(const BotCommand& command) {
    const Looking looking(command);
    const auto& program = command.program;
    if (files::is_regular_file(program)) {
        if (auto hidden = looking.hidden_program("its program", program)) return hidden;
        if (auto hidden = looking.hidden_interpreter(program)) return hidden;
        if (command.is_in_path ||
            (command.bot.launch.front().starts_with('/') && is_installed(program))) {
            if (auto hidden = looking.hidden_by_script(program)) return hidden;
        }
    }
    for (const auto& file : files_named(command)) {
        if (auto hidden = looking.hidden("the file", file)) return hidden;
    }
    return std::nullopt;
}

std::string closed_to_others(const std::string& file, const std::string& from) {
    const auto closed = [](const std::string& path, mode_t needed, const std::string& chmod) {
        struct stat found = {};
        if (::stat(path.c_str(), &found) != 0 || (found.st_mode & needed) == needed)
            return std::string();
        return "can't read '" + path +
               "': a referee that runs as root gives each bot a user of its own, and that "
               "one may not; chmod " +
               chmod + " " + path;
    };
    std::string above;
    for (const auto& part : fs::path(file).parent_path()) {
        above = (fs::path(above) / part).string();
        if (!files::lies_in(above, from)) continue;
        if (auto why = closed(above, S_IXOTH, "o+x"); !why.empty()) return why;
    }
    return closed(file, S_IROTH, "o+r");
}

std::string closed_to_its_user(const BotCommand& command, sandbox::Tier tier) {
    auto files = files_named(command);
    const auto& program = command.program;
    if (files::is_regular_file(program) && !sandbox::is_of_system(program))
        files.push_back(program);
    const auto reads = visible_files(command).reads;
    for (const auto& file : files) {
        const auto root = std::ranges::find_if(
            reads, [&file](const auto& path) { return files::lies_in(file, path); });
        if (root == reads.end()) continue;
        // Namespaces show what it may see wherever that lies; without them each folder counts.
        const auto from = tier == sandbox::Tier::c ? std::string("/") : *root;
        if (auto why = closed_to_others(file, from); !why.empty()) return why;
    }
    return {};
}

}  // namespace referee::supply
