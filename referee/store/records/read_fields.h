#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "engines/score.h"
#include "protocol/json/reader.h"
#include "referee/game/fields/fields.h"

// Reads the fields of a description from the members of a JSON object: the reverse of
// write_fields(). For the few .cpp files that read lines.

namespace referee::records {

namespace json = protocol::json;

using fields::Absent;
using fields::Description;

// Nothing where it is no whole number of halves, or too large for a double to be exact.
inline std::optional<engines::Score> score_of(double number) {
    constexpr double halves_max = 9007199254740992.0;  // 2^53
    const auto halves = number * 2;
    if (!(std::abs(halves) <= halves_max) || halves != std::floor(halves)) return std::nullopt;
    return engines::Score::halves(static_cast<std::int64_t>(halves));
}

template <typename Row, typename... Kinds>
void read_fields(json::Reader& members, Row& row, const std::tuple<Kinds...>& fields);

template <typename Value>
void read_value(json::Reader& members, std::string_view name, std::uint64_t most, Value& value) {
    if constexpr (fields::is_optional<Value>) {
        if (members.has(name)) read_value(members, name, most, value.emplace());
    } else if constexpr (std::is_enum_v<Value>) {
        const auto word = members.member(name);
        const auto known = fields::Words<Value>::named(word.view().text());
        if (!known) word.expected(fields::Words<Value>::expected);
        value = known.value_or(value);
    } else if constexpr (std::is_same_v<Value, std::string>) {
        value = members.text(name);
    } else if constexpr (std::is_same_v<Value, bool>) {
        value = members.boolean(name);
    } else {
        constexpr std::uint64_t most_of_type = std::numeric_limits<Value>::max();
        json::Bounds<Value> bounds;
        bounds.most = static_cast<Value>(std::min(most, most_of_type));
        value = members.member(name).integer_of(bounds).value_or(0);
    }
}

// An element of an array; nothing where it has another type.
template <typename Element>
std::optional<Element> element_of(json::View view) {
    if constexpr (std::is_same_v<Element, std::string>) {
        const auto text = view.string();
        return text ? std::optional<Element>(*text) : std::nullopt;
    } else if constexpr (std::is_same_v<Element, engines::Score>) {
        return score_of(view.number().value_or(std::nan("")));
    } else {
        if constexpr (std::is_same_v<Element, std::uint64_t>) return view.unsigned_integer();
        const auto number = view.integer();
        if (!number || !std::in_range<Element>(*number)) return std::nullopt;
        return static_cast<Element>(*number);
    }
}

template <typename Element>
std::string_view expected_array(bool is_array) {
    if constexpr (std::is_same_v<Element, std::string>) return "an array of strings";
    if constexpr (std::is_same_v<Element, engines::Score>)
        return is_array ? "an array of numbers of halves, such as [1, 0.5]"
                        : "an array of numbers, such as [1, 0.5]";
    return "an array of whole numbers";
}

template <typename Row>
void check(json::Reader& members, std::string_view name, fields::Check<Row> check, const Row& row) {
    if (check == nullptr) return;
    if (const auto what = check(row); !what.empty()) members.member(name).expected(what);
}

template <typename Row, typename Value>
void read_field(json::Reader& members, Row& row, const fields::Field<Row, Value>& field) {
    if (field.absent != Absent::never && !members.has(field.name)) return;
    read_value(members, field.name, field.most, row.*field.member);
}

template <typename Row>
void read_field(json::Reader& members, Row& row, const fields::JsonText<Row>& field) {
    json::Writer writer(row.*field.member);
    members.object(field.name).view().write(writer);
}

template <typename Row, typename Element>
void read_field(json::Reader& members, Row& row, const fields::List<Row, Element>& field) {
    const auto array = members.member(field.name);
    if (array || field.absent == Absent::never) {
        const bool is_array = array.view().is_array();
        bool is_good = is_array;
        for (const auto element : array.view().elements()) {
            auto value = element_of<Element>(element);
            is_good = is_good && value;
            (row.*field.member).push_back(std::move(value).value_or(Element{}));
        }
        if (!is_good) array.expected(expected_array<Element>(is_array));
    }
    check(members, field.name, field.check, row);
}

template <typename Row, typename Element>
void read_field(json::Reader& members, Row& row, const fields::Rows<Row, Element>& field) {
    const auto array = members.array(field.name);
    for (const auto element : array.elements()) {
        json::Reader of_element(element);
        read_fields(of_element, (row.*field.member).emplace_back(), Description<Element>::fields);
    }
}

template <typename Row, typename Part, typename Fields>
void read_field(json::Reader& members, Row& row, const fields::PartOf<Row, Part, Fields>& field) {
    read_fields(members, row.*field.part, field.fields);
}

template <typename Row, typename Part, typename Fields>
void read_field(json::Reader& members, Row& row, const fields::Object<Row, Part, Fields>& field) {
    if (field.only_if.is_there != nullptr && !field.only_if.is_there(row)) {
        const auto value = members.member(field.name);
        if (!value.view().is_null()) value.expected(field.only_if.expected_null);
        return;
    }
    json::Reader object(members.object(field.name));
    read_fields(object, row.*field.part, field.fields);
    check(members, field.name, field.check, row);
}

template <typename Row, typename Value>
void read_field(json::Reader& members, Row& row, const fields::LineNumber<Row, Value>& field) {
    read_value(members, field.name, std::numeric_limits<std::uint64_t>::max(), row.*field.member);
}

template <typename Row>
void read_field(json::Reader& members, Row& row, const fields::LineText<Row>& field) {
    const auto value = field.value(row);
    const auto given = members.member(field.name);
    if (given.view().string() != value)
        given.expected(std::string(field.meaning) + ", \"" + value + '"');
}

template <typename Row>
void read_field(json::Reader& /*members*/, Row& /*row*/, const fields::ColumnOnly<Row>& /*field*/) {
}

template <typename Row>
void read_field(json::Reader& members, Row& row, const fields::PackedText<Row>& field) {
    if (members.has(field.digest_name)) {
        row.*field.dropped_digest = members.text(field.digest_name);
    } else {
        row.*field.member = members.text(field.name);
    }
}

// Into a fresh struct.
template <typename Row, typename... Kinds>
void read_fields(json::Reader& members, Row& row, const std::tuple<Kinds...>& fields) {
    fields::for_each(fields, [&](const auto& field) { read_field(members, row, field); });
}

}  // namespace referee::records
