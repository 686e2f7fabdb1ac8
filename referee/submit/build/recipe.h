#pragma once

#include <string>
#include <vector>

#include "protocol/base/result.h"
#include "referee/submit/build/source_files.h"

namespace referee::build {

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
};

// The recipe of a submission in this folder: the handout's, or what its files tell: CMakeLists.txt,
// a Makefile, the layout of Maven and Gradle, a jar, or the files of one language. An error says
// what was expected and what was found, for the student.
base::Result<Recipe, std::string> recipe_in(const std::string& folder,
                                            const std::vector<SourceFile>& files,
                                            const Handout& handout);

}  // namespace referee::build
