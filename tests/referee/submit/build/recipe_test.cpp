#include "referee/submit/build/build.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/folder_of_test.h"
#include "tests/no_descriptors_left.h"

namespace referee::build {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

class RecipeTest : public testing::Test {
 protected:
    base::Result<Recipe, std::string> recipe_of(const Files& files, const Handout& handout = {}) {
        for (const auto& entry : fs::directory_iterator(folder_.path)) fs::remove_all(entry.path());
        for (const auto& [path, text] : files) folder_.write(path, text);
        return recipe_in(folder_.path, files_below(folder_.path).value(), handout);
    }

    const tests::FolderOfTest folder_;
};

TEST_F(RecipeTest, IsFoundInTheFiles) {
    struct Case {
        Files files;
        std::string title;
        std::string within;
        std::string last_word;  // of what runs it; empty: what the build makes
    };
    const std::vector<Case> cases = {
        {{{"CMakeLists.txt", ""}, {"Makefile", ""}, {"a.c", ""}}, "CMakeLists.txt", "", ""},
        {{{"team/Makefile", ""}, {"team/a.c", ""}}, "a Makefile", "team/", ""},
        {{{"a.c", ""}, {"a.h", ""}}, "files of C", "", "./program"},
        {{{"x/y/a.cpp", ""}, {"x/y/z/b.h", ""}}, "files of C++", "x/y/", "./program"},
        {{{"pom.xml", ""}, {"src/main/java/t/Go.java", ""}},
         "the layout of Maven and Gradle",
         "",
         "classes"},
        {{{"src/main/java/t/Go.java", ""}}, "the layout of Maven and Gradle", "", "classes"},
        {{{"A.java", "class A {}"}, {"B.java", ""}}, "files of Java", "", "classes"},
        {{{"Walls.jar", "PK"}}, "a jar", "", "Walls.jar"},
        {{{"bot.py", ""}, {"referee_bot.py", ""}}, "a file of Python", "", "bot.py"},
        {{{"main.py", ""}, {"moves.py", ""}}, "a file of Python", "", "main.py"},
        {{{"bot.rkt", ""}}, "a file of Racket", "", "bot.rkt"},
        {{{"e7planets_player.m", ""}}, "a file of Octave", "", "e7planets_player.m"},
        {{{"e7planets_player.m", ""}, {"nearest.m", ""}},
         "a file of Octave",
         "",
         "e7planets_player.m"},
        {{{"cycles.scm", ""}, {"Matrix.scm", ""}}, "a file of Scheme", "", "cycles.scm"},
        {{{"bot.js", ""}}, "a file of JavaScript", "", "bot.js"},
        {{{"src/main.c", ""}}, "files of C", "src/", "./program"},
        {{{"src/main.c", ""}, {"include/x.h", ""}}, "files of C", "src/", "./program"},
        {{{"bot/main.c", ""}, {"report.pdf", ""}}, "files of C", "bot/", "./program"},
        {{{"src/main.py", ""}, {"README.md", ""}}, "a file of Python", "src/", "main.py"},
        {{{"bot/Makefile", ""}, {"bot/src/a.c", ""}, {"README.md", ""}}, "a Makefile", "bot/", ""},
        {{{"a.c", ""}, {"sub/b.c", ""}}, "files of C", "", "./program"},
    };
    for (const auto& [files, title, within, last_word] : cases) {
        const auto recipe = recipe_of(files);
        ASSERT_TRUE(recipe) << title << ": " << recipe.error();
        EXPECT_EQ(recipe->title, title);
        EXPECT_EQ(recipe->within, within) << title;
        EXPECT_EQ(recipe->run.empty() ? "" : recipe->run.back(), last_word) << title;
    }
}

TEST_F(RecipeTest, WhatIsWrongIsTold) {
    const std::vector<std::pair<Files, std::string>> cases = {
        {{}, "found no file"},
        {{{"report.pdf", ""}, {"notes.txt", ""}}, "found notes.txt, report.pdf"},
        {{{"a.py", ""}, {"b.py", ""}}, "or one with the name main.py, found a.py, b.py"},
        {{{"src/a.c", ""}, {"lib/b.c", ""}}, "one language in one folder (.c .cpp"},
    };
    for (const auto& [files, told] : cases) {
        const auto recipe = recipe_of(files);
        ASSERT_FALSE(recipe) << told;
        EXPECT_NE(recipe.error().find(told), std::string::npos) << recipe.error();
    }
    const auto of_kind = [this](const Files& files, const std::string& interpreter) {
        return recipe_of(files, {"", "", {}, interpreter}).error();
    };
    EXPECT_EQ(of_kind({{"a.txt", ""}}, "octave-cli"),
              "expected a file of Octave (.m), found a.txt");
    EXPECT_EQ(of_kind({}, "racket"),
              "expected a file of Racket (.rkt) or a file of Scheme (.scm), found no file");
    EXPECT_EQ(of_kind({{"a.m", ""}, {"b.m", ""}}, "octave-cli"),
              "expected one file with the ending .m, or one with the name main.m, found a.m, b.m");
}

// "Found no file" would be the student's fault.
TEST_F(RecipeTest, AFolderThatTheMachineCantReadIsTold) {
    folder_.write("src/main.c", "");
    EXPECT_EQ(files_below(folder_.path)->size(), 1U);
    const tests::NoDescriptorsLeft none;
    EXPECT_EQ(files_below(folder_.path).error(),
              folder_.path + " can't be read: Too many open files");
    EXPECT_FALSE(digest_of_built(folder_.path));
}

TEST_F(RecipeTest, TheHandoutsWordsComeFirst) {
    const Files files = {{"team/iap/main.c", ""}, {"team/report.pdf", ""}};
    const auto recipe = recipe_of(files, {"gcc *.c -o iap", "iap", {}});
    ASSERT_TRUE(recipe) << recipe.error();
    EXPECT_EQ(recipe->within, "team/iap/");
    EXPECT_EQ(recipe->build, "gcc *.c -o iap");
    EXPECT_EQ(recipe->needs.front().program, "gcc");
    const auto here = recipe_of({{"team/main.c", ""}}, {"gcc *.c -o iap", ".", {}});
    ASSERT_TRUE(here) << here.error();
    EXPECT_EQ(here->within, "team/");
    const auto missing = recipe_of(files, {"gcc *.c -o iap", "src", {}});
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().find("expected a folder src/"), std::string::npos);
    EXPECT_TRUE(recipe_of(files, {"cd iap; gcc *.c", "", {}})->needs.empty()) << "of a shell";
    const auto run = recipe_of(files, {"", "", {"./x"}});
    ASSERT_TRUE(run) << "what runs it is known, and there is nothing to build";
    EXPECT_EQ(run->run, std::vector<std::string>{"./x"});
}

