#include "referee/submit/build/recipe.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "protocol/base/bytes.h"
#include "protocol/base/find.h"
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

using Paths = std::vector<std::string>;
using Found = base::Result<Recipe, std::string>;

// Of a build file that is searched for compilers.
constexpr std::size_t build_file_bytes_max = 1024 * 1024;

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

// What lies right in the folder of the recipe, or below it; paths begin there.
Paths below(const std::vector<SourceFile>& files, const std::string& within) {
    Paths paths;
    for (const auto& file : files) {
        if (file.path.starts_with(within)) paths.push_back(file.path.substr(within.size()));
    }
    return paths;
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

Recipe java_of(const std::string& title, const std::string& within, const std::string& root) {
    return {.title = title,
            .within = within,
            .build = "mkdir -p classes && find " + root +
                     " -name '*.java' > sources.list && javac -d classes @sources.list",
            .run = {system_program("java"), "-cp", "classes"},
            .classes = "classes",
            .needs = {{"javac", "default-jdk-headless"}}};
}

constexpr const char* file_of_cmake = "CMakeLists.txt";
constexpr std::array files_of_make = {"Makefile", "makefile", "GNUmakefile"};

constexpr std::array endings_of_cpp = {".cpp", ".cc", ".cxx"};

// "a.txt, b.txt"
std::string in_words(const Paths& paths) {
    return paths.empty() ? "no file" : base::first_of(paths, paths_told_max);
}

Found by_interpreter(const Paths& paths, const std::string& within) {
    for (const auto& language : interpreted) {
        auto sources = with_ending(paths, language.ending, true);
        std::erase_if(sources, [](const auto& path) {
            return path.starts_with("referee_") || path == "Matrix.scm";
        });
        if (sources.empty()) continue;
        auto main = sources.size() == 1 ? sources.front() : std::string(language.main);
        if (!language.of_handout.empty() && base::contains(sources, language.of_handout))
            main = language.of_handout;
        if (!base::contains(sources, main))
            return base::failure(fmt::format(
                "expected one file with the ending {}, or one with the name {}, found {}",
                language.ending, language.main, in_words(sources)));
        auto run = base::command_of(std::string(language.interpreter));
        run.front() = system_program(run.front());
        run.push_back(std::move(main));
        return Recipe{
            .title = std::string(language.title), .within = within, .run = std::move(run)};
    }
    return base::failure(
        "expected a CMakeLists.txt, a Makefile, src/main/java, a jar, or files of one language in "
        "one folder (.c .cpp .java .py .rkt .scm .m .js), found " +
        in_words(paths));
}

Found found_here(const std::vector<SourceFile>& files, const std::string& within) {
    const auto paths = below(files, within);
    if (base::contains(paths, file_of_cmake))
        return Recipe{
            .title = file_of_cmake,
            .within = within,
            .build = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build",
            .needs = {{"cmake", "cmake"}, {"make", "make"}}};
    if (std::ranges::any_of(files_of_make,
                            [&](const auto* name) { return base::contains(paths, name); }))
        return Recipe{
            .title = "a Makefile", .within = within, .build = "make", .needs = {{"make", "make"}}};
    const auto sources = with_ending(paths, ".java", false);
    const bool by_maven = std::ranges::any_of(
        sources, [](const auto& path) { return path.starts_with("src/main/java/"); });
    if (by_maven) return java_of("the layout of Maven and Gradle", within, "src/main/java");
    if (!sources.empty()) return java_of("files of Java", within, ".");
    if (const auto jars = with_ending(paths, ".jar", true); jars.size() == 1)
        return Recipe{.title = "a jar",
                      .within = within,
                      .run = {system_program("java"), "-jar", jars.front()}};
    if (!with_ending(paths, ".c", true).empty())
        return Recipe{.title = "files of C",
                      .within = within,
                      .build = "gcc -O2 -o program *.c -lm",
                      .run = {"./program"},
                      .needs = {{"gcc", "gcc libc6-dev"}}};
    for (const auto* ending : endings_of_cpp) {
        if (with_ending(paths, ending, true).empty()) continue;
        return Recipe{.title = "files of C++",
                      .within = within,
                      .build = "g++ -O2 -std=c++17 -o program *" + std::string(ending),
                      .run = {"./program"},
                      .needs = {{"g++", "g++"}}};
    }
    return by_interpreter(paths, within);
}

// The innermost folder that holds all of the files: "team/"; empty: the submission's top. It is not
// looked for in a folder of that name: "src/".
std::string folder_around(const std::vector<SourceFile>& files, std::string_view closed) {
    std::string above;
    while (!files.empty()) {
        const auto slash = files.front().path.find('/', above.size());
        if (slash == std::string::npos) return above;
        const auto folder = files.front().path.substr(0, slash + 1);
        const bool holds_all = std::ranges::all_of(
            files, [&](const auto& file) { return file.path.starts_with(folder); });
        if (!holds_all || folder.substr(above.size()) == closed) return above;
        above = folder;
    }
    return above;
}

// Whether it tells where a submission is built or runs.
bool tells_place(const SourceFile& file) {
    const auto name = file.path.substr(file.path.rfind('/') + 1);  // npos + 1 is 0
    return name == file_of_cmake || base::contains(files_of_make, name) || name.ends_with(".jar") ||
           is_source(name);
}

// In the folder, else in the innermost one that holds all sources.
Found found_in(std::vector<SourceFile> files, const std::string& within) {
    auto found = found_here(files, within);
    if (found) return found;
    std::erase_if(files, [&](const auto& file) {
        return !file.path.starts_with(within) || !tells_place(file);
    });
    const auto innermost = folder_around(files, "");
    return innermost.size() > within.size() ? found_here(files, innermost) : found;
}

// What the build's command and its file name, and what make and CMake take where none is named.
Paths compilers_of(const Recipe& recipe, const std::string& folder, const Paths& paths) {
    auto told = recipe.build;
    const bool by_make = told.find("make") != std::string::npos;
    const auto read = [&](const char* name) {
        told +=
            "\n" + files::first_bytes(folder + "/" + recipe.within + name, build_file_bytes_max);
    };
    if (by_make) {
        read(file_of_cmake);
        std::ranges::for_each(files_of_make, read);
    }
    Paths compilers;
    const auto names = [&told](std::string_view word) {
        return told.find(word) != std::string::npos;
    };
    for (const auto* name : {"gcc", "g++", "clang", "javac"}) {
        if (names(name)) compilers.emplace_back(name);
    }
    if (!by_make) return compilers;
    const bool has_cpp = std::ranges::any_of(endings_of_cpp, [&](const auto* ending) {
        return !with_ending(paths, ending, false).empty();
    });
    // CMake looks for a compiler of C++ unless a project says that it is of C alone.
    const bool wants_cpp = has_cpp || (base::contains(paths, file_of_cmake) && !names(" C)"));
    if (!names("gcc") && !with_ending(paths, ".c", false).empty()) compilers.emplace_back("cc");
    if (!names("g++") && wants_cpp) compilers.emplace_back("c++");
    return compilers;
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
    return told + ", found " + in_words(paths);
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

}  // namespace

bool is_source(std::string_view name) {
    const auto ends = [name](const auto& ending) { return name.ends_with(ending); };
    return ends(".c") || ends(".java") || std::ranges::any_of(endings_of_cpp, ends) ||
           std::ranges::any_of(interpreted, ends, &Language::ending);
}

base::Result<std::vector<SourceFile>, std::string> files_below(const std::string& folder) {
    std::vector<SourceFile> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const auto status = entry->symlink_status(error);
        if (error) break;
        if (!fs::is_regular_file(status)) continue;
        files.push_back({entry->path().lexically_relative(folder).string(),
                         (status.permissions() & fs::perms::owner_exec) != fs::perms::none});
    }
    if (error) return base::failure(folder + " can't be read: " + error.message());
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

// It writes a file as large as a program may be, too: a limit of the machine may forbid that.
std::string trial_of(const std::string& compiler) {
    const std::string room = "head -c 16000000 /dev/zero > room && rm room && ";
    if (compiler == "javac")
        return room + "echo 'public class Trial {}' > Trial.java && javac Trial.java";
    if (compiler.ends_with("++"))
        return room +
               "printf '#include <iostream>\nint main() { std::cout << 1; }\n' > trial.cpp && " +
               compiler + " -o trial trial.cpp";
    return room +
           "printf '#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }\n' > trial.c "
           "&& " +
           compiler + " -o trial trial.c -lm";
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

base::Result<std::string, std::string> digest_of_built(const std::string& folder) {
    auto files = files_below(folder);
    if (!files) return base::failure(files.error());
    std::erase_if(*files, [](const auto& file) {
        return ('/' + file.path).find("/__pycache__/") != std::string::npos;
    });
    return digest_of(folder, *files);
}

Found recipe_in(const std::string& folder, const std::vector<SourceFile>& files,
                const Handout& handout) {
    // Students pack a folder in which there is nothing but a folder. "src" alone is a part of a
    // layout.
    Recipe recipe{.within = folder_around(files, "src/")};
    const bool is_beginning = handout.within == "." || handout.within == "./";
    if (!handout.within.empty() && !is_beginning) {
        auto named = folder_named(files, handout.within);
        if (!named) return base::failure(named.error());
        recipe.within = *std::move(named);
    }
    const bool says_run = !handout.run.empty();
    if (handout.build.empty()) {
        auto found = says_run ? found_here(files, recipe.within) : found_in(files, recipe.within);
        if (!found && !says_run) {
            const auto told = without_file_for(handout.interpreter, below(files, recipe.within));
            return told.empty() ? found : base::failure(told);
        }
        if (found) recipe = *std::move(found);
    } else {
        recipe.title = "the handout's command";
        recipe.build = handout.build;
    }
    if (says_run) {
        recipe.run = handout.run;
        recipe.classes.clear();
    }
    recipe.compilers = compilers_of(recipe, folder, below(files, recipe.within));
    if (handout.build.empty()) return recipe;
    const auto first = handout.build.substr(0, handout.build.find(' '));
    const bool is_plain = first.find_first_of("=$(;|&<>'\"./") == std::string::npos;
    static constexpr std::array<std::string_view, 6> own_words = {"cd", "export", "set",
                                                                  "if", "for",    "while"};
    if (is_plain && !base::contains(own_words, first)) recipe.needs = {{first, first}};
    return recipe;
}

}  // namespace referee::build
