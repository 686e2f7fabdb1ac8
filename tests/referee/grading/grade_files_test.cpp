#include <gtest/gtest.h>

#include <filesystem>

#include "referee/grading/grade_files.h"
#include "referee/grading/submission/submission.h"
#include "referee/submit/build/recipe.h"
#include "tests/folder_of_test.h"

// What is read of a tournament's standings for a step that gives points by place, and of a
// submission's files.

namespace referee::grading {
namespace {

TEST(ReadPlaces, TellWhoHasWhichPlaceAndWithWhat) {
    const tests::FolderOfTest folder;
    const auto read =
        read_places(folder.write("standings.json", R"({"tie_breaks": ["points"], "bots": [
        {"rank": 2, "name": "bob", "points": 7.5}, {"rank": 1, "name": "ann", "points": 9},
        {"rank": null, "name": "host", "house": true, "points": 8},
        {"rank": 2, "name": "cay", "points": 7.5}]})"))
            .value();
    std::string places;
    for (const auto& [place, name, figure] : read->placed)
        places += fmt::format("{} {} {}, ", place, name, figure);
    EXPECT_EQ(places, "1 ann 9, 2 bob 7.5, 2 cay 7.5, ") << "the house's bot has no place";
    EXPECT_EQ(read->by, "points");
    EXPECT_FALSE(read->open);
    const auto* const open = R"({"finished": false, "bots": [{"rank": 1, "name": "ann"}]})";
    EXPECT_TRUE(read_places(folder.write("open.json", open)).value()->open);
    EXPECT_FALSE(read_places("").value());
}

TEST(ReadPlaces, ThatAreNoneAreRefused) {
    const tests::FolderOfTest folder;
    for (const auto& [text, told] : std::map<std::string, std::string>{
             {"", "a tournament's standings.json, as a run writes it"},
             {R"({"bots": []})", "a tournament's standings.json, as a run writes it"},
             {R"({"bots": [{"name": "ann"}]})", "a \"name\" and a \"rank\" in each row"}})
        EXPECT_EQ(read_places(folder.write("a.json", text)).error(),
                  "--standings: " + folder.at("a.json") + ": expected " + told);
}

TEST(FilesOfAGrading, ThatAreNoneAreTold) {
    const tests::FolderOfTest folder;
    const auto wrong_with = [&folder](const std::string& text) {
        const auto read = read_tries(folder.write("tries.json", text));
        return read ? std::string() : read.error();
    };
    EXPECT_TRUE(wrong_with("{").ends_with("is no JSON"));
    for (const auto* wrong : {R"({"a": -1})", R"({"a": 10001})"})
        EXPECT_TRUE(wrong_with(wrong).ends_with("each series")) << wrong;
    folder.write("submission.json", "{");
    EXPECT_TRUE(submission_in(folder.path).error().ends_with("is no JSON"));
}

// What a disk lost, or somebody changed, is not judged as the student's.
TEST(BuiltSubmission, ThatIsNotAsItWasIsTold) {
    const tests::FolderOfTest folder;
    folder.write("build/bot.py", "print()\n");
    const auto change = [&folder](const std::string& hash) {
        folder.write("submission.json", R"({"name": "ann", "command": ["python3", "bot.py"],
            "directory": "build", "build": {"result": "not_needed", "hash": ")" +
                                            hash + R"("}})");
        return change_of_collected(submission_in(folder.path).value());
    };
    const auto hash = build::digest_of_built(folder.at("build")).value();
    EXPECT_EQ(change(hash), "");
    EXPECT_EQ(change(""), "") << "nobody knows";
    folder.write("build/lib/__pycache__/moves.pyc", "x");
    EXPECT_EQ(change(hash), "") << "Python writes that";
    std::filesystem::permissions(folder.at("build/bot.py"), std::filesystem::perms(0755));
    EXPECT_NE(change(hash), "") << "the right to run it is a part of it";
    std::filesystem::permissions(folder.at("build/bot.py"), std::filesystem::perms(0644));
    folder.write("build/bot.py", "pri");
    EXPECT_TRUE(change(hash).ends_with("collect the submissions again, which builds it anew"));
    std::filesystem::remove_all(folder.at("build"));
    EXPECT_NE(change(hash), "");
}

TEST(SubmissionsIn, ALinkThatLeadsNowhereIsNoSubmission) {
    const tests::FolderOfTest folder;
    std::filesystem::create_symlink("nowhere", folder.at("link"));
    const auto found = submissions_in(folder.path);
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().front().find("; found none"), std::string::npos)
        << found.error().front();
}

}  // namespace
}  // namespace referee::grading
