#include "referee/submit/matching/group_claims.h"

#include <algorithm>
#include <set>

#include "protocol/base/text.h"

namespace referee::matching {
namespace {

using Places = std::vector<std::size_t>;

std::vector<std::string> words_in(std::string_view line) {
    std::vector<std::string> words(1);
    for (const char byte : line) {
        if (base::is_digit(byte) || base::is_letter(byte))
            words.back() += byte;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

// "a0000" of "u1234": ids of one school look alike.
std::string shape_of(std::string text) {
    for (char& byte : text) {
        if (base::is_digit(byte)) byte = '0';
        if (base::is_letter(byte)) byte = 'a';
    }
    return text;
}

bool looks_like_an_id(const ClassList& people, const std::string& word) {
    if (std::none_of(word.begin(), word.end(), base::is_digit)) return false;
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

FirstLine first_line_in(const ClassList& people, std::string_view line) {
    FirstLine read;
    std::set<std::size_t> named;
    std::vector<std::string> unknown;
    for (const auto& word : words_in(line)) {
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
