#include "referee/grading/gradebook/gradebook.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "protocol/json/document.h"
#include "protocol/json/reader.h"
#include "protocol/json/writer.h"
#include "referee/files/file.h"

namespace referee::gradebook {

namespace {

using matching::ClassList;

// The roster's row of that name; nobody else is taken for it.
std::vector<std::size_t> person_named(const ClassList& people, const std::string& name) {
    const auto& all = people.people();
    const auto found = std::ranges::find(all, name, &matching::ListedPerson::bot);
    if (found == all.end()) return {};
    return {static_cast<std::size_t>(found - all.begin())};
}

std::vector<std::size_t> students_of(const StudentGrade& grade, const ClassList& people,
                                     std::vector<std::string>& unknown) {
    std::vector<std::size_t> found;
    for (const auto& student : grade.students) {
        const auto person = person_named(people, student);
        found.insert(found.end(), person.begin(), person.end());
        if (person.empty()) {
            unknown.push_back(base::visible_line(student) + " of " +
                              base::visible_line(grade.name) +
                              ": nobody of the roster has that name");
        }
    }
    if (!grade.students.empty()) return found;
    found = person_named(people, grade.name);
    if (found.empty()) found = people.of_team(grade.name);
    if (found.empty()) {
        const auto near = people.near(grade.name);
        unknown.push_back(base::visible_line(grade.name) +
                          ": no bot and no team of the roster has that name" +
                          (near.empty() ? "" : "; is it " + near + "?"));
    }
    return found;
}

// "ann has several grades: 12 of red, none yet of ann; ..."
std::string several_of(const matching::ListedPerson& person,
                       const std::vector<const StudentGrade*>& grades) {
    std::string text = person.bot + " has several grades: ";
    for (const auto* grade : grades) {
        if (grade != grades.front()) text += ", ";
        if (grade->open.empty())
            protocol::json::Writer(text).real(grade->points);
        else
            text += "none yet";
        text += " of " + grade->name;
    }
    return base::visible_line(text) +
           "; none of them is taken: expected one, so delete the folders of the others";
}

namespace fs = std::filesystem;
namespace json = protocol::json;

constexpr std::size_t grade_bytes_max = 16 * 1024 * 1024;
constexpr std::size_t standings_bytes_max = 64 * 1024 * 1024;
// Nobody gives more; and a number beyond it is a mistake.
constexpr double points_most = 1e9;

// Why a grade isn't final; empty where it is.
std::string why_open(json::View grade) {
    if (grade.find("final").boolean().value_or(true)) return {};
    const auto trouble = grade.find("troubles").at(0).text();
    return trouble.empty() ? "something could not be judged" : base::visible_line(trouble);
}

struct GradeFile {
    StudentGrade grade;
    std::string rubric;  // its hash; empty where the grade names none
    fs::file_time_type written;
};

base::Result<GradeFile, std::string> read_grade(const std::string& file) {
    json::Document document;
    const auto parsed = files::read_named_json(
        file, grade_bytes_max, "expected JSON such as {\"name\": \"ann\", \"points\": 62.5}",
        document);
    if (!parsed) return base::failure(parsed.error());
    json::Mistakes mistakes;
    json::Reader reader(document.root(), mistakes);
    GradeFile read;
    auto& grade = read.grade;
    grade.open = why_open(document.root());
    if (const auto name = reader.member("name").text()) grade.name = *name;
    if (grade.open.empty())
        grade.points = reader.member("points").number(-points_most, points_most).value_or(0);
    if (reader.has("students")) reader.texts("students", grade.students);
    if (reader.has("of")) grade.of = reader.member("of").number(0, points_most);
    if (const auto feedback = reader.given("feedback").string())
        grade.feedback = base::visible_line(*feedback);
    if (mistakes) return base::failure(file + ": " + mistakes.first().text());
    read.rubric = document.root().find("rubric").find("hash").text();
    std::error_code unknown;
    read.written = fs::last_write_time(file, unknown);
    return read;
}

// A class that is graded anew may have been graded in part: the grade that was written last tells
// the rubric. Points by another are no final ones, and what there was to have is of no interest.
void open_those_of_other_rubrics(std::vector<GradeFile>& all) {
    const GradeFile* newest = nullptr;
    for (const auto& one : all) {
        if (!one.rubric.empty() && (newest == nullptr || one.written > newest->written))
            newest = &one;
    }
    if (newest == nullptr) return;
    const auto rubric = newest->rubric;
    const auto told = "it was graded by another rubric than " +
                      base::visible_line(newest->grade.name) + ", whose grade is newer";
    for (auto& one : all) {
        if (one.rubric.empty() || one.rubric == rubric) continue;
        if (one.grade.open.empty()) one.grade.open = told;
        one.grade.of.reset();
    }
}

// The names in DIR/grades.json; nothing where there is none: then all grades are of the class.
base::Result<std::optional<std::set<std::string>>, std::string> graded_in(
    const std::string& folder) {
    std::optional<std::set<std::string>> graded;
    const auto file = (fs::path(folder) / "grades.json").string();
    if (!files::is_there(file)) return graded;
    const std::string expected =
        "expected {\"graded\": [\"ann\", ...]}, as `referee grade --all` writes it; grade the "
        "class "
        "again";
    json::Document document;
    const auto parsed = files::read_named_json(file, grade_bytes_max, expected, document);
    if (!parsed) return base::failure(parsed.error());
    if (!document.root().find("graded").is_array()) return base::failure(file + ": " + expected);
    graded.emplace();
    for (const auto name : document.root().find("graded").elements()) graded->emplace(name.text());
    return graded;
}

}  // namespace

Gradebook gradebook_of(const Grades& grades, const ClassList& people) {
    Gradebook book;
    std::map<std::size_t, std::vector<const StudentGrade*>> owned;
    for (const auto& grade : grades.grades) {
        book.points_possible = std::max(book.points_possible, grade.of.value_or(0));
        for (const auto person : students_of(grade, people, book.unknown))
            owned[person].push_back(&grade);
    }
    for (std::size_t person = 0; person < people.people().size(); ++person) {
        const auto found = owned.find(person);
        if (found == owned.end()) {
            book.missing.push_back({person, {}});
        } else if (found->second.size() > 1) {
            book.conflicts.push_back(several_of(people.people()[person], found->second));
        } else if (const auto& grade = *found->second.front(); grade.open.empty()) {
            book.entries.push_back({person, grade.points, grade.feedback});
        } else {
            book.missing.push_back({person, grade.open});
        }
    }
    return book;
}

base::Result<Grades, std::string> read_grades(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> found;
    for (const auto& name : files::names_in(folder, error)) {
        auto file = (fs::path(folder) / name / "grade.json").string();
        if (files::is_there(file)) found.push_back(std::move(file));
    }
    if (error) return base::failure(folder + " can't be read: " + error.message());
    if (found.empty())
        return base::failure(folder +
                             ": expected a folder with NAME/grade.json, as `referee grade --all "
                             "--out` makes it, found no grade");
    const auto graded = graded_in(folder);
    if (!graded) return base::failure(graded.error());
    Grades grades;
    std::vector<GradeFile> read;
    std::vector<std::string> damaged;
    for (const auto& file : found) {
        auto one = read_grade(file);
        if (!one) {
            damaged.push_back(base::visible_line(one.error()));
        } else if (*graded && !(*graded)->contains(one->grade.name)) {
            grades.mistakes.push_back(file + ": " + base::visible_line(one->grade.name) +
                                      " is not among those who were graded last (grades.json), so "
                                      "this grade is left out; delete its folder");
        } else {
            read.push_back(*std::move(one));
        }
    }
    if (!damaged.empty())
        return base::failure(base::joined(damaged, "\n") +
                             "\nno gradebook is written: grade again, or delete such a folder");
    open_those_of_other_rubrics(read);
    for (auto& one : read) grades.grades.push_back(std::move(one.grade));
    return grades;
}

base::Result<Grades, std::string> read_standings(const std::string& file) {
    const std::string expected = "expected a tournament's standings.json, found something else";
    json::Document document;
    const auto parsed = files::read_named_json(file, standings_bytes_max, expected, document);
    if (!parsed) return base::failure(parsed.error());
    const auto root = document.root();
    const auto measure = root.find("tie_breaks").at(0).string();
    if (!measure || !root.find("bots").is_array()) return base::failure(file + ": " + expected);
    Grades grades;
    for (const auto row : root.find("bots").elements()) {
        if (row.find("house").boolean().value_or(false)) continue;
        const auto name = row.find("name").string();
        const auto points = row.find(*measure).number();
        if (!name || !points) {
            grades.mistakes.push_back(file + ": a bot without a name or without " +
                                      std::string(*measure));
            continue;
        }
        StudentGrade grade;
        if (root.find("finished").boolean() == false) grade.open = "the tournament is not over";
        grade.name = *name;
        grade.points = *points;
        if (*measure == "points") grade.of = root.find("points_possible").number();
        if (const auto rank = row.find("rank").integer())
            grade.feedback = "rank " + std::to_string(*rank);
        grades.grades.push_back(std::move(grade));
    }
    std::ranges::sort(grades.grades, {}, &StudentGrade::name);
    return grades;
}

}  // namespace referee::gradebook