TEST_F(RecipeTest, TheDigestIsOfNamesContentsAndRights) {
    const auto digest = [this](const Files& files) {
        EXPECT_TRUE(recipe_of(files, {"x", "", {}}));
        return digest_of(folder_.path, files_below(folder_.path).value()).value();
    };
    const auto first = digest({{"a", "1"}, {"b", "2"}});
    EXPECT_EQ(first, digest({{"b", "2"}, {"a", "1"}}));
    EXPECT_NE(first, digest({{"a", "2"}, {"b", "1"}}));
    EXPECT_NE(first, digest({{"a", "1"}, {"c", "2"}}));
    fs::permissions(folder_.at("a"), fs::perms::owner_exec, fs::perm_options::add);
    EXPECT_NE(digest_of(folder_.path, files_below(folder_.path).value()).value(), first);
}

TEST_F(RecipeTest, SaysWithWhichCompilersItIsBuilt) {
    struct Case {
        Files files;
        Handout handout;
        std::vector<std::string> compilers;
    };
    const std::vector<Case> cases = {
        {{{"a.c", ""}}, {}, {"gcc"}},
        {{{"a.cc", ""}}, {}, {"g++"}},
        {{{"A.java", ""}}, {}, {"javac"}},
        {{{"a.py", ""}}, {}, {}},
        {{{"Makefile", "a: a.c\n"}, {"src/a.c", ""}}, {}, {"cc"}},
        {{{"Makefile", "a: a.cpp\n"}, {"a.cpp", ""}}, {}, {"c++"}},
        {{{"Makefile", "CC = gcc\n"}, {"a.c", ""}}, {}, {"gcc"}},
        {{{"Makefile", "CXX = g++\n"}, {"a.cc", ""}}, {}, {"g++"}},
        {{{"CMakeLists.txt", "project(p)\n"}, {"a.c", ""}}, {}, {"cc", "c++"}},
        {{{"CMakeLists.txt", "project(p C)\n"}, {"a.c", ""}}, {}, {"cc"}},
        {{{"a.c", ""}}, {"cd x; gcc a.c", "", {}}, {"gcc"}},
        {{{"a.c", ""}}, {"CFLAGS=-O2 make bot", "", {}}, {"cc"}},
    };
    for (const auto& [files, handout, compilers] : cases)
        EXPECT_EQ(recipe_of(files, handout)->compilers, compilers) << files.begin()->first;
}

