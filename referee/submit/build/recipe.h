#pragma once

// What was handed in, and how it is built and run: found in its files, or said by the instructor.

#include <string>
#include <string_view>
#include <vector>

#include "protocol/base/result.h"

namespace referee::build {

struct SourceFile {
    std::string path;  // below the folder
    bool executable = false;
};

// All regular files below it, in the order of their paths; no link is followed. An error names the
// folder, which can't be read to its end.
base::Result<std::vector<SourceFile>, std::string> files_below(const std::string& folder);

// Whether a file of that name is of a language in which programs are handed in.
bool is_source(std::string_view name);

// What all of them hold and how they are named, in hexadecimal digits. An error names the file that
// can't be read.
base::Result<std::string, std::string> digest_of(const std::string& folder,
                                                 const std::vector<SourceFile>& files);
// The same of all that was built in this folder, but for what Python adds when it runs.
base::Result<std::string, std::string> digest_of_built(const std::string& folder);

// How a submission is built and run.
struct Recipe {
    std::string title{};  // "a Makefile", "files of C"
    // Below the submission: where the command works and the program runs. Empty: its top.
    std::string within{};
    std::string build{};  // a command of a shell; empty: nothing is to be built
    // The program's words. Empty: the one program that the build makes.
    std::vector<std::string> run{};
    // Below `within`: the class with the main method is found there, and is the last word of `run`.
    // Empty: `run` is whole.
    std::string classes{};
    // Programs of the system that the build can't do without, and the packages that have them.
    struct Need {
        std::string program;
        std::string package;
    };
    std::vector<Need> needs{};
    // Compilers that the build takes: where one of them can't build anything, a build that fails is
    // no fault of what was handed in.
    std::vector<std::string> compilers{};
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

// A command that builds a tiny program by this compiler ("gcc", "javac"), in an empty folder.
std::string trial_of(const std::string& compiler);

}  // namespace referee::build
