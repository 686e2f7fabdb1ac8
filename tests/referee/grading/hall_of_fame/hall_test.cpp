#include "referee/grading/hall_of_fame/hall.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "protocol/base/text.h"
#include "protocol/json/document.h"
#include "referee/files/file.h"
#include "tests/folder_of_test.h"

namespace referee::hall_of_fame {
namespace {

using base::thousandths_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t christmas = 1'798'156'800'000;  // 2026-12-25
constexpr std::int64_t bar = 650'000;

Candidate candidate(const std::string& name, std::int64_t thousandths) {
    const HallEntry entry{
        "superball", {},      name,     thousandths, 100, "1-100", "sha256:00112233445566",
        "ccdd",      "0.1.0", christmas};
    return {entry};
}

class HallTest : public testing::Test {
 protected:
    std::string file() const { return file_of(folder_.path); }
    std::vector<std::string> add_all(std::vector<Candidate> candidates,
                                     const std::string& semester = "Fall 2026") {
        for (auto& one : candidates) one.entry.semester = semester;
        const auto added = add(file(), candidates, bar);
        if (!added) return {added.error().message};
        std::vector<std::string> told;
        for (const auto& one : *added) told.push_back(one.told);
        return told;
    }
    // "1 712.5 ann Fall 2026"
    std::vector<std::string> lines(const Filter& filter = {}) const {
        std::vector<std::string> found;
        for (const auto& one : ranking(filter))
            found.push_back(fmt::format("{} {} {} {}", one.rank, thousandths_text(one.thousandths),
                                        one.bot, one.semester));
        return found;
    }
    Entries ranking(const Filter& filter = {}) const {
        return ranked(read_table(file()).value(), filter);
    }
    std::string bytes() const { return folder_.read(std::string(default_name)); }

    std::string grade(const std::string& text) const { return folder_.write("grade.json", text); }

