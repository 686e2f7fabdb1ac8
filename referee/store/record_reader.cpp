#include "referee/store/record_reader.h"

#include <sqlite3.h>

#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/store/record_digest.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/row_cursor.h"

namespace referee::store {

void corrupt(const std::string& what) {
    throw DatabaseError(SQLITE_CORRUPT, 0, what);
}

namespace {

constexpr std::string_view of_record = "WHERE seq = ?";

std::string in_order_of(std::string_view place) {
    return std::string(of_record) + " ORDER BY " + std::string(place);
}

template <typename Row, typename Element>
Statement select_table(Database& database, const fields::Rows<Row, Element>& field) {
    return select_from(database, table_columns(field),
                       in_order_of(Description<Element>::table.place));
}

template <typename Row>
Statement select_table(Database& database, const fields::PackedFields<Row>& field) {
    return select_from(database, table_columns(field), of_record);
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
    const auto digest = digest_of_bytes(cursor.take_bytes());
    if (!digest) corrupt("the replay of record " + std::to_string(cursor.seq()) + " is damaged");
    return hex_of(*digest);
}

std::string unpacked(const Statement& row) {
    RowCursor cursor(row);
    const auto bytes = cursor.take<std::size_t>();
    const auto packed = cursor.take_bytes();
    const bool is_same = digest_of_bytes(cursor.take_bytes()) == base::digest_of(packed);
    auto text = is_same ? base::decompress(packed, bytes) : std::nullopt;
    if (!text)
        corrupt("the replay of record " + std::to_string(cursor.seq()) + " can't be unpacked");
    return *std::move(text);
}

template <typename Row>
void read_table(Statement& rows, std::int64_t seq, Row& row,
                const fields::PackedFields<Row>& field) {
    if (!rows.step())
        corrupt("the " + std::string(field.name) + " of record " + std::to_string(seq) +
                " is missing");
    if (auto dropped = digest_of_dropped(rows); !dropped.empty()) {
        row.*field.dropped_digest = std::move(dropped);
    } else {
        row.*field.member = unpacked(rows);
    }
}

template <typename Row>
class RecordTableOf final : public RecordTable {
 public:
    RecordTableOf(Database& database, RecordReader::Replays replays)
        : replays_(replays), rows_(select_from(database, record_columns<Row>(), of_record)) {
        constexpr auto& table = Description<Row>::table;
        if constexpr (!table.lists.empty())
            lists_ = select_from(database, list_columns<Row>(), in_order_of(table.place));
        const Row* none = nullptr;
        for_each_stored<StoredIn::in_table>(none, [&](const auto* /*part*/, const auto& field) {
            others_.push_back(select_table(database, field));
        });
    }

    std::optional<StoredRecord> find(std::uint64_t number) override {
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
                    corrupt("record " + std::to_string(seq) + " says in its column " +
                            std::string(field.name) + " what it is not");
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

}  // namespace

std::optional<StoredRecord> RecordReader::find(std::uint64_t seq, std::string_view kind) {
    auto table = tables_.find(kind);
    if (table == tables_.end()) {
        fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
            if (Description<Row>::kind != kind) return;
            table = tables_.emplace(kind, std::make_unique<RecordTableOf<Row>>(database_, replays_))
                        .first;
        });
    }
    return table == tables_.end() ? std::nullopt : table->second->find(seq);
}

std::optional<std::uint64_t> ended_play(Database& database, const GameKey& key) {
    using Game = Description<records::GameRecord>;
    RecordColumns of_key{Game::table.name, {}};
    add_columns<GameKey>(of_key);
    auto game = select_from(database, {Game::table.name, {seq_column}},
                            "WHERE " + base::joined(of_key.names, " = ? AND ") + " = ?");
    fields::for_each(Description<GameKey>::fields,
                     [&](const auto& field) { game.bind_next(key.*field.member); });
    if (!game.step()) return std::nullopt;
    return static_cast<std::uint64_t>(RowCursor(game).seq());
}

}  // namespace referee::store
