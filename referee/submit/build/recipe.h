#pragma once

// What was handed in, and how it is built and run: found in its files, or said by the instructor.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

namespace referee::build {

struct SourceFile {
    std::string path;  // below the folder
    bool executable = false;
    std::uint64_t bytes = 0;
};

// All regular files below it, in the order of their paths; no link is followed. Empty where the
// folder can't be read.
std::vector<SourceFile> files_below(const std::string& folder);

// What all of them hold and how they are named, in hexadecimal digits. An error names the file that
// can't be read.
base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files);

// The class that java starts for this source text, where it has a main method: "team.Main".
// Comments and strings are passed over.
std::optional<std::string> main_class_in(std::string_view source, std::string_view file_name);

// How a submission is built and run.
struct Recipe {
    std::string title;  // "a Makefile", "files of C"
    // Below the submission: where the command works and the program runs. Empty: its top.
    std::string within;
    std::string build;  // a command of a shell; empty: nothing is to be built
    // The program's words. Empty: the one program that the build makes.
    std::vector<std::string> run;
    // Programs of the system that the build can't do without, and the packages that have them.
    struct Need {
        std::string program;
        std::string package;
    };
    std::vector<Need> needs;
};

// What the instructor says of all submissions; empty members are found in each one.
struct Handout {
    std::string build;
    std::string within;
    std::vector<std::string> run;
    std::string interpreter{};  // that runs all programs of their kind
};

// The recipe of a submission in this folder: the handout's, or what its files tell: CMakeLists.txt,
// a Makefile, the layout of Maven and Gradle, a jar, or the files of one language. An error says
// what was expected and what was found, for the student.
base::Result<Recipe, std::string> recipe_in(const std::string& folder,
                                            const std::vector<SourceFile>& files,
                                            const Handout& handout);

}  // namespace referee::build
