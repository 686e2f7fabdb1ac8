#include "engines/score.h"
#include "protocol/base/bytes.h"
#include "referee/store/record_tables.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

template <typename Value>
void bind_value(Statement& insert, const Value& value) {
    if constexpr (fields::is_optional<Value>) {
        value ? bind_value(insert, *value) : insert.bind_next(nullptr);
    } else if constexpr (std::is_enum_v<Value>) {
        insert.bind_next(name_of(value));
    } else if constexpr (std::is_same_v<Value, engines::Score>) {
        insert.bind_next(static_cast<double>(value.in_halves()) / 2);
    } else {
        insert.bind_next(value);
    }
}

template <typename Row, typename Value>
void bind_field(Statement& insert, const Row& row, const fields::Field<Row, Value>& field) {
    const bool is_null =
        field.absent == fields::Absent::from_both && fields::is_fresh(row, field.member);
    is_null ? insert.bind_next(nullptr) : bind_value(insert, row.*field.member);
}

template <typename Row>
void bind_field(Statement& insert, const Row& row, const fields::JsonText<Row>& field) {
    insert.bind_next(row.*field.member);
}

template <typename Row>
void bind_field(Statement& insert, const Row& row, const fields::ColumnOnly<Row>& field) {
    insert.bind_next(field.value(row));
}

// All columns of the row, in the order of RowCursor.
template <typename Row>
void bind_row(Statement& insert, const Row& row) {
    for_each_stored<StoredIn::in_row>(&row, [&](const auto* part, const auto& field) {
        part == nullptr ? insert.bind_next(nullptr) : bind_field(insert, *part, field);
    });
}

// The element that each list has at one place, in the order of RowCursor.
template <typename Row>
void bind_place(Statement& insert, const Row& row, std::size_t place) {
    for_each_stored<StoredIn::in_lists>(&row, [&](const auto* part, const auto& field) {
        const bool is_there = part != nullptr && place < (part->*field.member).size();
        is_there ? bind_value(insert, (part->*field.member)[place]) : insert.bind_next(nullptr);
    });
}

// The length of the first list.
template <typename Row>
std::size_t places_of(const Row& row) {
    std::optional<std::size_t> places;
    for_each_stored<StoredIn::in_lists>(&row, [&](const auto* part, const auto& field) {
        if (!places) places = part == nullptr ? 0 : (part->*field.member).size();
    });
    return places.value_or(0);
}

template <typename Row>
void write_lists(Statement& insert, std::uint64_t seq, const Row& row) {
    const auto places = places_of(row);
    for (std::size_t place = 0; place < places; ++place) {
        insert.bind(seq, place);
        bind_place(insert, row, place);
        insert.run_bound();
    }
}

template <typename Row, typename Element>
void write_table(Statement& insert, std::uint64_t seq, const Row& row,
                 const fields::Rows<Row, Element>& field) {
    std::size_t ordinal = 0;
    for (const auto& element : row.*field.member) {
        insert.bind(seq, ordinal++);
        bind_row(insert, element);
        insert.run_bound();
    }
}

template <typename Row>
void write_table(Statement& insert, std::uint64_t seq, const Row& row,
                 const fields::PackedText<Row>& field) {
    if (const auto digest = base::digest_in(row.*field.dropped_digest)) {
        insert.run(seq, 0, Blob{""}, Blob{base::bytes_of(*digest)});
        return;
    }
    const auto& text = row.*field.member;
    const auto packed = base::compress(text);
    const auto digest = base::digest_of(packed);
    insert.run(seq, text.size(), Blob{packed}, Blob{base::bytes_of(digest)});
}

// Writes them.
template <typename Row>
class InsertOf {
 public:
    explicit InsertOf(Database& database)
        : database_(database), insert_(insert_into(database, own_table<Row>())) {
        if constexpr (!table.lists.empty()) lists_ = insert_into(database, list_table<Row>());
        const Row* none = nullptr;
        for_each_stored<StoredIn::in_table>(none, [&](const auto* /*part*/, const auto& field) {
            others_.push_back(insert_into(database, table_of(field)));
        });
    }

    bool insert(std::uint64_t seq, std::int64_t time_ms, const Row& row) {
        insert_.bind(seq, time_ms);
        bind_row(insert_, row);
        insert_.run_bound();
        if (table.is_keyed && database_.changes() == 0) return false;
        if (lists_) write_lists(*lists_, seq, row);
        auto other = others_.begin();
        for_each_stored<StoredIn::in_table>(&row, [&](const auto* part, const auto& field) {
            auto& table_of_field = *other++;
            if (part != nullptr) write_table(table_of_field, seq, *part, field);
        });
        return true;
    }

 private:
    static constexpr auto& table = Description<Row>::table;

    Database& database_;
    Statement insert_;
    std::optional<Statement> lists_;
    std::vector<Statement> others_;
};

}  // namespace

RecordWriter::RecordWriter(Database& database) {
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        tables_.emplace_back(
            [table = std::make_shared<InsertOf<Row>>(database)](
                std::uint64_t seq, std::int64_t time_ms, const records::Record& record) {
                return table->insert(seq, time_ms, std::get<Row>(record));
            });
    });
}

}  // namespace referee::store
