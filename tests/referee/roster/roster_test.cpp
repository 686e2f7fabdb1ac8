#include "referee/roster/roster.h"
#include "referee/roster/csv.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/folder_of_test.h"
#include "tests/referee/store/store_damage.h"

namespace referee::roster {
namespace {

const std::string hashed =
    std::string(hashed_token_begins) + "1000$0123456789abcdef$" + std::string(hash_digits, 'd');

TEST(ClassRoster, ReadsAllColumnsInAnyOrder) {
    const auto read = read_roster(
        "E-Mail;Team;Name;Student ID;Shoe size;token\n"
        "ann@example.edu;red;ann;007;A;plum-4242\n"
        ";;bob;;B;\n;;carl;;B;" +
        hashed + "\n");
    ASSERT_TRUE(read) << describe(read.error().front(), "f");
    ASSERT_EQ(read->roster.students().size(), 3U);
    const auto* ann = read->roster.named("ann");
    ASSERT_NE(ann, nullptr);
    EXPECT_EQ(ann->line, 2U);
    EXPECT_EQ(ann->student_id, "007");
    EXPECT_EQ(ann->email, "ann@example.edu");
    EXPECT_EQ(ann->team, "red");
    EXPECT_EQ(ann->token, "plum-4242");
    EXPECT_FALSE(ann->has_hashed_token());
    EXPECT_EQ(read->roster.named("bob")->token, "");
    EXPECT_TRUE(read->roster.named("carl")->has_hashed_token());
    EXPECT_EQ(read->roster.named("dora"), nullptr);
    EXPECT_TRUE(read->roster.holds_tokens());
    ASSERT_EQ(read->remarks.size(), 1U);
    EXPECT_EQ(read->remarks[0], "column \"Shoe size\" is kept and not used");
}

TEST(ClassRoster, ANameAloneIsEnough) {
    const auto read = read_roster("name\nann\nbob\n");
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->roster.holds_tokens());
    EXPECT_TRUE(read->remarks.empty());
}

TEST(ClassRoster, SaysWhatIsWrongAndWhatToDo) {
    struct Case {
        std::string text;
        std::size_t line;
        const char* column;
        const char* says;
    };
    const std::string all = "name,student_id,email,team,token\n";
    std::string too_many = "name\n";
    for (std::size_t i = 0; i <= roster_rows_max; ++i) too_many += "n" + std::to_string(i) + "\n";
    for (const auto& [text, line, column, says] : {
             Case{"", 0, "", "the file is empty; expected a header such as name,"},
             Case{"\n\n", 0, "", "the file is empty"},
             Case{"ann,ann@example.edu\n", 1, "", "names no column \"name\""},
             Case{"name,Name\nann,bob\n", 1, "name", "two columns"},
             Case{"name\n", 0, "", "no row behind it"},
             Case{too_many, 0, "", "at most 10000"},
             Case{all + "ann,,,,\nann,,,,\n", 3, "name",
                  "\"ann\" stands in line 2 too; expected another name"},
             Case{all + "ann,1,,,\nbob,1,,,\n", 3, "student_id", "\"1\" stands in line 2 too"},
             Case{all + "ann,a-1,,,\nbob,A 1,,,\n", 3, "student_id", "\"A 1\" stands in line 2"},
             Case{all + "ann,,A@b.c,,\nbob,,a@B.c,,\n", 3, "email", "stands in line 2 too"},
             Case{all + "ann,,,,secret-77\nbob,,,,secret-77\n", 3, "token",
                  "the same token stands in line 2 too"},
             Case{all + "ann,,,,\n\u0430nn,,,,\n", 3, "name",
                  "looks like \"ann\" in line 2: \"\u0430nn\" has U+0430 CYRILLIC SMALL LETTER A"},
             Case{all + "ann,,,,\nAnn,,,,\n", 3, "name", "they differ only in capitals"},
             Case{all + ",1,,,\n", 2, "name", "expected a bot's name of 1 to 64 bytes"},
             Case{all + "\"a\nb\",1,,,\n", 2, "name", "printable text"},
             Case{all + "ann,,\u009B\u202E,,\n", 2, "email", "found \"\\x9b\\u202e\""},
             Case{all + "ann,,ann at home,,\n", 2, "email", "expected an address such as"},
             Case{all + "ann,,\"ann@home,b@c.d\",,\n", 2, "email", "such as ann@example.edu"},
             Case{all + "ann,,,,short\n", 2, "token", "expected a token of 8 to 256 bytes"},
             Case{all + "ann,,,," + std::string(257, 't') + "\n", 2, "token", "found 257 bytes"},
             Case{all + "ann," + std::string(300, '7') + ",,,\n", 2, "student_id", "at most 256"},
         }) {
        const auto read = read_roster(text);
        ASSERT_FALSE(read) << text.substr(0, 100);
        const auto& first = read.error().front();
        EXPECT_EQ(first.line, line) << first.message;
        EXPECT_EQ(first.column, column) << first.message;
        EXPECT_NE(first.message.find(says), std::string::npos) << first.message;
        for (const auto& mistake : read.error())
            EXPECT_EQ(mistake.message.find("secret-77"), std::string::npos) << mistake.message;
    }
}

TEST(ClassRoster, TellsAllMistakesUpToTheMost) {
    const auto two = read_roster("name,email\nann,x\nann,a@b.c\n");
    ASSERT_FALSE(two);
    EXPECT_EQ(two.error().size(), 2U);
    const auto of_kinds = read_roster("name,email\nann,x\nbob\nann,a@b.c\ndo\"ra,\neve,y\n");
    ASSERT_FALSE(of_kinds);
    std::vector<std::size_t> lines;
    for (const auto& mistake : of_kinds.error()) lines.push_back(mistake.line);
    EXPECT_EQ(lines, (std::vector<std::size_t>{2, 3, 4, 5}))
        << "the rows behind a torn one can't be read";
    std::string many = "name\n";
    for (std::size_t i = 0; i < 2 * csv_mistakes_max; ++i) many += "ann\n";
    const auto read = read_roster(many);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().size(), csv_mistakes_max);
}