// A class file as javac lays it out, with one method.
std::string class_file(const std::string& name, const std::string& method = "main",
                       const std::string& takes = "([Ljava/lang/String;)V", int access = 9) {
    const auto number = [](std::size_t value) {
        return std::string{static_cast<char>(value >> 8U), static_cast<char>(value)};
    };
    const auto text = [&](const std::string& it) { return "\1" + number(it.size()) + it; };
    const std::string longs = "\5" + std::string(8, '\1');
    const auto none = number(0);
    return "\xCA\xFE\xBA\xBE" + none + number(61) + number(9) + text(name) + "\7" + number(1) +
           longs + text(method) + text(takes) + text("Code") + "\x0C" + number(1) + number(2) +
           number(0x21) + number(2) + none + none + number(1) + number(1) + number(1) + number(1) +
           number(1) + number(6) + none + number(2) + "ab" + number(1) +
           number(static_cast<std::size_t>(access)) + number(5) + number(6) + none + none;
}

TEST(ClassWithMain, IsReadFromTheClassFile) {
    const auto whole = class_file("team/Main");
    EXPECT_EQ(class_with_main(whole), "team.Main");
    EXPECT_EQ(class_with_main(class_file("Main", "main", "()V")), std::nullopt);
    EXPECT_EQ(class_with_main(class_file("Main", "mine")), std::nullopt);
    EXPECT_EQ(class_with_main(class_file("Main", "main", "([Ljava/lang/String;)V", 1)),
              std::nullopt);
    for (std::size_t i = 0; i + 4 < whole.size(); ++i) {
        EXPECT_EQ(class_with_main(std::string_view(whole).substr(0, i)), std::nullopt) << i;
        auto wrong = whole;
        wrong[i] = '\xFF';
        class_with_main(wrong);
    }
}

TEST(BuiltProgram, IsTheOneClassWithAMainMethod) {
    using Names = std::vector<std::string>;
    Recipe recipe;
    recipe.run = {"java", "-cp", "classes"};
    recipe.classes = "classes";
    const auto program = [&recipe](const Names& names) {
        const tests::FolderOfTest folder;
        fs::create_directories(folder.at("classes"));
        for (const auto& name : names) folder.write("classes/" + name + ".class", class_file(name));
        const auto built = built_program(folder.path, files_below(folder.path).value(), {}, recipe);
        return built ? built->back() : built.error();
    };
    EXPECT_EQ(program({"Player"}), "Player");
    EXPECT_EQ(program({"Bot", "Main"}), "Main");
    EXPECT_EQ(program({"Bot", "Bot$Inner"}), "Bot");
    EXPECT_EQ(program({}), "expected one class with a main method, found none");
    EXPECT_EQ(program({"A", "B"}), "expected one class with a main method, found A, B");
}

TEST(BuiltProgram, IsTheOneThatWasNotThereBefore) {
    const tests::FolderOfTest folder;
    const auto program = [&folder](const std::vector<SourceFile>& before) {
        const auto built = built_program(folder.path, files_below(folder.path).value(), before, {});
        return built ? built->back() : built.error();
    };
    const auto add = [&folder](const std::string& name, const std::string& text) {
        folder.write(name, text);
        fs::permissions(folder.at(name), fs::perms(0755));
    };
    add("bot.sh", "#!/bin/sh\n");
    EXPECT_EQ(program({}), "./bot.sh") << "a script, where there is nothing else";
    EXPECT_EQ(program({{"bot.sh"}}), "the build made no program");
    add("handed-in",
        "\x7F"
        "ELF");
    add("bot",
        "\x7F"
        "ELF");
    EXPECT_EQ(program({{"handed-in"}}), "./bot");
    EXPECT_EQ(program({}),
              "expected one program, the build made bot, handed-in; --run says which one plays");
}

}  // namespace
}  // namespace referee::build
