#include "referee/submit/build/built_program.h"

#include <algorithm>
#include <set>

#include "referee/files/named_file.h"

namespace referee::build {
namespace {

constexpr std::string_view elf_begins =
    "\x7F"
    "ELF";
constexpr std::string_view script_begins = "#!";

bool is_program(const std::string& folder, const SourceFile& file, std::string_view begins) {
    if (!file.executable || file.path.find("CMakeFiles/") != std::string::npos) return false;
    if (file.path.ends_with(".so") || file.path.ends_with(".o")) return false;
    return files::first_bytes(folder + "/" + file.path, begins.size()) == begins;
}

// The programs of the kind that the build made, as paths in the folder where it worked.
std::vector<std::string> made(const std::string& folder, const std::set<std::string>& known,
                              const std::string& within, std::string_view begins) {
    std::vector<std::string> programs;
    for (const auto& file : files_below(folder)) {
        if (!file.path.starts_with(within) || !is_program(folder, file, begins)) continue;
        if (!known.contains(file.path)) programs.push_back(file.path.substr(within.size()));
    }
    return programs;
}

}  // namespace

base::Result<std::vector<std::string>, std::string> built_program(
    const std::string& folder, const std::vector<SourceFile>& before, const Recipe& recipe) {
    const auto here = folder + "/" + recipe.within;
    if (!recipe.run.empty()) {
        const auto& first = recipe.run.front();
        const bool is_here = first.starts_with("./");
        if (is_here && files::first_bytes(here + first, 1).empty())
            return base::failure("the build made no program " + first);
        return recipe.run;
    }
    std::set<std::string> known;
    for (const auto& file : before) known.insert(file.path);
    auto programs = made(folder, known, recipe.within, elf_begins);
    // A build may leave scripts beside the program that it makes; without one, a script is it.
    if (programs.empty()) programs = made(folder, known, recipe.within, script_begins);
    if (programs.size() == 1) return std::vector<std::string>{"./" + programs.front()};
    if (programs.empty()) return base::failure(std::string("the build made no program"));
    std::string names;
    for (const auto& name : programs) names += (names.empty() ? "" : ", ") + name;
    return base::failure("expected one program, the build made " + names +
                         "; --run says which one plays");
}

}  // namespace referee::build