TEST(ClassRoster, TokensAreMadeForRowsThatHaveNone) {
    auto read = read_roster("name,section\nann,A\nbob,B\n");
    ASSERT_TRUE(read);
    int made = 0;
    const auto make = [&made] { return "made token " + std::to_string(++made); };
    EXPECT_EQ(fill_tokens(read->table, make), 2U);
    EXPECT_EQ(write_csv(read->table),
              "name,section,token\nann,A,made token 1\nbob,B,made token 2\n");
    EXPECT_EQ(fill_tokens(read->table, make), 0U) << "nobody loses a token";
    EXPECT_TRUE(read_roster(write_csv(read->table)));
}

TEST(ClassRoster, TokensBecomeHashes) {
    auto read = read_roster("name,token\nann,plum-4242\nbob,\ncarl," + hashed + "\n");
    ASSERT_TRUE(read);
    const auto hash_of = [](std::string_view token) {
        return std::string(hashed_token_begins) + "1000$0123456789abcdef$" +
               std::string(hash_digits, '0' + static_cast<char>(token.size()));
    };
    EXPECT_EQ(hash_tokens(read->table, hash_of), 1U);
    const auto text = write_csv(read->table);
    EXPECT_EQ(text.find("plum"), std::string::npos);
    EXPECT_NE(text.find(hashed), std::string::npos);
    const auto again = read_roster(text);
    ASSERT_TRUE(again);
    EXPECT_FALSE(again->roster.holds_tokens());
    auto without = read_roster("name\nann\n");
    EXPECT_EQ(hash_tokens(without->table, hash_of), 0U);
}

