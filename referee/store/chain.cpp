#include "referee/store/chain.h"

#include "engines/score.h"
#include "protocol/base/text.h"
#include "referee/store/records/record_fields.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

using fields::Absent;
using fields::Description;

// Each value stands behind its name and its length, so no two records have the same text.
class Text {
 public:
    Text(std::string& out, std::optional<std::string_view> replay) : out_(out), replay_(replay) {}

    void name(std::string_view name) {
        out_ += name;
        out_ += '=';
    }
    void bytes(std::string_view bytes) {
        out_ += std::to_string(bytes.size());
        out_ += ':';
        out_ += bytes;
    }
    void count(std::size_t count) { bytes(std::to_string(count)); }
    void large() { bytes(replay_.value_or("")); }

    template <typename Value>
    void value(const Value& value) {
        if constexpr (std::is_enum_v<Value>) {
            bytes(name_of(value));
        } else if constexpr (std::is_same_v<Value, engines::Score>) {
            bytes(std::to_string(value.in_halves()));
        } else if constexpr (std::is_integral_v<Value>) {
            bytes(std::to_string(value));
        } else {
            bytes(value);
        }
    }

 private:
    std::string& out_;
    std::optional<std::string_view> replay_;
};

template <typename Row, typename... Kinds>
void put_fields(Text& text, const Row& row, const std::tuple<Kinds...>& fields);

template <typename Row, typename Value>
void put_field(Text& text, const Row& row, const fields::Field<Row, Value>& field) {
    const auto& value = row.*field.member;
    if constexpr (fields::is_optional<Value>) {
        if (!value) return;
        text.name(field.name);
        text.value(*value);
    } else {
        if (field.absent != Absent::never && fields::is_fresh(row, field.member)) return;
        text.name(field.name);
        text.value(value);
    }
}

template <typename Row>
void put_field(Text& text, const Row& row, const fields::JsonText<Row>& field) {
    text.name(field.name);
    text.bytes(row.*field.member);
}

template <typename Row, typename Element>
void put_field(Text& text, const Row& row, const fields::List<Row, Element>& field) {
    const auto& list = row.*field.member;
    if (field.absent != Absent::never && list.empty()) return;
    text.name(field.name);
    text.count(list.size());
    for (const auto& element : list) text.value(element);
}

template <typename Row, typename Element>
void put_field(Text& text, const Row& row, const fields::Rows<Row, Element>& field) {
    const auto& list = row.*field.member;
    text.name(field.name);
    text.count(list.size());
    for (const auto& element : list) {
        put_fields(text, element, Description<Element>::fields);
        text.name("");
    }
}

template <typename Row, typename Part, typename Fields>
void put_field(Text& text, const Row& row, const fields::PartOf<Row, Part, Fields>& field) {
    put_fields(text, row.*field.part, field.fields);
}

template <typename Row, typename Part, typename Fields>
void put_field(Text& text, const Row& row, const fields::Object<Row, Part, Fields>& field) {
    if (field.only_if.is_there != nullptr && !field.only_if.is_there(row)) return;
    text.name(field.name);
    put_fields(text, row.*field.part, field.fields);
    text.name("");
}

// What follows from the other fields, or is not in the store.
template <typename Row>
void put_field(Text& /*text*/, const Row& /*row*/, const fields::LineText<Row>& /*field*/) {}
template <typename Row, typename Value>
void put_field(Text& /*text*/, const Row& /*row*/,
               const fields::LineNumber<Row, Value>& /*field*/) {}
template <typename Row>
void put_field(Text& /*text*/, const Row& /*row*/, const fields::ColumnOnly<Row>& /*field*/) {}

template <typename Row>
void put_field(Text& text, const Row& /*row*/, const fields::PackedText<Row>& field) {
    text.name(field.name);
    text.large();
}

template <typename Row, typename... Kinds>
void put_fields(Text& text, const Row& row, const std::tuple<Kinds...>& fields) {
    fields::for_each(fields, [&](const auto& field) { put_field(text, row, field); });
}

// The record's long text, and its digest where it was dropped.
struct LargeText {
    std::string_view text;
    std::optional<base::Digest> of_dropped;
};

// Nothing where its kind has none.
std::optional<LargeText> large_text_of(const records::Record& record) {
    std::optional<LargeText> found;
    std::visit(
        [&found]<typename Row>(const Row& row) {
            fields::for_each(Description<Row>::fields, [&](const auto& field) {
                if constexpr (requires { field.dropped_digest; })
                    found = {row.*field.member, base::digest_in(row.*field.dropped_digest)};
            });
        },
        record);
    return found;
}