 private:
    const tests::FolderOfTest folder_;
};

TEST_F(HallTest, BestComesFirstAndTiesShareARankInEachGame) {
    auto snake = candidate("bob", 900'000);
    snake.entry.game = "snake_labyrinth";
    EXPECT_THAT(
        add_all({candidate("ann", 700'000), candidate("bob", 31'814'130), snake,
                 candidate("eve", 700'000), candidate("dan", 650'000), candidate("fay", 649'999)}),
        ElementsAre("ann enters with 700", "bob enters with 31814.13", "bob enters with 900",
                    "eve enters with 700", "dan enters with 650",
                    "fay does not enter: 649.999 is below the bar of 650"));
    EXPECT_THAT(lines(),
                ElementsAre("1 900 bob Fall 2026", "1 31814.13 bob Fall 2026",
                            "2 700 ann Fall 2026", "2 700 eve Fall 2026", "4 650 dan Fall 2026"));
    EXPECT_EQ(lines({"superball", {}}).size(), 4U);
}

TEST_F(HallTest, ANameKeepsItsBestOfASemester) {
    add_all({candidate("ann", 700'000)});
    const auto before = std::filesystem::last_write_time(file());
    EXPECT_THAT(add_all({candidate("ann", 700'000)}), ElementsAre("ann stays with 700"));
    EXPECT_THAT(add_all({candidate("ann", 660'000)}),
                ElementsAre("ann stays with 700; now it has 660"));
    EXPECT_THAT(add_all({candidate("ann", 600'000)}),
                ElementsAre("ann stays with 700; now it has 600"));
    EXPECT_EQ(std::filesystem::last_write_time(file()), before) << "nothing was written";
    EXPECT_THAT(add_all({candidate("ann", 800'000), candidate("ann", 750'000)}),
                ElementsAre("ann rises from 700 to 800", "ann stays with 800; now it has 750"));
    EXPECT_THAT(add_all({candidate("ann", 660'000)}, "Spring 2027"),
                ElementsAre("ann enters with 660"));
    EXPECT_THAT(lines(), ElementsAre("1 800 ann Fall 2026", "2 660 ann Spring 2027"));
    EXPECT_THAT(lines({{}, "Spring 2027"}), ElementsAre("1 660 ann Spring 2027"));
}

TEST_F(HallTest, ANameIsTakenOutAndMayComeBack) {
    add_all({candidate("ann", 700'000), candidate("bob", 800'000)});
    EXPECT_EQ(*remove(file(), "ann", {{}, "Spring 2027"}), 0U);
    EXPECT_EQ(*remove(file(), "ann", {{}, "Fall 2026"}), 1U);
    EXPECT_THAT(lines(), ElementsAre("1 800 bob Fall 2026"));
    EXPECT_THAT(add_all({candidate("ann", 660'000)}), ElementsAre("ann enters with 660"));
}

TEST_F(HallTest, AForgottenNameIsNowhereInTheFile) {
    add_all({candidate("wilhelmina", 700'000), candidate("bob", 800'000)});
    add_all({candidate("wilhelmina", 660'000)}, "Spring 2027");
    ASSERT_TRUE(remove(file(), "wilhelmina", {{}, "Spring 2027"}));
    EXPECT_EQ(*forget(file(), "nobody"), "");
    const auto placeholder = forget(file(), "wilhelmina");
    ASSERT_TRUE(placeholder) << placeholder.error().message;
    EXPECT_EQ(*placeholder, "forgotten-1");
    EXPECT_THAT(lines(), ElementsAre("1 800 bob Fall 2026", "2 700 forgotten-1 Fall 2026"));
    EXPECT_THAT(bytes(), Not(HasSubstr("wilhelmina")));
    EXPECT_EQ(ranking().back().program, "") << "nothing proves who it was";
}

TEST_F(HallTest, NoTableIsMadeByReadingOrRemoving) {
    EXPECT_FALSE(read_table(file()));
    EXPECT_FALSE(remove(file(), "ann", {{}, "Fall 2026"}));
    EXPECT_FALSE(forget(file(), "ann"));
    EXPECT_TRUE(std::filesystem::is_empty(std::filesystem::path(file()).parent_path()));
}

TEST_F(HallTest, AFileThatIsNoTableStaysAsItIs) {
    for (const std::string other : {"a shopping list", "", "{}", R"({"hall_of_fame": {}})",
                                    R"({"hall_of_fame": [{"name": "ann"}]})"}) {
        std::ofstream(file(), std::ios::trunc) << other;
        const auto added = add(file(), {candidate("ann", 700'000)}, bar);
        ASSERT_FALSE(added) << other;
        EXPECT_EQ(added.error().status, exit_bad_input);
        EXPECT_THAT(added.error().message, HasSubstr(default_name));
        EXPECT_EQ(bytes(), other);
    }
}

TEST_F(HallTest, WhatIsWrittenIsReadAgain) {
    auto one = candidate("a\"b\\c\n\u00e9", -1);
    one.entry.games = UINT64_MAX;
    ASSERT_TRUE(add(file(), {one}, -bar));
    one.entry.rank = 1;
    EXPECT_EQ(ranking().front(), one.entry);
}

TEST_F(HallTest, ATableThatSomebodyChangesIsNotTouched) {
    add_all({candidate("ann", 700'000)});
    const auto before = bytes();
    const files::Descriptor other(::open((file() + ".lock").c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
    EXPECT_THAT(
        add_all({candidate("bob", 800'000)}),
        ElementsAre(HasSubstr("is being changed by process " + std::to_string(getpid()) + ";")));
    EXPECT_EQ(remove(file(), "ann", {{}, "Fall 2026"}).error().status, exit_trouble);
    EXPECT_EQ(bytes(), before);
}

TEST_F(HallTest, ATableThatCannotBeReplacedStaysAsItIs) {
    add_all({candidate("ann", 700'000)});
    // Where the new text would be written there is a folder.
    std::filesystem::create_directory(file() + ".part");
    const auto added = add(file(), {candidate("bob", 800'000)}, bar);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().status, exit_trouble);
    EXPECT_THAT(added.error().message, HasSubstr("can't be written: Is a directory"));
    EXPECT_THAT(lines(), ElementsAre("1 700 ann Fall 2026"));
}

TEST_F(HallTest, ALinkLeadsToTheTableThatIsChanged) {
    add_all({candidate("ann", 700'000)});
    const auto kept = file() + ".kept";
    std::filesystem::rename(file(), kept);
    std::filesystem::permissions(kept, std::filesystem::perms(0640));
    std::filesystem::create_symlink(kept, file());
    add_all({candidate("bob", 800'000)});
    EXPECT_TRUE(std::filesystem::is_symlink(file()));
    EXPECT_EQ(read_table(kept)->size(), 2U);
    EXPECT_EQ(std::filesystem::status(kept).permissions(), std::filesystem::perms(0640));
}

TEST_F(HallTest, TextsShowStrangersNamesAndObeyNone) {
    add_all({candidate("=1+1", 700'500), candidate("a|<b>\x1b[2J", 800'000)});
    const auto rows = ranking();
    EXPECT_THAT(text_of(rows), HasSubstr("2026-12-25"));
    EXPECT_THAT(text_of(rows), HasSubstr(" 001122334455  ccdd "));
    EXPECT_THAT(text_of(rows), Not(HasSubstr("\x1b")));
    EXPECT_THAT(
        csv_of(rows),
        HasSubstr(
            "2,700.5,'=1+1,Fall 2026,2026-12-25,100,1-100,sha256:00112233445566,ccdd,superball\n"));
    EXPECT_THAT(markdown_of(rows), Not(HasSubstr("<b>")));
    protocol::json::Document document;
    ASSERT_TRUE(document.parse(json_of(rows)));
    EXPECT_EQ(document.root().find("bots").at(1).find("name").string(), "=1+1");
    EXPECT_EQ(document.root().find("bots").at(1).find("average").number(), 700.5);
    EXPECT_EQ(text_of({}), "Nobody stands there yet.\n");
}

TEST_F(HallTest, AveragesOfOtherGamesAreDoubted) {
    auto other = candidate("bob", 800'000);
    add_all({candidate("ann", 700'000)});
    EXPECT_THAT(doubts_about(ranking()), ElementsAre());
    other.entry.seeds = "101-200";
    other.entry.rubric_hash = "sha256:ffeeddccbbaa99";
    add_all({other});
    EXPECT_THAT(doubts_about(ranking()),
                ElementsAre(HasSubstr("superball: these averages come from different seeds (1-100, "
                                      "101-200)"),
                            HasSubstr("different rubrics (001122334455, ffeeddccbbaa)")));
}

const std::string its_average =
    R"({"id": "average", "average": {"score": 712.3456, "games": 3, "seeds": "1-3"}})";
const std::string good_grade = R"({"name": "ann", "final": true, "program": "p", "version": "v",
  "rubric": {"game": "superball", "hash": "h"}, "steps": [{"id": "legal"},
  )" + its_average + "]}";

std::string with(const std::string& old, const std::string& now) {
    auto text = good_grade;
    return text.replace(text.find(old), old.size(), now);
}

TEST_F(HallTest, AGradeTellsItsAverageRoundedDown) {
    const auto read = read_candidate(grade(good_grade), {}).value();
    EXPECT_EQ(read.entry.bot, "ann");
    EXPECT_EQ(read.entry.thousandths, 712'345);
    EXPECT_EQ(read.entry.seeds, "1-3");
    EXPECT_EQ(read.hindrance, "");
    const auto hidden = with("\"average\", ", R"("average", "hidden": true, )");
    EXPECT_EQ(read_candidate(grade(hidden), {}).value().entry.seeds, "hidden")
        << "students read the table";
}

TEST_F(HallTest, AGradeThatIsNoneIsToldWithWhatIsMissing) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"", "expected a grade.json"},
        {"[]", "expected a grade.json"},
        {with("\"ann\"", "\"\""), "name: expected a name"},
        {with("\"final\": true,", ""), "final"},
        {with("\"game\": \"superball\", ", ""), "game"},
        {with("712.3456", "\"much\""), "score"},
        {with("\"games\": 3", "\"games\": 0"), "games"},
        {with(its_average, "{}"), "expected a step with an average"},
        {with("{\"id\": \"legal\"}",
              R"({"id": "x", "average": {"score": 1, "games": 3, "seeds": ""}})"),
         "--step ID"},
    };
    for (const auto& [text, message] : cases) {
        const auto read = read_candidate(grade(text), {});
        ASSERT_FALSE(read) << text;
        EXPECT_THAT(read.error(), HasSubstr(message)) << text;
    }
    EXPECT_FALSE(read_candidate(grade(good_grade), "legal"));
    EXPECT_TRUE(read_candidate(grade(good_grade), "average"));
    EXPECT_FALSE(read_candidate(grade(good_grade) + ".missing", {}));
}

TEST_F(HallTest, WhoCouldNotPlayOrIsNotFinalEntersNotAndKeepsNobodyOut) {
    const std::string open = with("\"final\": true", "\"final\": false");
    const std::string failed = with(
        "{\"id\": \"legal\"},\n  " + its_average,
        R"({"id": "average", "verdict": "failed", "reason": "it was not built: no Makefile"})");
    for (const auto& [text, why] :
         std::map<std::string, std::string>{{failed, "it was not built: no Makefile"},
                                            {open, "the grade isn't final; grade again"}})
        EXPECT_THAT(add_all({read_candidate(grade(text), {}).value()}),
                    ElementsAre("ann does not enter: " + why));
    EXPECT_THAT(lines(), IsEmpty());
}

}  // namespace
}  // namespace referee::hall_of_fame