TEST(ClassRoster, ADamagedHashIsToldWithItsLine) {
    const std::string salt(salt_digits, '0');
    const std::string hash(hash_digits, 'd');
    const auto upper = std::string(hash_digits - 1, 'd') + "D";
    const std::map<std::string, std::string> wrong{
        {"400000000$" + salt + "$" + hash, "rounds"},
        {"0$" + salt + "$" + hash, "rounds"},
        {"-1$" + salt + "$" + hash, "rounds"},
        {"+1$" + salt + "$" + hash, "rounds"},
        {"1e3$" + salt + "$" + hash, "rounds"},
        {"01000$" + salt + "$" + hash, "rounds"},
        {"100001$" + salt + "$" + hash, "rounds"},
        {"$" + salt + "$" + hash, "rounds"},
        {"99999999999$" + salt + "$" + hash, "rounds"},
        {"1000$$" + hash, "salt isn't 16"},
        {"1000$" + salt + "g$" + hash, "salt isn't 16"},
        {"1000$" + salt + "$" + hash + "d", "hash isn't 64"},
        {"1000$" + salt + "$", "hash isn't 64"},
        {"1000$" + salt + "$" + upper, "hash isn't 64"},
        {"1000$" + salt, "too early"},
        {"", "too early"},
        {"1000$" + salt + "$" + hash + "$" + hash, "hash isn't 64"}};
    for (const auto& [text, part] : wrong) {
        const auto read = read_roster("name,token\nann,plum-4242\nbob," +
                                      std::string(hashed_token_begins) + text + "\n");
        ASSERT_FALSE(read) << text;
        ASSERT_EQ(read.error().size(), 1U) << text;
        const auto& mistake = read.error().front();
        EXPECT_EQ(mistake.line, 3U);
        EXPECT_EQ(mistake.column, "token");
        EXPECT_NE(mistake.message.find(part), std::string::npos) << text << mistake.message;
        EXPECT_EQ(mistake.message.find("dddd"), std::string::npos) << "no hash is shown";
    }
    for (const auto* rounds : {"1", "1000", "100000"})
        EXPECT_TRUE(
            read_token_hash(std::string(hashed_token_begins) + rounds + "$" + salt + "$" + hash))
            << rounds;
}

TEST(ClassRoster, WhatIsNoRegularFileIsToldAtOnce) {
    const tests::FolderOfTest folder;
    const auto fifo = folder.at("fifo");
    ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
    const std::map<std::string, std::string> files{{folder.path, "is a directory"},
                                                   {fifo, "is a FIFO"},
                                                   {"/dev/null", "is a device"},
                                                   {"/nowhere/students.csv", "can't be read"},
                                                   {"/proc/self/mem", "can't be read"}};
    for (const auto& [file, why] : files) {
        const auto read = read_roster_file(file);
        ASSERT_FALSE(read) << file;
        EXPECT_EQ(read.error().front().message.find(why), 0U) << read.error().front().message;
        EXPECT_NE(read.error().front().message.find("expected a CSV file such as students.csv"),
                  std::string::npos);
    }
}

// A damaged file is refused, or each of its rows is a student with a name of its own and a token
// that can be asked for. Nobody is told what stands as a token.
TEST(ClassRoster, DamagesAreRefusedInWordsOrLeaveWholeRows) {
    std::string text = "name,student_id,email,team,token\n";
    for (int i = 0; i < 40; ++i) {
        const auto number = std::to_string(i);
        text += "bot" + number + "," + number + ",bot" + number + "@example.edu,red,";
        text += i % 2 == 0 ? hashed + "\n" : "plum-tree-" + number + "\n";
    }
    const tests::FolderOfTest folder;
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const auto file = folder.write("students.csv", text);
        base::SplitMix lots(seed);
        const auto damage = tests::damage_one({file}, lots);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + damage.what);
        const auto read = read_roster_file(file);
        if (!read) {
            ++refused;
            EXPECT_FALSE(read.error().empty());
            for (const auto& mistake : read.error())
                EXPECT_EQ(describe(mistake, file).find("plum-tree"), std::string::npos);
            continue;
        }
        for (const auto& student : read->roster.students()) {
            EXPECT_EQ(read->roster.named(student.name), &student);
            EXPECT_TRUE(student.token.empty() || student.token.size() >= 8) << student.name;
            if (student.has_hashed_token()) {
                EXPECT_TRUE(read_token_hash(student.token)) << student.name;
            }
        }
    }
    EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace referee::roster
