#pragma once

#include <concepts>

#include "engines/score.h"
#include "protocol/json/writer.h"
#include "referee/game/fields/fields.h"

// Writes what a description lists as the members of a JSON object. For the few .cpp files that
// write lines.

namespace referee::fields {

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

template <typename Row, typename Value>
void write_field(json::Writer& writer, const Row& row, const Field<Row, Value>& field) {
    const auto& value = row.*field.member;
    if constexpr (is_optional<Value>) {
        if (!value) return;
        writer.key(field.name);
        write_value(writer, *value);
    } else {
        if (field.absent != Absent::never && is_fresh(row, field.member)) return;
        writer.key(field.name);
        write_value(writer, value);
    }
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
void write_field(json::Writer& writer, const Row& row, const Within<Row, Part, Fields>& field) {
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
void write_field(json::Writer& writer, const Row& row, const LineOnly<Row>& field) {
    writer.key(field.name).string(field.value(row));
}

template <typename Row, typename Value>
void write_field(json::Writer& writer, const Row& row, const InLine<Row, Value>& field) {
    const auto& value = row.*field.member;
    if (!value) return;
    writer.key(field.name);
    write_value(writer, *value);
}

template <typename Row>
void write_field(json::Writer& /*writer*/, const Row& /*row*/, const ColumnOnly<Row>& /*field*/) {}

template <typename Row>
void write_field(json::Writer& writer, const Row& row, const PackedFields<Row>& field) {
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
