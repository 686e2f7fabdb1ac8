#include "referee/submit/matching/class_list.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "protocol/base/text.h"

namespace referee::matching {

namespace {

using Places = std::vector<std::size_t>;
using By = Settled::By;

Places without(const Places& all, const std::map<std::size_t, std::size_t>& taken) {
    Places rest;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
                 [&taken](const auto place) { return !taken.contains(place); });
    return rest;
}

Places in_both(const Places& one, const Places& other) {
    Places both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                          std::back_inserter(both));
    return both;
}

class Settling {
 public:
    Settling(const ClassList& people, const std::vector<Claim>& claims)
        : people_(people), claims_(claims), settled_(claims.size()) {}

    std::vector<Settled> all() {
        for (std::size_t i = 0; i < claims_.size(); ++i) {
            for (const auto person : claims_[i].by_instructor) taken_.emplace(person, i);
        }
        for (std::size_t i = 0; i < claims_.size(); ++i) settle_alone(i);
        compare();
        return std::move(settled_);
    }

 private:
    void settle_alone(std::size_t i) {
        const auto& claim = claims_[i];
        auto& its = settled_[i];
        if (!claim.by_instructor.empty()) {
            its = {claim.by_instructor, By::instructor, {}};
            return;
        }
        const auto by_export = without(claim.by_export, taken_);
        const auto by_line = without(claim.by_line, taken_);
        const auto& first = claim.by_export.empty() ? claim.by_line : claim.by_export;
        if (!first.empty() && without(first, taken_).empty()) {
            its.instead = claims_[taken_.at(first.front())].key;
            return;
        }
        its.odd = claim.doubts;
        const bool named =
            std::includes(by_line.begin(), by_line.end(), by_export.begin(), by_export.end());
        if (named) {
            its.people = by_line;
            return;
        }
        its.people = by_export;
        its.by = By::course_export;
        if (by_line.empty()) return;
        its.odd.push_back("the export names " + list_of(people_, by_export) +
                          ", and its first line " + list_of(people_, by_line));
        not_believed_.emplace(i, by_line);
    }

    // That a line names these people of a submission too.
    void note(std::size_t of, std::size_t by, const Places& both) {
        if (both.empty() || !claims_[of].by_instructor.empty()) return;
        notes_[of].push_back(claims_[by].key + " names " + list_of(people_, both) + " too");
    }

    // Whether one is another version of the other: members of one group who both handed in.
    bool are_of_one_group(std::size_t i, std::size_t k) const {
        const bool by_word = settled_[i].by == By::instructor && settled_[k].by == By::instructor;
        const bool by_members = !claims_[i].by_export.empty() && !claims_[k].by_export.empty();
        return by_word || (by_members && settled_[i].people == settled_[k].people);
    }

    void compare() {
        for (const auto& [i, by_line] : not_believed_) {
            for (std::size_t k = 0; k < settled_.size(); ++k)
                if (k != i) note(k, i, in_both(by_line, settled_[k].people));
        }
        std::set<std::size_t> contested;
        for (std::size_t i = 0; i < settled_.size(); ++i) {
            for (std::size_t k = i + 1; k < settled_.size(); ++k) {
                const auto both = in_both(settled_[i].people, settled_[k].people);
                if (both.empty() || are_of_one_group(i, k)) continue;
                note(i, k, both);
                note(k, i, both);
                contested.insert({i, k});
            }
        }
        for (const auto i : contested) {
            settled_[i].people = without(claims_[i].by_export, taken_);
            settled_[i].by = By::course_export;
        }
        for (const auto& [i, notes] : notes_)
            settled_[i].odd.insert(settled_[i].odd.end(), notes.begin(), notes.end());
    }

    const ClassList& people_;
    const std::vector<Claim>& claims_;
    std::vector<Settled> settled_;
    std::map<std::size_t, std::size_t> taken_;    // whose submission the instructor names
    std::map<std::size_t, Places> not_believed_;  // lines, by their claims
    std::map<std::size_t, std::vector<std::string>> notes_;
};

// "a0000" of "u1234": ids of one school look alike.
std::string shape_of(std::string text) {
    for (char& byte : text) {
        if (base::is_digit(byte)) byte = '0';
        if (base::is_letter(byte)) byte = 'a';
    }
    return text;
}

bool looks_like_an_id(const ClassList& people, const std::string& word) {
    if (std::ranges::none_of(word, base::is_digit)) return false;
    std::set<std::string> shapes;
    for (const auto& person : people.people()) {
        for (const auto& id : person.ids) shapes.insert(shape_of(id));
    }
    return !base::nearest(shape_of(word), {shapes.begin(), shapes.end()}).empty();
}

// Whom the line doesn't name already.
std::string nobody_has(const ClassList& people, const std::string& word, const Places& named) {
    std::vector<std::string> ids;
    for (std::size_t place = 0; place < people.people().size(); ++place) {
        if (std::binary_search(named.begin(), named.end(), place)) continue;
        for (const auto& id : people.people()[place].ids) ids.push_back(id);
    }
    const auto text = "nobody of the roster has the id " + word;
    const auto near = base::nearest(word, ids);
    if (near.empty()) return text;
    const auto meant = people.with(Feature::id, near);
    return text + ": is it " + near + " of " + list_of(people, meant) + "?";
}

}  // namespace

std::vector<Settled> settle_claims(const ClassList& people, const std::vector<Claim>& claims) {
    return Settling(people, claims).all();
}

FirstLine first_line_in(const ClassList& people, std::string_view line) {
    FirstLine read;
    std::set<std::size_t> named;
    std::vector<std::string> unknown;
    for (const auto& word :
         words_in(line, [](char byte) { return base::is_digit(byte) || base::is_letter(byte); })) {
        if (const auto found = people.with(Feature::id, word); found.size() == 1)
            named.insert(found.front());
        else if (looks_like_an_id(people, word))
            unknown.push_back(word);
    }
    read.people.assign(named.begin(), named.end());
    for (const auto& word : unknown) read.doubts.push_back(nobody_has(people, word, read.people));
    return read;
}

}  // namespace referee::matching
