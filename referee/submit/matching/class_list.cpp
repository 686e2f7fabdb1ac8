#include "referee/submit/matching/class_list.h"

#include <algorithm>
#include <array>
#include <set>

#include "protocol/base/find.h"
#include "protocol/base/text.h"
#include "protocol/base/visible_text.h"
#include "referee/roster/names/looks.h"

namespace referee::matching {
namespace {

using roster::Extra;

void take(ListedPerson& person, Extra extra, const std::string& cell, std::string& last_name) {
    if (cell.empty()) return;
    if (extra == Extra::full_name || extra == Extra::first_name) person.full_name = cell;
    if (extra == Extra::last_name) last_name = cell;
    if (extra == Extra::login) person.logins.push_back(cell);
    if (extra == Extra::canvas_id) person.canvas_id = cell;
    if (extra == Extra::school_id) person.school_id = cell;
    if (extra == Extra::canvas_id || extra == Extra::school_id) person.ids.push_back(cell);
    if (extra == Extra::section) person.section = cell;
}

using exports::Submission;
using exports::Submitter;

void add(std::vector<std::size_t>& people, const std::vector<std::size_t>& more) {
    std::set<std::size_t> all(people.begin(), people.end());
    all.insert(more.begin(), more.end());
    people.assign(all.begin(), all.end());
}

std::string how_by(Feature feature) {
    return "by " + std::string(name_of(feature));
}

std::string shown(const Submitter& submitter) {
    for (const auto& text : {submitter.name, submitter.email, submitter.id}) {
        if (!text.empty()) return base::visible_line(text);
    }
    return "somebody without a name";
}

std::string several(const ClassList& people, const std::vector<std::size_t>& found,
                    const std::string& who) {
    const auto text_of_one = [&people](auto person) { return text_of(people.people()[person]); };
    return who + " may be " + base::joined(found, " or ", text_of_one) +
           ": a column of the roster with ids, e-mail addresses or logins would tell";
}

std::string nobody(const ClassList& people, const std::string& who, const std::string& name) {
    const auto near = people.near(name);
    return "nobody of the roster is " + who + (near.empty() ? "" : ": is it " + near + "?");
}

// One person by one of their features; several are a doubt.
struct Try {
    Feature feature;
    std::string text;
};

Found first_of(const ClassList& people, const std::vector<Try>& tries, const std::string& who,
               const std::string& name) {
    for (const auto& attempt : tries) {
        if (attempt.text.empty()) continue;
        const auto found = people.with(attempt.feature, attempt.text);
        if (found.size() == 1) return {found, how_by(attempt.feature), {}};
        if (found.size() > 1) return {{}, {}, several(people, found, who)};
    }
    return {{}, {}, nobody(people, who, name)};
}

// Where groups hand in, Moodle puts the group before the name: "Red-Ann Lee".
std::string behind_group(const std::string& name) {
    const auto dash = name.find('-');
    return dash == std::string::npos ? std::string() : name.substr(dash + 1);
}

Found find_submitter(const ClassList& people, const Submitter& submitter) {
    return first_of(people,
                    {{Feature::id, submitter.id},
                     {Feature::email, submitter.email},
                     {Feature::name, submitter.name},
                     {Feature::name, behind_group(submitter.name)}},
                    shown(submitter), submitter.name);
}

// "snake-1-ann-lee": the longest ending that names somebody, so that a login may have dashes.
Found find_by_key(const ClassList& people, const std::string& key) {
    const auto who = base::visible_line(key);
    for (std::size_t begin = 0; begin != std::string::npos;) {
        const auto ending = key.substr(begin);
        const auto before = key.substr(0, begin);
        if (const auto team = people.of_team(ending); !team.empty())
            return {team, "by team", {}, before};
        for (const auto feature : {Feature::id, Feature::email, Feature::login, Feature::name}) {
            const auto found = people.with(feature, ending);
            if (found.size() == 1) return {found, how_by(feature), {}, before};
            if (found.size() > 1) return {{}, {}, several(people, found, who)};
        }
        const auto dash = key.find('-', begin);
        begin = dash == std::string::npos ? dash : dash + 1;
    }
    return {{}, {}, nobody(people, who, key.substr(key.rfind('-') + 1))};
}

// The letters of a name without accents, capitals and blanks, from each of its words on: the
// services write "Lee, Ann", "Ann Lee" and "leeann".
std::vector<std::string> spellings_of(std::string_view name) {
    const auto words = words_in(names::plain_letters(name),
                                [](char byte) { return !base::contains(roster::word_ends, byte); });
    std::vector<std::string> spellings;
    for (std::size_t first = 0; first < words.size(); ++first) {
        std::string spelling;
        for (std::size_t i = 0; i < words.size(); ++i)
            spelling += words[(first + i) % words.size()];
        spellings.push_back(std::move(spelling));
    }
    return spellings;
}

}  // namespace

std::string_view name_of(Feature feature) {
    static constexpr std::array<std::string_view, 4> words = {"id", "e-mail address", "login",
                                                              "name"};
    return words[static_cast<std::size_t>(feature)];
}

std::string text_of(const ListedPerson& person) {
    if (person.full_name.empty() || person.full_name == person.bot) return person.bot;
    return person.bot + " (" + person.full_name + ")";
}

std::string list_of(const ClassList& people, const std::vector<std::size_t>& some) {
    return base::joined(some, ", ",
                        [&people](std::size_t person) { return text_of(people.people()[person]); });
}

base::Result<roster::ReadRoster, std::string> students_in(const std::string& file) {
    auto read = roster::read_roster_file(file);
    if (read) return *std::move(read);
    return base::failure(base::joined(read.error(), "\n", [&file](const auto& mistake) {
        return roster::describe(mistake, file);
    }));
}

ClassList::ClassList(const roster::ReadRoster& roster) {
    std::vector<Extra> extras;
    for (const auto& cell : roster.table.header.cells) extras.push_back(roster::extra_of(cell));
    for (const auto& student : roster.roster.students()) {
        ListedPerson person{
            student.name, student.student_id, student.email, student.team, {}, {}, {}, {}, {}, {}};
        if (!student.student_id.empty()) person.ids.push_back(student.student_id);
        const auto row = std::ranges::find(roster.table.rows, student.line, &roster::CsvRow::line);
        std::string last_name;
        for (std::size_t i = 0; row != roster.table.rows.end() && i < extras.size(); ++i)
            take(person, extras[i], row->cells[i], last_name);
        if (!last_name.empty())
            person.full_name += (person.full_name.empty() ? "" : " ") + last_name;
        people_.push_back(std::move(person));
    }
    for (std::size_t place = 0; place < people_.size(); ++place) {
        const auto note = [place](Index& index, const std::string& key) {
            if (key.empty()) return;
            auto& places = index[names::plain_letters(key)];
            if (places.empty() || places.back() != place) places.push_back(place);
        };
        const auto& person = people_[place];
        for (const auto& id : person.ids) note(ids_, id);
        note(emails_, person.email);
        for (const auto& login : person.logins) note(logins_, login);
        note(logins_, person.email.substr(0, person.email.find('@')));
        note(logins_, person.bot);
        note(teams_, person.team);
        for (const auto& name : {person.full_name, person.bot}) {
            for (const auto& spelling : spellings_of(name)) {
                note(names_, spelling);
                spellings_.emplace(spelling, place);
            }
        }
    }
}

std::vector<std::size_t> ClassList::with(Feature feature, std::string_view text) const {
    const auto in = [](const Index& index, const std::string& key) {
        const auto* found = base::find_in(index, key);
        return found == nullptr ? std::vector<std::size_t>() : *found;
    };
    if (feature == Feature::name) {
        const auto spellings = spellings_of(text);
        return spellings.empty() ? std::vector<std::size_t>() : in(names_, spellings.front());
    }
    const auto key = names::plain_letters(text);
    if (key.empty()) return {};
    if (feature == Feature::id) return in(ids_, key);
    return in(feature == Feature::email ? emails_ : logins_, key);
}

std::vector<std::size_t> ClassList::of_team(std::string_view team) const {
    const auto* found = base::find_in(teams_, names::plain_letters(team));
    return found == nullptr || team.empty() ? std::vector<std::size_t>() : *found;
}

std::string ClassList::near(std::string_view name) const {
    std::vector<std::string> known;
    for (const auto& [spelling, place] : spellings_) known.push_back(spelling);
    for (const auto& spelling : spellings_of(name)) {
        const auto meant = base::nearest(spelling, known);
        if (!meant.empty()) return text_of(people_[spellings_.at(meant)]);
    }
    return {};
}

Found find_students(const ClassList& people, const Submission& submission) {
    if (submission.key_names_student && submission.submitters.empty())
        return find_by_key(people, submission.key);
    Found all;
    for (const auto& submitter : submission.submitters) {
        const auto found = find_submitter(people, submitter);
        add(all.people, found.people);
        if (!found.how.empty()) all.how = found.how;
        if (!found.doubt.empty()) all.doubt += (all.doubt.empty() ? "" : "; ") + found.doubt;
    }
    if (submission.submitters.empty())
        all.doubt = "the export doesn't say who handed in " + submission.key;
    return all;
}

}  // namespace referee::matching
