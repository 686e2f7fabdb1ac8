#include "referee/roster/roster.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "protocol/base/assertion.h"
#include "referee/roster/names/looks.h"

namespace referee::roster {

namespace {

// The cells' place; nothing where the table has no such column.
std::size_t token_column(CsvTable& table, bool make) {
    auto& header = table.header.cells;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (column_of(header[i]) == RosterColumn::token) return i;
    }
    if (!make) return header.size();
    header.emplace_back(name_of(RosterColumn::token));
    for (auto& row : table.rows) row.cells.emplace_back();
    return header.size() - 1;
}

}  // namespace

bool Student::has_hashed_token() const {
    return token.starts_with(hashed_token_begins);
}

const Student* Roster::named(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &students_[found->second];
}

bool Roster::holds_tokens() const {
    return std::any_of(students_.begin(), students_.end(), [](const auto& student) {
        return !student.token.empty() && !student.has_hashed_token();
    });
}

void Roster::add(Student student) {
    const bool is_new = by_name_.emplace(student.name, students_.size()).second;
    REFEREE_ASSERT(is_new);
    students_.push_back(std::move(student));
}

std::size_t fill_tokens(CsvTable& table, const std::function<std::string()>& make) {
    const auto column = token_column(table, true);
    std::size_t made = 0;
    for (auto& row : table.rows) {
        if (!row.cells[column].empty()) continue;
        row.cells[column] = make();
        ++made;
    }
    return made;
}

std::size_t hash_tokens(CsvTable& table,
                        const std::function<std::string(std::string_view)>& hash_of) {
    const auto column = token_column(table, false);
    if (column == table.header.cells.size()) return 0;
    std::size_t hashed = 0;
    for (auto& row : table.rows) {
        auto& cell = row.cells[column];
        if (cell.empty() || cell.starts_with(hashed_token_begins)) continue;
        cell = hash_of(cell);
        ++hashed;
    }
    return hashed;
}

namespace {

std::string in_digits(std::string_view what, std::size_t expected, std::string_view found) {
    return "a hashed token whose " + std::string(what) + " isn't " + std::to_string(expected) +
           " of the digits 0-9 and a-f, but " + std::to_string(found.size()) + " bytes";
}

bool is_hex(std::string_view text, std::size_t digits) {
    return text.size() == digits && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

// A plain number: no sign, no zero in front.
unsigned rounds_in(std::string_view text) {
    unsigned rounds = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rounds);
    const bool plain = read.ec == std::errc() && read.ptr == text.data() + text.size() &&
                       !text.starts_with('0') && rounds <= hash_rounds_max;
    return plain ? rounds : 0;
}

std::string expectation(const std::string& found) {
    return "expected a hash as `referee roster hashes` writes it, pbkdf2-sha256$ROUNDS$SALT$HASH, "
           "found " +
           found + "; copy it again, or put the token itself there";
}

}  // namespace

base::Result<TokenHash, std::string> read_token_hash(std::string_view text) {
    if (!text.starts_with(hashed_token_begins))
        return base::failure(expectation("a text that doesn't begin so"));
    text.remove_prefix(hashed_token_begins.size());
    const auto first = text.find('$');
    const auto second = first == std::string_view::npos ? first : text.find('$', first + 1);
    if (second == std::string_view::npos)
        return base::failure(expectation("a hashed token that ends too early"));
    const TokenHash hash{rounds_in(text.substr(0, first)),
                         text.substr(first + 1, second - first - 1), text.substr(second + 1)};
    if (hash.rounds == 0)
        return base::failure(expectation("a hashed token whose rounds are no number from 1 to " +
                                         std::to_string(hash_rounds_max)));
    if (!is_hex(hash.salt, salt_digits))
        return base::failure(expectation(in_digits("salt", salt_digits, hash.salt)));
    if (!is_hex(hash.hash, hash_digits))
        return base::failure(expectation(in_digits("hash", hash_digits, hash.hash)));
    return hash;
}

namespace {

struct Heading {
    std::string_view words;
    Extra extra;
};
constexpr std::array headings = {
    Heading{"fullname", Extra::full_name},
    Heading{"student", Extra::full_name},
    Heading{"studentname", Extra::full_name},
    Heading{"displayname", Extra::full_name},
    Heading{"sortablename", Extra::full_name},
    Heading{"firstname", Extra::first_name},
    Heading{"givenname", Extra::first_name},
    Heading{"lastname", Extra::last_name},
    Heading{"surname", Extra::last_name},
    Heading{"familyname", Extra::last_name},
    Heading{"login", Extra::login},
    Heading{"username", Extra::login},
    Heading{"github", Extra::login},
    Heading{"githubusername", Extra::login},
    Heading{"sisloginid", Extra::login},
    Heading{"id", Extra::canvas_id},
    Heading{"canvasid", Extra::canvas_id},
    Heading{"sisuserid", Extra::school_id},
    Heading{"idnumber", Extra::school_id},
    Heading{"schoolid", Extra::school_id},
    Heading{"section", Extra::section},
};

}  // namespace

Extra extra_of(std::string_view header) {
    std::string words;
    for (const char byte : names::plain_letters(header)) {
        if (word_ends.find(byte) == std::string_view::npos) words += byte;
    }
    const auto* const found =
        std::find_if(headings.begin(), headings.end(),
                     [&words](const auto& heading) { return heading.words == words; });
    return found == headings.end() ? Extra::none : found->extra;
}

}  // namespace referee::roster
