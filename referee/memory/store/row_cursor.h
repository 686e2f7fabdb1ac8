#pragma once

#include <cmath>

#include "referee/memory/store/record_columns.h"

// Reads rows that were selected by the columns of record_columns.h, in their order.

namespace referee::store {

// Throws: the tables hold what no store writes.
[[noreturn]] void corrupt(const std::string& what);

// Walks over the columns of the row that a statement stands on.
class RowCursor {
 public:
    // The first column is the number of the record.
    explicit RowCursor(const Statement& row) : row_(row), seq_(row_.integer(column_++)) {}

    std::int64_t seq() const { return seq_; }
    void skip() { ++column_; }
    bool is_null() const { return row_.is_null(column_); }
    std::string_view take_bytes() { return row_.bytes(column_++); }

    template <typename Value>
    Value take() {
        if constexpr (fields::is_optional<Value>) {
            return take<typename Value::value_type>();
        } else if constexpr (std::is_same_v<Value, std::string>) {
            return row_.text(column_++);
        } else if constexpr (std::is_same_v<Value, engines::Score>) {
            return take_score();
        } else if constexpr (std::is_enum_v<Value>) {
            return take_word<Value>();
        } else {
            return static_cast<Value>(row_.integer(column_++));
        }
    }

    // Null leaves the value as it is.
    template <typename Value>
    void take_into(Value& value) {
        if (is_null()) {
            skip();
        } else {
            value = take<Value>();
        }
    }

 private:
    // A word that must be one of ours.
    template <typename Word>
    Word take_word() {
        const auto word = row_.text(column_++);
        const auto value = fields::Words<Word>::named(word);
        if (!value)
            corrupt("record " + std::to_string(seq_) + " says \"" + word +
                    "\", which this program does not know");
        return *value;
    }

    engines::Score take_score() {
        constexpr double halves_max = 9007199254740992.0;  // 2^53: doubles count in ones up to here
        const auto halves = row_.real(column_++) * 2;
        if (!(std::abs(halves) <= halves_max))
            corrupt("record " + std::to_string(seq_) + " has a score that no game has");
        return engines::Score::halves(std::llround(halves));
    }

    const Statement& row_;
    int column_ = 0;
    std::int64_t seq_;
};

// The columns of the row itself, into a fresh struct.
template <typename Row>
void read_row(RowCursor& cursor, Row& row) {
    fields::for_each_flat(&row, Description<Row>::fields, [&](auto* part, const auto& field) {
        if constexpr (std::decay_t<decltype(field)>::stands == Stands::in_row) {
            if constexpr (requires { field.member; }) {
                if (part != nullptr) {
                    cursor.take_into(part->*field.member);
                    return;
                }
            }
            cursor.skip();
        }
    });
}

// The elements at one place of all lists.
template <typename Row>
void read_place(RowCursor& cursor, Row& row) {
    cursor.skip();  // the place: the rows come in its order
    fields::for_each_flat(&row, Description<Row>::fields, [&](auto* part, const auto& field) {
        if constexpr (std::decay_t<decltype(field)>::stands == Stands::in_lists) {
            if (part == nullptr || cursor.is_null()) {
                cursor.skip();
                return;
            }
            auto& list = part->*field.member;
            using Element = typename std::decay_t<decltype(list)>::value_type;
            list.push_back(cursor.take<Element>());
        }
    });
}

}  // namespace referee::store
