#include "referee/submit/build/recipe.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "tests/folder_of_test.h"

namespace referee::build {
namespace {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

class RecipeTest : public testing::Test {
 protected:
    base::Result<Recipe, std::string> recipe_of(const Files& files, const Handout& handout = {}) {
        for (const auto& entry : fs::directory_iterator(folder_.path)) fs::remove_all(entry.path());
        for (const auto& [path, text] : files) folder_.write(path, text);
        return recipe_in(folder_.path, files_below(folder_.path), handout);
    }

    const tests::FolderOfTest folder_;
};

constexpr const char* java_main = "class X { public static void main(String[] a) {} }";

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
        {{{"pom.xml", ""}, {"src/main/java/t/Go.java", java_main}},
         "the layout of Maven and Gradle",
         "",
         "Go"},
        {{{"src/main/java/t/Go.java", java_main}}, "the layout of Maven and Gradle", "", "Go"},
        {{{"A.java", "class A {}"}, {"B.java", java_main}}, "files of Java", "", "B"},
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
        {{{"A.java", "class A {}"}}, "expected one class with a main method, found none"},
        {{{"A.java", java_main}, {"B.java", java_main}}, "found A, B"},
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
    const auto run = recipe_of(files, {"", "", {"./x"}});
    ASSERT_TRUE(run) << "what runs it is known, and there is nothing to build";
    EXPECT_EQ(run->run, std::vector<std::string>{"./x"});
}

TEST_F(RecipeTest, TheDigestIsOfNamesContentsAndRights) {
    const auto digest = [this](const Files& files) {
        EXPECT_TRUE(recipe_of(files, {"x", "", {}}));
        return digest_of(folder_.path, files_below(folder_.path)).value();
    };
    const auto first = digest({{"a", "1"}, {"b", "2"}});
    EXPECT_EQ(first, digest({{"b", "2"}, {"a", "1"}}));
    EXPECT_NE(first, digest({{"a", "2"}, {"b", "1"}}));
    EXPECT_NE(first, digest({{"a", "1"}, {"c", "2"}}));
    fs::permissions(folder_.at("a"), fs::perms::owner_exec, fs::perm_options::add);
    EXPECT_NE(digest_of(folder_.path, files_below(folder_.path)).value(), first);
}

TEST(MainClass, PassesOverCommentsAndStrings) {
    EXPECT_EQ(
        main_class_in("/* c */ package a . b;\npublic class M { static void main (String[] x){} }",
                      "M.java"),
        "a.b.M");
    EXPECT_EQ(main_class_in("class M { public  static\n void main(String[] x){} }", "M.java"), "M");
    for (const std::string text :
         {"class M { // static void main(\n}", "class M { String s = \"static void main(\"; }",
          "class M { char c = '\"'; /* static void main( */ }", "", "/* open", "\"open"})
        EXPECT_EQ(main_class_in(text, "M.java"), std::nullopt) << text;
}

}  // namespace
}  // namespace referee::build
