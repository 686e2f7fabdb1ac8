#include "referee/submit/build/recipe.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/files/file.h"

namespace referee::build {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 64 * 1024;
constexpr std::size_t paths_told_max = 5;

base::Result<base::Digest, std::string> digest_of_file(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    base::Hasher hasher;
    std::vector<char> piece(piece_bytes);
    while (stream) {
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        hasher.add({piece.data(), static_cast<std::size_t>(stream.gcount())});
    }
    if (!stream.eof()) return base::failure(file + " can't be read");
    return hasher.finish();
}

// The same text with blanks for comments and for what stands in quotes.
std::string code_of(std::string_view source) {
    std::string code;
    while (!source.empty()) {
        std::size_t length = 1;
        bool is_code = false;
        if (source.starts_with("//")) {
            length = std::min(source.find('\n'), source.size());
        } else if (source.starts_with("/*")) {
            const auto end = source.find("*/", 2);
            length = end == std::string_view::npos ? source.size() : end + 2;
        } else if (source.front() == '"' || source.front() == '\'') {
            const char quote = source.front();
            while (length < source.size() && source[length] != quote && source[length] != '\n')
                length += source[length] == '\\' ? 2 : 1;
            length = std::min(length + 1, source.size());
        } else {
            is_code = true;
        }
        if (is_code)
            code += source.front();
        else
            code += ' ';
        source.remove_prefix(length);
    }
    return code;
}

bool is_blank(char byte) {
    return std::isspace(static_cast<unsigned char>(byte)) != 0;
}

std::string with_single_blanks(const std::string& code) {
    std::string text;
    for (const char byte : code) {
        if (!is_blank(byte))
            text += byte;
        else if (!text.empty() && text.back() != ' ')
            text += ' ';
    }
    return text;
}

std::string package_of(const std::string& code) {
    constexpr std::string_view word = "package ";
    const auto begin = code.find_first_not_of(' ');
    if (begin == std::string::npos || code.compare(begin, word.size(), word) != 0) return {};
    const auto name = begin + word.size();
    auto package = code.substr(name, code.find(';', name) - name);
    std::erase(package, ' ');
    return package;
}

using Paths = std::vector<std::string>;
using Found = base::Result<Recipe, std::string>;

// Of a source file that is searched for a main method.
constexpr std::size_t source_bytes_max = 1024 * 1024;

// Languages in the order in which they are looked for. A kit of the referee is never the program,
// nor is what a handout gives to all.
struct Language {
    std::string_view title;
    std::string_view ending;
    std::string_view interpreter;   // empty: it is compiled
    std::string_view main;          // which of several files is the program
    std::string_view of_handout{};  // the same by a course's handout
};
constexpr std::array interpreted = {
    Language{"a file of Python", ".py", "python3", "main.py"},
    Language{"a file of Racket", ".rkt", "racket", "main.rkt"},
    Language{"a file of Scheme", ".scm", "racket", "main.scm"},
    Language{"a file of Octave", ".m", "octave-cli --no-gui --no-history --quiet", "main.m",
             "e7planets_player.m"},
    Language{"a file of JavaScript", ".js", "node", "main.js"},
};

std::string name_in(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

// What lies right in the folder of the recipe, or below it; paths begin there.
Paths below(const std::vector<SourceFile>& files, const std::string& within) {
    Paths paths;
    for (const auto& file : files) {
        if (file.path.starts_with(within)) paths.push_back(file.path.substr(within.size()));
    }
    return paths;
}

bool has(const Paths& paths, std::string_view path) {
    return std::ranges::find(paths, path) != paths.end();
}

Paths with_ending(const Paths& paths, std::string_view ending, bool right_here) {
    Paths found;
    for (const auto& path : paths) {
        if (path.ends_with(ending) && !(right_here && path.find('/') != std::string::npos))
            found.push_back(path);
    }
    return found;
}

// The system's own, since a version manager's lies in somebody's home, which no sandbox shows.
std::string system_program(const std::string& name) {
    const auto file = "/usr/bin/" + name;
    return files::is_there(file) ? file : name;
}

// Where java's main method is, among files below the folder.
base::Result<std::string, std::string> main_class_of(const std::string& folder,
                                                     const Paths& sources) {
    Paths classes;
    for (const auto& path : sources) {
        const auto text = files::first_bytes(folder + "/" + path, source_bytes_max);
        const auto name = name_in(path);
        if (name.starts_with("RefereeBot")) continue;
        if (auto found = main_class_in(text, name)) classes.push_back(*std::move(found));
    }
    if (classes.size() == 1) return classes.front();
    if (has(classes, "Main")) return std::string("Main");
    return base::failure(
        "expected one class with a main method, found " +
        (classes.empty() ? std::string("none") : base::first_of(classes, paths_told_max)));
}

Found java_of(const std::string& folder, Recipe recipe, const Paths& sources,
              const std::string& source_root) {
    const auto main_class = main_class_of(folder, sources);
    if (!main_class) return base::failure(main_class.error());
    recipe.build = "mkdir -p classes && find " + source_root +
                   " -name '*.java' > sources.list && javac -d classes @sources.list";
    recipe.run = {system_program("java"), "-cp", "classes", *main_class};
    recipe.needs = {{"javac", "default-jdk-headless"}};
    return recipe;
}

std::optional<Recipe> by_build_file(const Paths& paths, Recipe recipe) {
    if (has(paths, "CMakeLists.txt")) {
        recipe.title = "CMakeLists.txt";
        recipe.build = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build";
        recipe.needs = {{"cmake", "cmake"}, {"make", "make"}};
        return recipe;
    }
    for (const auto* name : {"Makefile", "makefile", "GNUmakefile"}) {
        if (!has(paths, name)) continue;
        recipe.title = "a Makefile";
        recipe.build = "make";
        recipe.needs = {{"make", "make"}};
        return recipe;
    }
    return std::nullopt;
}

std::optional<Recipe> compiled(const Paths& paths, Recipe recipe) {
    if (const auto sources = with_ending(paths, ".c", true); !sources.empty()) {
        recipe.title = "files of C";
        recipe.build = "gcc -O2 -o program *.c -lm";
        recipe.run = {"./program"};
        recipe.needs = {{"gcc", "gcc libc6-dev"}};
        return recipe;
    }
    for (const auto* ending : {".cpp", ".cc", ".cxx"}) {
        if (with_ending(paths, ending, true).empty()) continue;
        recipe.title = "files of C++";
        recipe.build = "g++ -O2 -std=c++17 -o program *" + std::string(ending);
        recipe.run = {"./program"};
        recipe.needs = {{"g++", "g++"}};
        return recipe;
    }
    return std::nullopt;
}

Found by_interpreter(const Paths& paths, Recipe recipe) {
    for (const auto& language : interpreted) {
        auto sources = with_ending(paths, language.ending, true);
        std::erase_if(sources, [](const auto& path) {
            return path.starts_with("referee_") || path == "Matrix.scm";
        });
        if (sources.empty()) continue;
        auto main = sources.size() == 1 ? sources.front() : std::string(language.main);
        if (!language.of_handout.empty() && has(sources, language.of_handout))
            main = language.of_handout;
        if (!has(sources, main))
            return base::failure("expected one file with the ending " +
                                 std::string(language.ending) + ", or one with the name " +
                                 std::string(language.main) + ", found " +
                                 base::first_of(sources, paths_told_max));
        recipe.title = language.title;
        recipe.run = base::command_of(std::string(language.interpreter));
        recipe.run.front() = system_program(recipe.run.front());
        recipe.run.push_back(std::move(main));
        return recipe;
    }
    return base::failure(
        "expected a CMakeLists.txt, a Makefile, src/main/java, a jar, or files of one language "
        "(.c .cpp .java .py .rkt .scm .m .js), found " +
        (paths.empty() ? std::string("no file") : base::first_of(paths, paths_told_max)));
}

Found found_in(const std::string& folder, const std::vector<SourceFile>& files, Recipe recipe) {
    const auto here = folder + "/" + recipe.within;
    const auto paths = below(files, recipe.within);
    if (auto found = by_build_file(paths, recipe)) return *std::move(found);
    Paths layout;
    for (const auto& path : with_ending(paths, ".java", false)) {
        if (path.starts_with("src/main/java/")) layout.push_back(path);
    }
    if (!layout.empty()) {
        recipe.title = "the layout of Maven and Gradle";
        return java_of(here, recipe, layout, "src/main/java");
    }
    if (const auto sources = with_ending(paths, ".java", false); !sources.empty()) {
        recipe.title = "files of Java";
        return java_of(here, recipe, sources, ".");
    }
    if (const auto jars = with_ending(paths, ".jar", true); jars.size() == 1) {
        recipe.title = "a jar";
        recipe.run = {system_program("java"), "-jar", jars.front()};
        return recipe;
    }
    if (auto found = compiled(paths, recipe)) return *std::move(found);
    return by_interpreter(paths, recipe);
}

// "expected a file of Octave (.m), found a.txt"; empty where there is one.
std::string without_file_for(std::string_view interpreter, const Paths& paths) {
    std::string told;
    for (const auto& language : interpreted) {
        if (!language.interpreter.starts_with(interpreter)) continue;
        if (interpreter.empty() || !with_ending(paths, language.ending, false).empty()) return {};
        told += (told.empty() ? "expected " : " or ") + std::string(language.title) + " (" +
                std::string(language.ending) + ")";
    }
    return told + ", found " +
           (paths.empty() ? std::string("no file") : base::first_of(paths, paths_told_max));
}

// "iap" or "iap/" of a handout, wherever in the submission it lies: "team/iap/".
base::Result<std::string, std::string> folder_named(const std::vector<SourceFile>& files,
                                                    std::string name) {
    if (!name.ends_with('/')) name += '/';
    for (const auto& file : files) {
        if (file.path.starts_with(name)) return name;
    }
    for (const auto& file : files) {
        const auto place = file.path.find("/" + name);
        if (place != std::string::npos) return file.path.substr(0, place + 1 + name.size());
    }
    return base::failure("expected a folder " + name + ", as the handout says, found none");
}

// The folder below `folder` in which a submission really begins: students pack a folder in which
// there is nothing but a folder. Empty: the folder itself.
std::string beginning_in(const std::vector<SourceFile>& files) {
    std::string above;
    while (!files.empty()) {
        const auto slash = files.front().path.find('/', above.size());
        if (slash == std::string::npos) return above;
        const auto folder = files.front().path.substr(0, slash + 1);
        const bool holds_all = std::ranges::all_of(
            files, [&](const auto& file) { return file.path.starts_with(folder); });
        // "src" alone is a part of a layout.
        if (!holds_all || folder.substr(above.size()) == "src/") return above;
        above = folder;
    }
    return above;
}

}  // namespace

std::vector<SourceFile> files_below(const std::string& folder) {
    std::vector<SourceFile> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->is_symlink(error) || !entry->is_regular_file(error)) continue;
        const auto mode = entry->status(error).permissions();
        files.push_back({entry->path().lexically_relative(folder).string(),
                         (mode & fs::perms::owner_exec) != fs::perms::none,
                         entry->file_size(error)});
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files) {
    base::Hasher hasher;
    for (const auto& file : files) {
        const auto digest = digest_of_file(folder + "/" + file.path);
        if (!digest) return base::failure(digest.error());
        hasher.add(
            fmt::format("{}:{}{}", file.path.size(), file.path, file.executable ? "*" : " "));
        hasher.add(*digest);
    }
    return base::hex_of(hasher.finish());
}

