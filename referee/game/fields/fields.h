#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engines/score.h"
#include "protocol/json/writer.h"

// Describes what is written down, once, by a list of its fields. From the list come the members of
// its JSON line, their reader, and the columns of its row in the store. So a new field is a member
// of the struct and a line in its list.
//
//     template <>
//     struct Description<Lunch> {
//         static constexpr std::tuple fields{
//             Field{"bot", &Lunch::bot},
//             Field{"dish", &Lunch::dish, Absent::from_line},
//         };
//     };
//
// Fields are written to the line, and read, in the order of the list. So a field that a check looks
// at stands before that check.

namespace referee::fields {

// The description of a struct: `fields`, and what else its kind needs. Specialised for each.
template <typename Row>
struct Description;

template <typename... Kinds, typename Each>
void for_each(const std::tuple<Kinds...>& fields, const Each& each) {
    std::apply([&each](const auto&... field) { (each(field), ...); }, fields);
}

// The words for an enumeration's values: beside its name_of(), `named` finds a value, and
// `expected` says in messages what is wanted.
template <typename Word>
struct Words;

// Where a value that is as in a fresh struct is left out, and may be missing. An empty
// std::optional is always left out of both; its field names nothing of this.
enum class Absent : std::uint8_t {
    never,
    from_line,  // its column holds it all the same
    from_both,  // its column is null
};

// Where the store has a field.
enum class StoredIn : std::uint8_t { in_row, in_lists, in_table, nowhere };

// What was expected instead of what was read; empty: it is right.
template <typename Row>
using Check = std::string (*)(const Row& row);

// A text, a whole number or a word: a member of the line and a column, by the same name.
template <typename Row, typename Value>
struct Field {
    static constexpr StoredIn stands = StoredIn::in_row;

    constexpr Field(std::string_view its_name, Value Row::*its_member, Absent where = Absent::never)
        : name(its_name), member(its_member), absent(where) {}

    // A line may hold no number above this, even if its type could.
    constexpr Field at_most(std::uint64_t number) const {
        auto field = *this;
        field.most = number;
        return field;
    }

    std::string_view name;
    Value Row::*member;
    Absent absent;
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

// An object as JSON text: an object in the line, its text in the column.
template <typename Row>
struct JsonText {
    static constexpr StoredIn stands = StoredIn::in_row;

    constexpr JsonText(std::string_view its_name, std::string Row::*its_member)
        : name(its_name), member(its_member) {}

    std::string_view name;
    std::string Row::*member;
};

// Values in order, such as one for each seat: an array in the line. In the store all lists of a
// record share a table of their own (Table::lists), with a column for each list and a row for each
// place. The first list tells how many rows there are; a shorter one ends in nulls.
template <typename Row, typename Element>
struct List {
    static constexpr StoredIn stands = StoredIn::in_lists;

    constexpr List(std::string_view its_name, std::vector<Element> Row::*its_member,
                   std::string_view its_column, Absent where = Absent::never,
                   Check<Row> checked = nullptr)
        : name(its_name), member(its_member), column(its_column), absent(where), check(checked) {}

    std::string_view name;
    std::vector<Element> Row::*member;
    std::string_view column;
    Absent absent;
    Check<Row> check;
};

// Structs with a description of their own: an array of objects in the line; in the store, a row for
// each in the table that the description names (`table.name`).
template <typename Row, typename Element>
struct Rows {
    static constexpr StoredIn stands = StoredIn::in_table;
    static constexpr bool is_large = false;

    constexpr Rows(std::string_view its_name, std::vector<Element> Row::*its_member)
        : name(its_name), member(its_member) {}

    std::string_view name;
    std::vector<Element> Row::*member;
};

// Fields of a part of the struct, written as if they were the struct's own.
template <typename Row, typename Part, typename Fields>
struct PartOf {
    constexpr PartOf(Part Row::*its_part, Fields its_fields) : part(its_part), fields(its_fields) {}

