#include <cmath>
#include <utility>

#include "engines/score.h"
#include "protocol/base/bytes.h"
#include "protocol/base/text.h"
#include "referee/store/record_tables.h"
#include "referee/store/records/read_fields.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/schema.h"

namespace referee::store {

namespace {

// Walks over the columns of a description, in their order, of the row that a statement stands on.
class RowCursor {
 public:
    // The first column is the number of the record.
    explicit RowCursor(const Statement& row) : row_(row), seq_(seq_in(row)) {}

    std::uint64_t seq() const { return seq_; }
    void skip() { ++column_; }
    // The rows beside a record are counted from 0.
    void expect_place(std::int64_t place) {
        expect(row_.is_integer(column_) && row_.integer(column_) == place);
        ++column_;
    }
    bool is_null() const { return row_.is_null(column_); }
    std::string_view take_bytes() {
        expect(row_.is_blob(column_));
        return row_.bytes(column_++);
    }

    template <typename Value>
    Value take() {
        if constexpr (fields::is_optional<Value>) {
            return take<typename Value::value_type>();
        } else if constexpr (std::is_same_v<Value, std::string>) {
            return take_text();
        } else if constexpr (std::is_same_v<Value, engines::Score>) {
            return take_score();
        } else if constexpr (std::is_enum_v<Value>) {
            return take_word<Value>();
        } else {
            expect(row_.is_integer(column_));
            const auto number = row_.integer(column_++);
            // Numbers of 64 bits without a sign stand there as those with one.
            if constexpr (sizeof(Value) < sizeof(number)) expect(std::in_range<Value>(number));
            return static_cast<Value>(number);
        }
    }

    void take_null() {
        expect(is_null());
        skip();
    }

    // A field as it is written: null where it has no value, or none that is told, and only there.
    template <typename Row, typename Field>
    void take_field(Row& row, const Field& field) {
        auto& value = row.*field.member;
        using Value = std::decay_t<decltype(value)>;
        bool may_be_null = fields::is_optional<Value>;
        if constexpr (requires { field.absent; })
            may_be_null = may_be_null || field.absent == fields::Absent::from_both;
        if (may_be_null && is_null()) {
            skip();
            return;
        }
        value = take<Value>();
        if constexpr (!fields::is_optional<Value>)
            expect(!may_be_null || !fields::is_fresh(row, field.member));
    }

    // The element of a list that has all those before it.
    template <typename Element>
    void take_element(std::vector<Element>& list, std::int64_t place) {
        expect(std::cmp_equal(list.size(), place));
        list.push_back(take<Element>());
    }

 private:
    void expect(bool is_that_kind) const { expect_kind(is_that_kind, seq_); }

    std::string take_text() {
        expect(row_.is_text(column_));
        return row_.text(column_++);
    }

    // A word that must be one of ours.
    template <typename Word>
    Word take_word() {
        const auto word = take_text();
        const auto value = fields::Words<Word>::named(word);
        if (!value)
            corrupt(fmt::format(R"(record {} says "{}", which this program does not know)", seq_,
                                word));
        return *value;
    }

    engines::Score take_score() {
        expect(row_.is_real(column_));
        const auto number = row_.real(column_++);
        const auto score = records::score_of(number);
        const bool is_minus_zero = std::signbit(number) && number == 0;
        if (!score || is_minus_zero)
            corrupt(fmt::format("record {} has a score that no game has", seq_));
        return *score;
    }

    const Statement& row_;
    int column_ = 1;
    std::uint64_t seq_;
};

// The columns of the row itself, into a fresh struct.
template <typename Row>
void read_row(RowCursor& cursor, Row& row) {
    for_each_stored<StoredIn::in_row>(&row, [&](auto* part, const auto& field) {
        if constexpr (!requires { field.member; }) {
            cursor.skip();
        } else if (part == nullptr) {
            cursor.take_null();
        } else {
            cursor.take_field(*part, field);
        }
    });
}

// The elements that all lists have at one place.
template <typename Row>
void read_place(RowCursor& cursor, std::int64_t place, Row& row) {
    cursor.expect_place(place);
    for_each_stored<StoredIn::in_lists>(&row, [&](auto* part, const auto& field) {
        if (part == nullptr) {
            cursor.take_null();
        } else if (cursor.is_null()) {
            cursor.skip();
        } else {
            cursor.take_element(part->*field.member, place);
        }
    });
}

template <typename Row, typename Element>
void read_table(Statement& rows, std::uint64_t /*seq*/, Row& row,
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
void read_table(Statement& rows, std::uint64_t seq, Row& row,
                const fields::PackedText<Row>& field) {
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
        : replays_(replays), rows_(select_from(database, own_table<Row>())) {
        if constexpr (!Description<Row>::table.lists.empty())
            lists_ = select_from(database, list_table<Row>());
        const Row* none = nullptr;
        for_each_stored<StoredIn::in_table>(none, [&](const auto* /*part*/, const auto& field) {
            others_.push_back(select_from(database, table_of(field)));
        });
    }

    std::optional<StoredRecord> find(std::uint64_t seq) {
        rows_.bind(seq);
        if (!rows_.step()) return std::nullopt;
        RowCursor cursor(rows_);
        const auto time_ms = cursor.take<std::int64_t>();
        Row row;
        read_row(cursor, row);
        if (lists_) read_lists(*lists_, seq, row);
        read_tables(seq, row);
        check_columns(seq, row);
        rows_.reset();
        return StoredRecord{seq, time_ms, std::move(row)};
    }

 private:
    // Columns for people say the same as the fields that they follow from.
    void check_columns(std::uint64_t seq, const Row& row) const {
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

    static void read_lists(Statement& lists, std::uint64_t seq, Row& row) {
        lists.bind(seq);
        for (std::int64_t place = 0; lists.step(); ++place) {
            RowCursor cursor(lists);
            read_place(cursor, place, row);
        }
        lists.reset();
    }

    void read_tables(std::uint64_t seq, Row& row) {
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
            const auto select = std::make_shared<SelectOf<Row>>(database_, replays_);
            table = tables_.emplace(kind, std::bind_front(&SelectOf<Row>::find, select)).first;
        });
    }
    return table == tables_.end() ? std::nullopt : table->second(seq);
}

}  // namespace referee::store