constexpr std::string_view chain_columns = "seq, kind, record, replay, link";

// Records that are read again with their replays before a store is opened: what was written last
// suffers most from a crash.
constexpr std::size_t records_checked_at_end = 64;

std::string select_links(std::string_view behind) {
    return "SELECT " + std::string(chain_columns) + " FROM chain " + std::string(behind);
}

base::Digest digest_in_column(const Statement& row, int column, std::uint64_t seq) {
    const auto digest = row.is_blob(column) ? base::digest_of_bytes(row.bytes(column))
                                            : std::optional<base::Digest>();
    if (!digest) corrupt(fmt::format("the link of record {} is damaged", seq));
    return *digest;
}

Link link_in(const Statement& row) {
    Link link;
    link.seq = seq_in(row);
    expect_kind(row.is_text(1), link.seq);
    link.kind = row.text(1);
    constexpr int of_record = 2;
    constexpr int of_replay = 3;
    constexpr int of_link = 4;
    link.digest.record = digest_in_column(row, of_record, link.seq);
    if (!row.is_null(of_replay)) link.digest.replay = digest_in_column(row, of_replay, link.seq);
    link.link = digest_in_column(row, of_link, link.seq);
    return link;
}

}  // namespace

RecordDigest ChainHasher::digest(const records::Record& record) {
    std::optional<base::Digest> replay;
    if (const auto large = large_text_of(record)) {
        replay = large->of_dropped;
        if (!replay) {
            hasher_.add(large->text);
            replay = hasher_.finish();
        }
    }
    return digest(record, replay);
}

RecordDigest ChainHasher::digest(const records::Record& record,
                                 const std::optional<base::Digest>& replay) {
    text_.clear();
    Text text(text_, replay ? std::optional(base::bytes_of(*replay)) : std::nullopt);
    text.name(kind_of(record));
    std::visit(
        [&text]<typename Row>(const Row& row) { put_fields(text, row, Description<Row>::fields); },
        record);
    hasher_.add(text_);
    return {hasher_.finish(), large_text_of(record) ? replay : std::nullopt};
}

ChainTip ChainHasher::next_tip(const ChainTip& before, std::uint64_t seq, std::int64_t time_ms,
                               const RecordDigest& digest) {
    hasher_.add(before.link);
    hasher_.add(fmt::format("{} {}\n", seq, time_ms));
    hasher_.add(digest.record);
    return {seq, hasher_.finish()};
}

std::string record_number(std::uint64_t seq) {
    return "record " + std::to_string(seq);
}

ChainTip root_of(std::string_view origin) {
    return {0, base::digest_of("referee chain 1\n", origin)};
}

std::string origin_of(Database& database) {
    Statement rows(database, "SELECT origin FROM chain_origin");
    if (!rows.step()) corrupt("the origin of the chain is missing");
    if (!rows.is_text(0)) corrupt("the origin of the chain is damaged");
    auto origin = rows.text(0);
    if (rows.step()) corrupt("the chain has two origins");
    return origin;
}

void set_origin(Database& database, std::string_view origin) {
    database.execute("DELETE FROM chain_origin");
    Statement(database, "INSERT INTO chain_origin (origin) VALUES (?)").run(origin);
}

ChainTip tip_of(Database& database) {
    return tip_before(database, INT64_MAX);
}

ChainWriter::ChainWriter(Database& database)
    : records_(database),
      insert_(database,
              "INSERT INTO chain (" + std::string(chain_columns) + ") VALUES (?, ?, ?, ?, ?)") {}

std::optional<ChainTip> ChainWriter::append(const ChainTip& before, std::uint64_t seq,
                                            std::int64_t time_ms, const records::Record& record) {
    if (!records_.insert(seq, time_ms, record)) return std::nullopt;
    const auto digest = hasher_.digest(record);
    const auto tip = hasher_.next_tip(before, seq, time_ms, digest);
    std::optional<Blob> replay;
    if (digest.replay) replay = {base::bytes_of(*digest.replay)};
    insert_.run(seq, kind_of(record), Blob{base::bytes_of(digest.record)}, replay,
                Blob{base::bytes_of(tip.link)});
    return tip;
}