    Part Row::*part;
    Fields fields;
};

// An object that may be missing: then the line says null, and so do its columns.
template <typename Row>
struct OnlyIf {
    bool (*is_there)(const Row& row) = nullptr;  // none: always
    std::string_view expected_null{};            // in messages, where it should not be there
};

// Fields of a part of the struct: an object in the line; in the store, columns among its own.
template <typename Row, typename Part, typename Fields>
struct Object {
    constexpr Object(std::string_view its_name, Part Row::*its_part, Fields its_fields,
                     OnlyIf<Row> condition = {}, Check<Row> checked = nullptr)
        : name(its_name), part(its_part), fields(its_fields), only_if(condition), check(checked) {}

    std::string_view name;
    Part Row::*part;
    Fields fields;
    OnlyIf<Row> only_if;
    Check<Row> check;
};

// A text that follows from the other fields: told in the line, and compared when it is read.
template <typename Row>
struct LineText {
    static constexpr StoredIn stands = StoredIn::nowhere;

    constexpr LineText(std::string_view its_name, std::string (*its_value)(const Row&),
                       std::string_view what)
        : name(its_name), value(its_value), meaning(what) {}

    std::string_view name;
    std::string (*value)(const Row& row);
    std::string_view meaning;  // in messages: "the key's id"
};

// A number that only the line tells, and a record that is read from the store does not have.
template <typename Row, typename Value>
struct LineNumber {
    static constexpr StoredIn stands = StoredIn::nowhere;

    constexpr LineNumber(std::string_view its_name, std::optional<Value> Row::*its_member)
        : name(its_name), member(its_member) {}

    std::string_view name;
    std::optional<Value> Row::*member;
};

// A text that follows from the other fields: a column for people and for indexes.
template <typename Row>
struct ColumnOnly {
    static constexpr StoredIn stands = StoredIn::in_row;

    constexpr ColumnOnly(std::string_view its_name,
                         std::optional<std::string_view> (*its_value)(const Row&))
        : name(its_name), value(its_value) {}

    std::string_view name;
    std::optional<std::string_view> (*value)(const Row& row);  // null where there is nothing
};

// A long text: a string in the line; in the store, packed in a table of its own with the columns
// seq, bytes (its size), zlib and sha256 (of the packed bytes: some of their bits could be others
// and unpack to the same text). It is read from there only where it is asked for. Of a text that
// was dropped its SHA-256 is kept, which stands for it: zlib is empty then.
template <typename Row>
struct PackedText {
    static constexpr StoredIn stands = StoredIn::in_table;
    static constexpr bool is_large = true;

    constexpr PackedText(std::string_view its_name, std::string Row::*its_member,
                         std::string_view its_table, std::string_view its_digest_name,
                         std::string Row::*its_dropped_digest)
        : name(its_name),
          member(its_member),
          table(its_table),
          digest_name(its_digest_name),
          dropped_digest(its_dropped_digest) {}

