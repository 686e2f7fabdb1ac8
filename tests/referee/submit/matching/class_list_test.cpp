#include <gtest/gtest.h>

#include "referee/submit/matching/class_list.h"

namespace referee::matching {
namespace {

using exports::Submission;

ClassList class_list() {
    const auto roster = roster::read_roster(
        "name,student_id,email,team,full_name,login,canvas_id\n"
        "ann,1001,ann.lee@example.edu,red,Ann Lee,annlee99,501\n"
        "bob,1002,bob@example.edu,red,Robert Ray,bobray,502\n"
        "zoe,1003,zoe@example.edu,blue,\"Garc\xC3\xAD"
        "a L\xC3\xB3pez, Zo\xC3\xAB\",zoe-g,503\n"
        "sam1,1004,sam1@example.edu,,Sam Smith,,\n"
        "sam2,1005,sam2@example.edu,,Sam Smith,,\n"
        "lukas,1006,lukas@example.edu,,\xC5\x81ukasz \xC3\x98re,,\n");
    EXPECT_TRUE(roster);
    return ClassList(*roster);
}

std::string bots_of(const ClassList& people, const Found& found) {
    std::string text;
    for (const auto place : found.people) text += people.people()[place].bot + " ";
    return text;
}

TEST(FindStudents, ByWhateverTheServiceTells) {
    const auto people = class_list();
    struct Case {
        exports::Submitter submitter;
        std::string bots;
        std::string told;  // how, or a part of the doubt
    };
    const std::vector<Case> cases = {
        {{"", "1002", ""}, "bob ", "by id"},
        {{"", "502", ""}, "bob ", "by id"},
        {{"Whoever", "", "ZOE@example.edu"}, "zoe ", "by e-mail address"},
        {{"Ann Lee", "", ""}, "ann ", "by name"},
        {{"Lee, Ann", "", ""}, "ann ", "by name"},
        {{"leeann", "", ""}, "ann ", "by name"},
        {{"ANN LEE", "", ""}, "ann ", "by name"},
        {{"Zoe Garcia Lopez", "", ""}, "zoe ", "by name"},
        {{"garcialopezzoe", "", ""}, "zoe ", "by name"},
        {{"Lukasz Ore", "", ""}, "lukas ", "by name"},
        {{"Red-Ann Lee", "", ""}, "ann ", "by name"},
        {{"Ann Le", "", ""}, "", "is it ann (Ann Lee)?"},
        {{"Sam Smith", "", ""}, "", "sam1 (Sam Smith) or sam2 (Sam Smith)"},
        {{"Nobody Known", "", ""}, "", "nobody of the roster is Nobody Known"},
        {{"", "", ""}, "", "somebody without a name"},
    };
    for (const auto& [submitter, bots, told] : cases) {
        Submission submission;
        submission.key = "k";
        submission.submitters = {submitter};
        const auto found = find_students(people, submission);
        EXPECT_EQ(bots_of(people, found), bots) << submitter.name << submitter.id;
        EXPECT_NE((found.how + found.doubt).find(told), std::string::npos)
            << submitter.name << ": " << found.how << found.doubt;
    }
}

TEST(FindStudents, ByTheEndOfAFoldersName) {
    const auto people = class_list();
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"snake-annlee99", "ann "},     {"snake-1-zoe-g", "zoe "}, {"bob", "bob "},
        {"assignment-red", "ann bob "}, {"1003", "zoe "},          {"snake-ann.lee", "ann "},
        {"snake-annlee98", ""},         {"sam-smith", ""},         {"x", ""}};
    for (const auto& [key, bots] : cases) {
        Submission submission;
        submission.key = key;
        submission.key_names_student = true;
        const auto found = find_students(people, submission);
        EXPECT_EQ(bots_of(people, found), bots) << key;
        EXPECT_EQ(found.doubt.empty(), !bots.empty()) << key << found.doubt;
    }
}

TEST(FindStudents, AGroupNeedsAllOfItsMembers) {
    const auto people = class_list();
    Submission submission;
    submission.submitters = {{"Ann Lee", "", ""}, {"Bob Nobody", "", ""}};
    const auto found = find_students(people, submission);
    EXPECT_EQ(bots_of(people, found), "ann ");
    EXPECT_NE(found.doubt.find("Bob Nobody"), std::string::npos);
}

}  // namespace
}  // namespace referee::matching
