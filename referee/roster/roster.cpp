#include "referee/roster/roster.h"

#include <algorithm>

#include "protocol/base/assertion.h"
#include "referee/roster/token_hash.h"

namespace referee::roster {
namespace {

// The cells' place; nothing where the table has no such column.
std::size_t token_column(Table& table, bool make) {
    auto& header = table.header.cells;
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (column_of(header[i]) == Column::token) return i;
    }
    if (!make) return header.size();
    header.emplace_back(name_of(Column::token));
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

std::size_t fill_tokens(Table& table, const std::function<std::string()>& make) {
    const auto column = token_column(table, true);
    std::size_t made = 0;
    for (auto& row : table.rows) {
        if (!row.cells[column].empty()) continue;
        row.cells[column] = make();
        ++made;
    }
    return made;
}

std::size_t hash_tokens(Table& table, const std::function<std::string(std::string_view)>& hash_of) {
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

}  // namespace referee::roster