    std::string_view name;
    std::string Row::*member;
    std::string_view table;
    std::string_view digest_name;
    std::string Row::*dropped_digest;  // as hexadecimal digits; empty: the text was not dropped
};

// Where rows stand in the store.
struct FieldTable {
    std::string_view name;
    // The schema has a key for them: one that is there already is not written again.
    bool is_keyed = false;
    std::string_view lists{};   // the table of the lists, where there are any
    std::string_view place{};   // its column that counts their rows from 0: "seat", "ordinal"
    std::string_view unique{};  // the columns that are its key, where no index is
};

template <typename Value>
inline constexpr bool is_optional = false;
template <typename Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

// Whether the value is as in a fresh struct, and need not be told.
template <typename Row, typename Value>
bool is_fresh(const Row& row, Value Row::*member) {
    static const Row fresh{};
    return row.*member == fresh.*member;
}

// Calls `each` with every field as the store has it, parts and objects taken apart, and with the
// struct that the field is in (null where its object isn't there). `row` may be null where only
// names are wanted.
template <typename Row, typename... Kinds, typename Each>
void for_each_flat(Row* row, const std::tuple<Kinds...>& fields, const Each& each) {
    for_each(fields, [&](const auto& field) {
        if constexpr (requires { field.fields; }) {
            bool is_there = row != nullptr;
            if constexpr (requires { field.only_if; }) {
                if (is_there && field.only_if.is_there != nullptr)
                    is_there = field.only_if.is_there(*row);
            }
            for_each_flat(is_there ? &(row->*field.part) : nullptr, field.fields, each);
        } else {
            each(row, field);
        }
    });
}

// Writes what a description lists as the members of a JSON object.

namespace json = protocol::json;

template <typename Row, typename... Kinds>
void write_fields(json::Writer& writer, const Row& row, const std::tuple<Kinds...>& fields);

template <typename Value>
void write_value(json::Writer& writer, const Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        writer.string(name_of(value));
    } else if constexpr (std::is_same_v<Value, engines::Score>) {
        value.write(writer);
    } else if constexpr (std::is_same_v<Value, bool>) {
        writer.boolean(value);
    } else if constexpr (std::unsigned_integral<Value>) {
        writer.unsigned_integer(value);
    } else if constexpr (std::signed_integral<Value>) {
        writer.integer(value);
    } else {
        writer.string(value);
    }
}

// Nothing of an empty std::optional.
template <typename Value>
void write_member(json::Writer& writer, std::string_view name, const Value& value) {
    if constexpr (is_optional<Value>) {
        if (value) write_value(writer.key(name), *value);
    } else {
        write_value(writer.key(name), value);
    }
}

template <typename Row, typename Value>
void write_field(json::Writer& writer, const Row& row, const Field<Row, Value>& field) {
    if (!is_optional<Value> && field.absent != Absent::never && is_fresh(row, field.member)) return;
    write_member(writer, field.name, row.*field.member);
}

template <typename Row>
void write_field(json::Writer& writer, const Row& row, const JsonText<Row>& field) {
    writer.key(field.name).raw(row.*field.member);
}

template <typename Row, typename Element>
void write_field(json::Writer& writer, const Row& row, const List<Row, Element>& field) {
    if (field.absent != Absent::never && is_fresh(row, field.member)) return;
    writer.key(field.name).begin_array();
    for (const auto& element : row.*field.member) write_value(writer, element);
    writer.end_array();
}

template <typename Row, typename Element>
void write_field(json::Writer& writer, const Row& row, const Rows<Row, Element>& field) {
    writer.key(field.name).begin_array();
    for (const auto& element : row.*field.member) {
        writer.begin_object();
        write_fields(writer, element, Description<Element>::fields);
        writer.end_object();
    }
    writer.end_array();
}

template <typename Row, typename Part, typename Fields>
void write_field(json::Writer& writer, const Row& row, const PartOf<Row, Part, Fields>& field) {
    write_fields(writer, row.*field.part, field.fields);
}

template <typename Row, typename Part, typename Fields>
void write_field(json::Writer& writer, const Row& row, const Object<Row, Part, Fields>& field) {
    writer.key(field.name);
    if (field.only_if.is_there != nullptr && !field.only_if.is_there(row)) {
        writer.null();
        return;
    }
    writer.begin_object();
    write_fields(writer, row.*field.part, field.fields);
    writer.end_object();
}

template <typename Row>
void write_field(json::Writer& writer, const Row& row, const LineText<Row>& field) {
    writer.key(field.name).string(field.value(row));
}

template <typename Row, typename Value>
void write_field(json::Writer& writer, const Row& row, const LineNumber<Row, Value>& field) {
    write_member(writer, field.name, row.*field.member);
}

template <typename Row>
void write_field(json::Writer& /*writer*/, const Row& /*row*/, const ColumnOnly<Row>& /*field*/) {}

template <typename Row>
void write_field(json::Writer& writer, const Row& row, const PackedText<Row>& field) {
    const auto& dropped = row.*field.dropped_digest;
    if (dropped.empty()) {
        writer.key(field.name).string(row.*field.member);
    } else {
        writer.key(field.digest_name).string(dropped);
    }
}

// Into an object that the caller has begun.
template <typename Row, typename... Kinds>
void write_fields(json::Writer& writer, const Row& row, const std::tuple<Kinds...>& fields) {
    for_each(fields, [&](const auto& field) { write_field(writer, row, field); });
}

}  // namespace referee::fields
