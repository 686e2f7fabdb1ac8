#include "referee/grading/gradebook/gradebook.h"

#include <algorithm>
#include <map>

#include "protocol/json/printable.h"
#include "protocol/json/writer.h"

namespace referee::gradebook {
namespace {

using matching::ClassList;

// The roster's row of that name; nobody else is taken for it.
std::vector<std::size_t> person_named(const ClassList& people, const std::string& name) {
    for (std::size_t i = 0; i < people.people().size(); ++i) {
        if (people.people()[i].bot == name) return {i};
    }
    return {};
}

std::vector<std::size_t> students_of(const Grade& grade, const ClassList& people,
                                     std::vector<std::string>& unknown) {
    std::vector<std::size_t> found;
    for (const auto& student : grade.students) {
        const auto person = person_named(people, student);
        found.insert(found.end(), person.begin(), person.end());
        if (person.empty()) {
            unknown.push_back(protocol::json::visible_line(student) + " of " +
                              protocol::json::visible_line(grade.name) +
                              ": nobody of the roster has that name");
        }
    }
    if (!grade.students.empty()) return found;
    found = person_named(people, grade.name);
    if (found.empty()) found = people.of_team(grade.name);
    if (found.empty()) {
        const auto near = people.near(grade.name);
        unknown.push_back(protocol::json::visible_line(grade.name) +
                          ": no bot and no team of the roster has that name" +
                          (near.empty() ? "" : "; is it " + near + "?"));
    }
    return found;
}

// "ann has several grades: 12 of red, 20 of ann; ..."
std::string several_of(const matching::Person& person, const std::vector<const Grade*>& grades) {
    std::string text = person.bot + " has several grades: ";
    for (const auto* grade : grades) {
        if (grade != grades.front()) text += ", ";
        protocol::json::Writer(text).real(grade->points);
        text += " of " + grade->name;
    }
    return protocol::json::visible_line(text) +
           "; none of them is taken: expected one, so delete the folders of the others";
}

}  // namespace

Gradebook gradebook_of(const Grades& grades, const ClassList& people) {
    Gradebook book;
    std::map<std::size_t, std::vector<const Grade*>> owned;
    std::map<std::size_t, std::string> open;
    for (const auto& grade : grades.grades) {
        book.points_possible = std::max(book.points_possible, grade.of.value_or(0));
        for (const auto person : students_of(grade, people, book.unknown)) {
            if (!grade.open.empty()) {
                open.emplace(person, grade.open);
                continue;
            }
            owned[person].push_back(&grade);
        }
    }
    for (std::size_t person = 0; person < people.people().size(); ++person) {
        const auto found = owned.find(person);
        if (found == owned.end()) {
            book.missing.push_back({person, open[person]});
        } else if (found->second.size() > 1) {
            book.conflicts.push_back(several_of(people.people()[person], found->second));
        } else {
            const auto& grade = *found->second.front();
            book.entries.push_back({person, grade.points, grade.feedback});
        }
    }
    return book;
}

}  // namespace referee::gradebook
