#include "referee/submit/matching/class_list.h"

#include <algorithm>
#include <array>

#include "protocol/base/near.h"
#include "referee/roster/names/looks.h"
#include "referee/roster/roster.h"

namespace referee::matching {
namespace {

using roster::Extra;

bool parts_words(char byte) {
    return roster::word_ends.find(byte) != std::string_view::npos;
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char byte : text) {
        if (!parts_words(byte))
            words.back() += byte;
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

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

}  // namespace

std::string_view name_of(Feature feature) {
    static constexpr std::array<std::string_view, 4> words = {"id", "e-mail address", "login",
                                                              "name"};
    return words[static_cast<std::size_t>(feature)];
}

std::vector<std::string> spellings_of(std::string_view name) {
    const auto words = words_of(names::plain_letters(name));
    std::vector<std::string> spellings;
    for (std::size_t first = 0; first < words.size(); ++first) {
        std::string spelling;
        for (std::size_t i = 0; i < words.size(); ++i)
            spelling += words[(first + i) % words.size()];
        spellings.push_back(std::move(spelling));
    }
    return spellings;
}

std::string text_of(const ListedPerson& person) {
    if (person.full_name.empty() || person.full_name == person.bot) return person.bot;
    return person.bot + " (" + person.full_name + ")";
}

ClassList::ClassList(const roster::ReadRoster& roster) {
    std::vector<Extra> extras;
    for (const auto& cell : roster.table.header.cells) extras.push_back(roster::extra_of(cell));
    for (const auto& student : roster.roster.students()) {
        ListedPerson person{
            student.name, student.student_id, student.email, student.team, {}, {}, {}, {}, {}, {}};
        if (!student.student_id.empty()) person.ids.push_back(student.student_id);
        const auto row =
            std::find_if(roster.table.rows.begin(), roster.table.rows.end(),
                         [&student](const auto& other) { return other.line == student.line; });
        std::string last_name;
        for (std::size_t i = 0; row != roster.table.rows.end() && i < extras.size(); ++i)
            take(person, extras[i], row->cells[i], last_name);
        if (!last_name.empty())
            person.full_name += (person.full_name.empty() ? "" : " ") + last_name;
        people_.push_back(std::move(person));
    }
    for (std::size_t place = 0; place < people_.size(); ++place) {
        const auto& person = people_[place];
        for (const auto& id : person.ids) note(ids_, id, place);
        note(emails_, person.email, place);
        for (const auto& login : person.logins) note(logins_, login, place);
        note(logins_, person.email.substr(0, person.email.find('@')), place);
        note(logins_, person.bot, place);
        note(teams_, person.team, place);
        note_names(person, place);
    }
}

void ClassList::note(Index& index, const std::string& key, std::size_t person) const {
    if (key.empty()) return;
    auto& places = index[names::plain_letters(key)];
    if (places.empty() || places.back() != person) places.push_back(person);
}

void ClassList::note_names(const ListedPerson& person, std::size_t place) {
    for (const auto& name : {person.full_name, person.bot}) {
        for (const auto& spelling : spellings_of(name)) {
            note(names_, spelling, place);
            spellings_.emplace(spelling, place);
        }
    }
}

std::vector<std::size_t> ClassList::with(Feature feature, std::string_view text) const {
    const auto in = [](const Index& index, const std::string& key) {
        const auto found = index.find(key);
        return found == index.end() ? std::vector<std::size_t>() : found->second;
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
    const auto found = teams_.find(names::plain_letters(team));
    return found == teams_.end() || team.empty() ? std::vector<std::size_t>() : found->second;
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

}  // namespace referee::matching
