#pragma once

#include "engines/score.h"
#include "referee/game/fields/fields.h"
#include "referee/store/database/record_tables.h"

// The columns of a description. For the few .cpp files that read and write tables.

namespace referee::store {

using fields::Description;
using fields::StoredIn;

// The number of the record, first in every table.
inline constexpr std::string_view seq_column = "seq";

// Adds the columns of the row itself, or of the lists beside it.
template <typename Row>
void add_columns(RecordColumns& columns, StoredIn where) {
    const Row* none = nullptr;
    fields::for_each_flat(none, Description<Row>::fields, [&](const auto* /*row*/, auto field) {
        using Kind = decltype(field);
        if (Kind::stands != where) return;
        if constexpr (Kind::stands == StoredIn::in_row) columns.names.push_back(field.name);
        if constexpr (Kind::stands == StoredIn::in_lists) columns.names.push_back(field.column);
    });
}

template <typename Row>
RecordColumns record_columns() {
    RecordColumns columns{Description<Row>::table.name, {seq_column, "time_ms"}};
    add_columns<Row>(columns, StoredIn::in_row);
    return columns;
}

template <typename Row>
RecordColumns list_columns() {
    RecordColumns columns{Description<Row>::table.lists,
                          {seq_column, Description<Row>::table.place}};
    add_columns<Row>(columns, StoredIn::in_lists);
    return columns;
}

// Adds the tables of fields that have a table to themselves.
template <typename Row, typename Element>
RecordColumns table_columns(const fields::Rows<Row, Element>& /*field*/) {
    RecordColumns columns{Description<Element>::table.name,
                          {seq_column, Description<Element>::table.place}};
    add_columns<Element>(columns, StoredIn::in_row);
    return columns;
}

template <typename Row>
RecordColumns table_columns(const fields::PackedFields<Row>& field) {
    return {field.table, {seq_column, "bytes", "zlib", "sha256"}};
}

}  // namespace referee::store
