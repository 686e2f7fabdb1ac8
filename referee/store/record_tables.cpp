#include "referee/store/chain.h"

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/schema.h"

namespace referee::store {

namespace {

constexpr std::string_view of_record = "WHERE seq = ?";

std::string in_order_of(std::string_view place) {
    return std::string(of_record) + " ORDER BY " + std::string(place);
}

template <typename Row, typename Element>
Statement select_table(Database& database, const fields::Rows<Row, Element>& field) {
    return select_from(database, table_of(field), in_order_of(Description<Element>::table.place));
}

template <typename Row>
Statement select_table(Database& database, const fields::PackedText<Row>& field) {
    return select_from(database, table_of(field), of_record);
}

template <typename Row, typename Element>
void read_table(Statement& rows, std::int64_t /*seq*/, Row& row,
                const fields::Rows<Row, Element>& field) {
    for (std::int64_t ordinal = 0; rows.step(); ++ordinal) {
        RowCursor cursor(rows);
        cursor.expect_place(ordinal);
        read_row(cursor, (row.*field.member).emplace_back());
    }
}

// Empty where the text is there.
std::string digest_of_dropped(const Statement& row) {
    RowCursor cursor(row);
    cursor.skip();
    if (!cursor.take_bytes().empty()) return {};
    const auto digest = base::digest_of_bytes(cursor.take_bytes());
    if (!digest) corrupt(fmt::format("the replay of record {} is damaged", cursor.seq()));
    return base::hex_of(*digest);
}

std::string unpacked(const Statement& row) {
    RowCursor cursor(row);
    const auto bytes = cursor.take<std::size_t>();
    const auto packed = cursor.take_bytes();
    const bool is_same = base::digest_of_bytes(cursor.take_bytes()) == base::digest_of(packed);
    auto text = is_same ? base::decompress(packed, bytes) : std::nullopt;
    if (!text) corrupt(fmt::format("the replay of record {} can't be unpacked", cursor.seq()));
    return *std::move(text);
}

template <typename Row>
void read_table(Statement& rows, std::int64_t seq, Row& row, const fields::PackedText<Row>& field) {
    if (!rows.step()) corrupt(fmt::format("the {} of record {} is missing", field.name, seq));
    if (auto dropped = digest_of_dropped(rows); !dropped.empty()) {
        row.*field.dropped_digest = std::move(dropped);
    } else {
        row.*field.member = unpacked(rows);
    }
}

// Reads the tables of one type of record.
template <typename Row>
class SelectOf {
 public:
    SelectOf(Database& database, RecordReader::Replays replays)
        : replays_(replays), rows_(select_from(database, own_table<Row>(), of_record)) {
        constexpr auto& table = Description<Row>::table;
        if constexpr (!table.lists.empty())
            lists_ = select_from(database, list_table<Row>(), in_order_of(table.place));
        const Row* none = nullptr;
        for_each_stored<StoredIn::in_table>(none, [&](const auto* /*part*/, const auto& field) {
            others_.push_back(select_table(database, field));
        });
    }

    std::optional<StoredRecord> find(std::uint64_t number) {
        rows_.bind(number);
        if (!rows_.step()) return std::nullopt;
        RowCursor cursor(rows_);
        const auto seq = cursor.seq();
        const auto time_ms = cursor.take<std::int64_t>();
        Row row;
        read_row(cursor, row);
        if (lists_) read_lists(*lists_, seq, row);
        read_tables(seq, row);
        check_columns(seq, row);
        rows_.reset();
        return StoredRecord{number, time_ms, std::move(row)};
    }

 private:
    // Columns for people say the same as the fields that they follow from.
    void check_columns(std::int64_t seq, const Row& row) const {
        int column = 2;  // behind seq and time_ms
        for_each_stored<StoredIn::in_row>(&row, [&](const auto* part, const auto& field) {
            if constexpr (requires { field.value(*part); }) {
                const auto value = part == nullptr ? std::nullopt : field.value(*part);
                const bool same = value ? rows_.is_text(column) && rows_.bytes(column) == *value
                                        : rows_.is_null(column);
                if (!same)
                    corrupt(fmt::format("record {} says in its column {} what it is not", seq,
                                        field.name));
            }
            ++column;
        });
    }

    static void read_lists(Statement& lists, std::int64_t seq, Row& row) {
        lists.bind(seq);
        for (std::int64_t place = 0; lists.step(); ++place) {
            RowCursor cursor(lists);
            read_place(cursor, place, row);
        }
        lists.reset();
    }

    void read_tables(std::int64_t seq, Row& row) {
        auto rows = others_.begin();
        for_each_stored<StoredIn::in_table>(&row, [&](auto* part, const auto& field) {
            using Kind = std::decay_t<decltype(field)>;
            auto& other = *rows++;
            if (part == nullptr || (Kind::is_large && replays_ == RecordReader::Replays::left_out))
                return;
            other.bind(seq);
            read_table(other, seq, *part, field);
            other.reset();
        });
    }

    RecordReader::Replays replays_;
    Statement rows_;
    std::optional<Statement> lists_;
    std::vector<Statement> others_;
};

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
        : database_(database), insert_(insert_into(database, own_table<Row>(), table.is_keyed)) {
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

std::optional<StoredRecord> RecordReader::find(std::uint64_t seq, std::string_view kind) {
    auto table = tables_.find(kind);
    if (table == tables_.end()) {
        fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
            if (Description<Row>::kind != kind) return;
            const auto select = std::make_shared<SelectOf<Row>>(database_, replays_);
            table = tables_.emplace(kind, std::bind_front(&SelectOf<Row>::find, select)).first;
        });
    }
    return table == tables_.end() ? std::nullopt : table->second(seq);
}

std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key) {
    Statement game(database,
                   fmt::format("SELECT seq FROM {} WHERE ({}) = (?, ?, ?, ?)",
                               Description<records::GameRecord>::table.name, fields::key_columns));
    fields::for_each(Description<GameKey>::fields,
                     [&](const auto& field) { game.bind_next(key.*field.member); });
    if (!game.step()) return std::nullopt;
    return static_cast<std::uint64_t>(RowCursor(game).seq());
}

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