std::optional<std::string> main_class_in(std::string_view source, std::string_view file_name) {
    const auto code = with_single_blanks(code_of(source));
    const bool has_main = code.find("static void main(") != std::string::npos ||
                          code.find("static void main (") != std::string::npos;
    if (!has_main) return std::nullopt;
    const auto package = package_of(code);
    const auto name = std::string(file_name.substr(0, file_name.rfind('.')));
    return package.empty() ? name : package + "." + name;
}

Found recipe_in(const std::string& folder, const std::vector<SourceFile>& files,
                const Handout& handout) {
    Recipe recipe;
    recipe.within = beginning_in(files);
    const bool is_beginning = handout.within == "." || handout.within == "./";
    if (!handout.within.empty() && !is_beginning) {
        auto named = folder_named(files, handout.within);
        if (!named) return base::failure(named.error());
        recipe.within = *std::move(named);
    }
    if (handout.build.empty()) {
        auto found = found_in(folder, files, recipe);
        if (!found && handout.run.empty()) {
            const auto told = without_file_for(handout.interpreter, below(files, recipe.within));
            return told.empty() ? found : base::failure(told);
        }
        if (found) recipe = *std::move(found);
        if (!handout.run.empty()) recipe.run = handout.run;
        return recipe;
    }
    recipe.title = "the handout's command";
    recipe.build = handout.build;
    recipe.run = handout.run;
    const auto first = handout.build.substr(0, handout.build.find(' '));
    const bool is_plain = first.find_first_of("=$(;|&<>'\"./") == std::string::npos;
    static constexpr std::array<std::string_view, 6> own_words = {"cd", "export", "set",
                                                                  "if", "for",    "while"};
    if (is_plain && std::ranges::find(own_words, first) == own_words.end())
        recipe.needs = {{first, first}};
    return recipe;
}

}  // namespace referee::build