LinkCursor::LinkCursor(Database& database, std::uint64_t seq)
    : rows_(database, select_links("WHERE seq > ? ORDER BY seq")) {
    rows_.bind(seq);
}

std::optional<Link> LinkCursor::next() {
    if (!rows_.step()) return std::nullopt;
    return link_in(rows_);
}

std::optional<Link> link_at(Database& database, std::uint64_t seq) {
    Statement row(database, select_links("WHERE seq = ?"));
    row.bind(seq);
    if (!row.step()) return std::nullopt;
    return link_in(row);
}

ChainTip tip_before(Database& database, std::uint64_t seq) {
    Statement row(database, select_links("WHERE seq < ? ORDER BY seq DESC LIMIT 1"));
    row.bind(seq);
    if (!row.step()) return root_of(origin_of(database));
    const auto link = link_in(row);
    return {link.seq, link.link};
}

ChainReader::ChainReader(Database& database, RecordReader::Replays replays)
    : records_(database, replays),
      replays_(replays),
      links_(database),
      tip_(root_of(origin_of(database))) {}

std::optional<StoredRecord> ChainReader::next() {
    const auto link = links_.next();
    if (!link) return std::nullopt;
    auto stored = records_.find(link->seq, link->kind);
    if (const auto fault = fault_of(hasher_, tip_, stored, *link, replays_); !fault.empty())
        corrupt(fault);
    tip_ = {link->seq, link->link};
    return stored;
}

void find_foreign_rows(Database& database,
                       const std::function<void(std::uint64_t seq, std::string what)>& on_found) {
    for (const auto& table : described_tables()) {
        Statement rows(database,
                       fmt::format("SELECT seq FROM {} AS t WHERE NOT EXISTS (SELECT 1 FROM chain "
                                   "WHERE seq = t.seq AND seq > 0 AND kind = ?) ORDER BY seq",
                                   table.name));
        rows.bind(table.kind);
        while (rows.step()) {
            const auto seq = seq_in(rows);
            on_found(seq, fmt::format("record {} is in the table {} but no {} of that number is in "
                                      "the chain: it was added by somebody else",
                                      seq, table.name, table.kind));
        }
    }
}

void check_no_foreign_rows(Database& database) {
    find_foreign_rows(database,
                      [](std::uint64_t /*seq*/, const std::string& what) { corrupt(what); });
}

StoredRecord checked_record(Database& database, std::uint64_t seq) {
    const auto link = link_at(database, seq);
    if (!link) corrupt(record_number(seq) + " is in no chain: it was added by somebody else");
    RecordReader reader(database, RecordReader::Replays::read);
    auto stored = reader.find(seq, link->kind);
    ChainHasher hasher;
    if (const auto fault =
            fault_of(hasher, tip_before(database, seq), stored, *link, RecordReader::Replays::read);
        !fault.empty())
        corrupt(fault);
    return *std::move(stored);
}

std::string fault_of(ChainHasher& hasher, const ChainTip& before,
                     const std::optional<StoredRecord>& stored, const Link& link,
                     RecordReader::Replays replays) {
    const auto what = record_number(link.seq) + " (" + link.kind + ")";
    if (!stored) return what + " is missing";
    const bool with_replay = replays == RecordReader::Replays::read;
    const auto digest = with_replay ? hasher.digest(stored->record)
                                    : hasher.digest(stored->record, link.digest.replay);
    if (digest.replay != link.digest.replay) return what + " has another replay than was written";
    if (digest.record != link.digest.record) return what + " is another one than was written";
    if (hasher.next_tip(before, stored->seq, stored->time_ms, digest).link != link.link)
        return what + " does not fit the records before it, or has another time";
    return {};
}

void check_end(Database& database) {
    Statement rows(database, "SELECT seq FROM chain ORDER BY seq DESC LIMIT ?");
    rows.bind(records_checked_at_end);
    while (rows.step()) checked_record(database, seq_in(rows));
}

void check_told(Database& database, const ChainTip& told) {
    const auto tip = tip_of(database);
    if (tip.seq < told.seq)
        corrupt("it ends with " + record_number(tip.seq) + ", but " + record_number(told.seq) +
                " had been written and told: the end of the file or of its log is lost");
    const auto link = link_at(database, told.seq);
    const auto is_same =
        told.seq == 0 ? root_of(origin_of(database)) == told : link && link->link == told.link;
    if (!is_same)
        corrupt(record_number(told.seq) +
                " is another one than was written and told, or the file .head is another store's");
}

}  // namespace referee::store
