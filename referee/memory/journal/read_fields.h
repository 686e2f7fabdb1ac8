#pragma once

#include <cmath>

#include "engines/score.h"
#include "referee/games/record/fields.h"
#include "referee/memory/journal/members.h"

// Reads what a description lists from the members of a JSON object: the other way of
// referee/games/record/write_fields.h. For the one .cpp file that reads lines.

namespace referee::journal {

using record::Absent;
using record::Description;

// 2^53: doubles count in ones up to here.
inline constexpr double halves_max = 9007199254740992.0;

template <typename Row, typename... Kinds>
void read_fields(Members& members, Row& row, const std::tuple<Kinds...>& fields);

template <typename Value>
void read_value(Members& members, std::string_view name, std::uint64_t most, Value& value) {
    if constexpr (record::is_optional<Value>) {
        if (members.find(name)) read_value(members, name, most, value.emplace());
    } else if constexpr (std::is_enum_v<Value>) {
        const auto known = record::Words<Value>::named(members.find(name).string().value_or(""));
        if (!known) members.expected(name, record::Words<Value>::expected);
        value = known.value_or(value);
    } else if constexpr (std::is_same_v<Value, std::string>) {
        value = members.text(name);
    } else {
        value = members.number<Value>(name, most);
    }
}

// An element of an array; nothing where it is of another kind.
template <typename Element>
std::optional<Element> element_of(json::View view) {
    if constexpr (std::is_same_v<Element, std::string>) {
        const auto text = view.string();
        return text ? std::optional<Element>(*text) : std::nullopt;
    } else if constexpr (std::is_same_v<Element, engines::Score>) {
        const auto halves = view.number().value_or(std::nan("")) * 2;
        if (!(std::abs(halves) <= halves_max) || halves != std::floor(halves)) return std::nullopt;
        return Element::halves(static_cast<std::int64_t>(halves));
    } else {
        return Members::in_range<Element>(view);
    }
}

template <typename Element>
std::string_view expected_array(bool is_array) {
    if constexpr (std::is_same_v<Element, std::string>) return "an array of strings";
    if constexpr (std::is_same_v<Element, engines::Score>) {
        return is_array ? "an array of numbers of halves, such as [1, 0.5]"
                        : "an array of numbers, such as [1, 0.5]";
    }
    return "an array of whole numbers";
}

template <typename Row>
void check(Members& members, std::string_view name, record::Check<Row> check, const Row& row) {
    if (check == nullptr) return;
    if (const auto what = check(row); !what.empty()) members.expected(name, what);
}

template <typename Row, typename Value>
void read_field(Members& members, Row& row, const record::Field<Row, Value>& field) {
    if (field.absent != Absent::never && !members.find(field.name)) return;
    read_value(members, field.name, field.most, row.*field.member);
}

template <typename Row>
void read_field(Members& members, Row& row, const record::JsonText<Row>& field) {
    const auto value = members.find(field.name);
    if (!value.is_object()) members.expected(field.name, "an object");
    json::Writer writer(row.*field.member);
    value.write(writer);
}

template <typename Row, typename Element>
void read_field(Members& members, Row& row, const record::List<Row, Element>& field) {
    const auto array = members.find(field.name);
    if (array || field.absent == Absent::never) {
        bool is_good = array.is_array();
        for (const auto element : array.elements()) {
            auto value = element_of<Element>(element);
            is_good = is_good && value;
            (row.*field.member).push_back(std::move(value).value_or(Element{}));
        }
        if (!is_good) members.expected(field.name, expected_array<Element>(array.is_array()));
    }
    check(members, field.name, field.check, row);
}

template <typename Row, typename Element>
void read_field(Members& members, Row& row, const record::Rows<Row, Element>& field) {
    const std::string noun(Description<Element>::noun);
    const auto array = members.find(field.name);
    if (!array.is_array()) members.expected(field.name, "an array of " + noun + "s");
    std::string wrong;
    for (const auto element : array.elements()) {
        Members of_element(element, "a " + noun + "'s ", wrong);
        read_fields(of_element, (row.*field.member).emplace_back(), Description<Element>::fields);
    }
    if (!wrong.empty())
        members.expected(field.name, noun + "s whose members are right (" + wrong + ")");
}

template <typename Row, typename Part, typename Fields>
void read_field(Members& members, Row& row, const record::Within<Row, Part, Fields>& field) {
    read_fields(members, row.*field.part, field.fields);
}

template <typename Row, typename Part, typename Fields>
void read_field(Members& members, Row& row, const record::Object<Row, Part, Fields>& field) {
    if (field.only_if.is_there != nullptr && !field.only_if.is_there(row)) {
        const auto value = members.find(field.name);
        if (!value.is_null()) members.expected(field.name, field.only_if.expected_null);
        return;
    }
    auto object = members.object(field.name);
    read_fields(object, row.*field.part, field.fields);
    check(members, field.name, field.check, row);
}

template <typename Row>
void read_field(Members& members, Row& row, const record::LineOnly<Row>& field) {
    const auto value = field.value(row);
    if (members.find(field.name).string() != value)
        members.expected(field.name, std::string(field.meaning) + ", \"" + value + '"');
}

template <typename Row>
void read_field(Members& /*members*/, Row& /*row*/, const record::ColumnOnly<Row>& /*field*/) {}

template <typename Row>
void read_field(Members& members, Row& row, const record::Packed<Row>& field) {
    row.*field.member = members.text(field.name);
}

// Into a fresh struct.
template <typename Row, typename... Kinds>
void read_fields(Members& members, Row& row, const std::tuple<Kinds...>& fields) {
    record::for_each(fields, [&](const auto& field) { read_field(members, row, field); });
}

}  // namespace referee::journal
