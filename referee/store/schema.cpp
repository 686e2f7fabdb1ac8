#include "referee/store/schema.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "protocol/base/text.h"
#include "referee/store/chain.h"
#include "referee/store/records/record_fields.h"

namespace referee::store {
namespace {

constexpr std::array schema_columns{0, 1, 2, 3};
// Where SQLite's header says who may read and write the file, and "with a log" in it.
constexpr std::array<std::size_t, 2> places_of_log_mode{18, 19};
constexpr char log_mode = 2;

// Each table, index and view in one text.
std::set<std::string> schema_of(Database& database) {
    std::set<std::string> parts;
    Statement rows(database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema");
    while (rows.step()) {
        std::string part;
        for (const int column : schema_columns) part += rows.text(column) + '\n';
        parts.insert(std::move(part));
    }
    return parts;
}

const std::set<std::string>& made_parts() {
    static const auto made = [] {
        Database fresh(":memory:", Database::Access::write, {});
        make_tables(fresh);
        return schema_of(fresh);
    }();
    return made;
}

std::pair<std::string, std::string> kind_and_name(const std::string& part) {
    const auto kind = part.find('\n');
    return {part.substr(0, kind), part.substr(kind + 1, part.find('\n', kind + 1) - kind - 1)};
}

// The chain comes first, so that a file whose end is cut off has it still.
constexpr std::string_view tables_of_chain = R"sql(
CREATE TABLE chain (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    record BLOB NOT NULL,
    replay BLOB,
    link BLOB NOT NULL);

CREATE TABLE chain_origin (
    origin TEXT NOT NULL);
)sql";

// Behind the tables. TABLES.md tells what each is for.
constexpr std::string_view indexes_and_views = R"sql(
CREATE UNIQUE INDEX pairing_of_match ON pairings (tournament, match) WHERE match > 0;
CREATE UNIQUE INDEX bye_of_bot ON pairings (tournament, round, bye) WHERE match = 0;

CREATE VIEW annulments_in_force AS
SELECT * FROM annulments a
WHERE NOT EXISTS (SELECT 1 FROM restorations r
                  WHERE r.seq > a.seq AND (r.tournament, r.match, r.number, r.attempt) =
                                          (a.tournament, a.match, a.number, a.attempt));

CREATE VIEW plays AS
SELECT s.tournament || '/' || s.match || '.' || s.number ||
           CASE WHEN s.attempt > 1 THEN '~' || s.attempt ELSE '' END AS game_id,
       s.tournament, s.match, s.number, s.attempt, p.round,
       (SELECT group_concat(bot, ' - ') FROM
           (SELECT bot FROM start_seats WHERE seq = s.seq ORDER BY seat)) AS bots,
       datetime(s.time_ms / 1000, 'unixepoch') AS started,
       datetime(g.time_ms / 1000, 'unixepoch') AS ended,
       g.status, g.reason, g.turns,
       (SELECT group_concat(score, ' - ') FROM
           (SELECT score FROM game_seats WHERE seq = g.seq ORDER BY seat)) AS scores,
       g.faults_total,
       EXISTS (SELECT 1 FROM annulments_in_force a
               WHERE (a.tournament, a.match, a.number, a.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)) AS taken_back,
       g.seq AS game_seq
FROM starts s
LEFT JOIN games g ON (g.tournament, g.match, g.number, g.attempt) =
                     (s.tournament, s.match, s.number, s.attempt)
LEFT JOIN pairings p ON p.tournament = s.tournament AND p.match = s.match;

CREATE VIEW results AS
SELECT g.tournament, g.match, g.number, g.attempt, g.game, b.seat, b.bot, b.score, b.place,
       b.used_us, g.turns, datetime(g.time_ms / 1000, 'unixepoch') AS ended, g.seq
FROM games g JOIN game_seats b ON b.seq = g.seq
WHERE g.status IN ('played', 'forfeited')
  AND NOT EXISTS (SELECT 1 FROM annulments_in_force a
                  WHERE (a.tournament, a.match, a.number, a.attempt) =
                        (g.tournament, g.match, g.number, g.attempt));

CREATE VIEW bot_faults AS
SELECT b.bot, g.tournament || '/' || g.match || '.' || g.number ||
           CASE WHEN g.attempt > 1 THEN '~' || g.attempt ELSE '' END AS game_id,
       f.turn, f.code, f.consequence, f.message, f.rule, f.rule_text, f.received, f.charged_us,
       f.allowed_us, f.budget_us, f.measure, f.exit_status, f.signal, f.stderr_tail, f.seq
FROM faults f
JOIN games g ON g.seq = f.seq
JOIN game_seats b ON b.seq = f.seq AND b.seat = f.seat;
)sql";

std::string column(std::string_view name, std::string_view type, bool may_be_null) {
    return ",\n    " + std::string(name) + std::string(type) + (may_be_null ? "" : " NOT NULL");
}

template <typename Value>
constexpr std::string_view type_of() {
    if constexpr (fields::is_optional<Value>) {
        return type_of<typename Value::value_type>();
    } else if constexpr (std::is_same_v<Value, engines::Score>) {
        return " REAL";
    } else {
        return std::is_integral_v<Value> ? " INTEGER" : " TEXT";
    }
}

template <typename Row, typename Value>
std::string column_of(const fields::Field<Row, Value>& field, bool may_be_null) {
    return column(
        field.name, type_of<Value>(),
        may_be_null || fields::is_optional<Value> || field.absent == fields::Absent::from_both);
}
template <typename Row>
std::string column_of(const fields::JsonText<Row>& field, bool may_be_null) {
    return column(field.name, type_of<std::string>(), may_be_null);
}
template <typename Row>
std::string column_of(const fields::ColumnOnly<Row>& field, bool /*may_be_null*/) {
    return column(field.name, type_of<std::string>(), true);
}

// Those of the row itself. Of an object that may be missing each may be null.
template <typename... Kinds>
std::string columns_of_row(const std::tuple<Kinds...>& fields, bool may_be_null = false) {
    std::string text;
    fields::for_each(fields, [&]<typename Kind>(const Kind& field) {
        if constexpr (requires { field.only_if; }) {
            text += columns_of_row(field.fields, may_be_null || field.only_if.is_there != nullptr);
        } else if constexpr (requires { field.fields; }) {
            text += columns_of_row(field.fields, may_be_null);
        } else if constexpr (Kind::stands == StoredIn::in_row) {
            text += column_of(field, may_be_null);
        }
    });
    return text;
}

// The first list tells how many rows there are; a shorter one ends in nulls.
template <typename Row>
std::string columns_of_lists() {
    std::string text;
    const Row* none = nullptr;
    fields::for_each_flat(none, Description<Row>::fields, [&](const auto* part, const auto& field) {
        if constexpr (std::decay_t<decltype(field)>::stands == StoredIn::in_lists) {
            using Values = std::decay_t<decltype(part->*field.member)>;
            text += column(field.column, type_of<typename Values::value_type>(), !text.empty());
        }
    });
    return text;
}

// Of rows beside a record.
std::string table_beside(const fields::FieldTable& table, std::string_view name,
                         const std::string& columns) {
    return "CREATE TABLE " + std::string(name) + " (\n    seq INTEGER NOT NULL" +
           column(table.place, type_of<int>(), false) + columns + ",\n    PRIMARY KEY (seq, " +
           std::string(table.place) + ")) WITHOUT ROWID;\n";
}

template <typename Row, typename Element>
std::string table_of(const fields::Rows<Row, Element>& /*field*/) {
    constexpr auto& table = Description<Element>::table;
    return table_beside(table, table.name, columns_of_row(Description<Element>::fields));
}
template <typename Row>
std::string table_of(const fields::PackedText<Row>& field) {
    return "CREATE TABLE " + std::string(field.table) + R"sql( (
    seq INTEGER PRIMARY KEY,
    bytes INTEGER NOT NULL,
    zlib BLOB NOT NULL,
    sha256 BLOB NOT NULL);
)sql";
}

// A record's own table, and those beside it.
template <typename Row>
std::string tables_of_record() {
    constexpr auto& table = Description<Row>::table;
    auto text = "CREATE TABLE " + std::string(table.name) +
                " (\n    seq INTEGER PRIMARY KEY,\n    time_ms INTEGER NOT NULL" +
                columns_of_row(Description<Row>::fields);
    if (!table.unique.empty()) text += ",\n    UNIQUE (" + std::string(table.unique) + ")";
    text += ");\n";
    if (!table.lists.empty()) text += table_beside(table, table.lists, columns_of_lists<Row>());
    const Row* none = nullptr;
    fields::for_each_flat(
        none, Description<Row>::fields, [&](const auto* /*part*/, const auto& field) {
            if constexpr (std::decay_t<decltype(field)>::stands == StoredIn::in_table)
                text += table_of(field);
        });
    return text;
}

}  // namespace

std::string all_tables() {
    std::string text(tables_of_chain);
    fields::for_each_record([&text]<typename Row>(std::type_identity<Row> /*type*/) {
        text += tables_of_record<Row>();
    });
    return text.append(indexes_and_views);
}

int version_of(Database& database) {
    return static_cast<int>(database.integer("PRAGMA user_version"));
}

bool has_its_schema(Database& database) {
    const auto found = schema_of(database);
    return std::includes(found.begin(), found.end(), made_parts().begin(), made_parts().end());
}

std::vector<std::string> foreign_parts(Database& database) {
    std::set<std::pair<std::string, std::string>> made;
    for (const auto& part : made_parts()) made.insert(kind_and_name(part));
    std::vector<std::string> foreign;
    for (const auto& part : schema_of(database)) {
        const auto found = kind_and_name(part);
        if (!made.contains(found) && !found.second.starts_with("sqlite_"))
            foreign.push_back(found.first + " " + found.second);
    }
    return foreign;
}

SchemaState standing_of(Database& database) {
    const auto id = database.integer("PRAGMA application_id");
    const int version = version_of(database);
    if (id == application_id)
        return version == schema_version ? SchemaState::store : SchemaState::other_version;
    const bool empty =
        id == 0 && version == 0 && database.integer("SELECT count(*) FROM sqlite_schema") == 0;
    return empty ? SchemaState::empty : SchemaState::foreign;
}

void make_tables(Database& database) {
    Transaction transaction(database);
    database.execute(all_tables());
    set_origin(database, origin_of_new);
    database.execute("PRAGMA application_id = " + std::to_string(application_id));
    database.execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
}

std::string bytes_of_new() {
    Database fresh(":memory:", Database::Access::write, {});
    make_tables(fresh);
    auto bytes = fresh.bytes();
    for (const auto place : places_of_log_mode) bytes[place] = log_mode;
    return bytes;
}

std::vector<RecordColumns> record_tables() {
    std::vector<RecordColumns> tables;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        tables.push_back(record_columns<Row>());
    });
    return tables;
}

std::vector<RecordColumns> described_tables() {
    std::vector<RecordColumns> tables;
    fields::for_each_record([&]<typename Row>(std::type_identity<Row> /*type*/) {
        const auto before = tables.size();
        tables.push_back(record_columns<Row>());
        if (!fields::Description<Row>::table.lists.empty()) tables.push_back(list_columns<Row>());
        const Row* none = nullptr;
        fields::for_each_flat(
            none, fields::Description<Row>::fields, [&](const auto* /*row*/, const auto& field) {
                if constexpr (std::decay_t<decltype(field)>::stands == StoredIn::in_table)
                    tables.push_back(table_columns(field));
            });
        for (auto i = before; i < tables.size(); ++i)
            tables[i].kind = fields::Description<Row>::kind;
    });
    return tables;
}

Statement insert_into(Database& database, const RecordColumns& columns, bool is_keyed) {
    const std::vector<std::string_view> values(columns.names.size(), "?");
    return {database, std::string(is_keyed ? "INSERT OR IGNORE" : "INSERT") + " INTO " +
                          std::string(columns.table) + " (" + base::joined(columns.names, ", ") +
                          ") VALUES (" + base::joined(values, ", ") + ")"};
}

Statement select_from(Database& database, const RecordColumns& columns, std::string_view behind) {
    return {database, "SELECT " + base::joined(columns.names, ", ") + " FROM " +
                          std::string(columns.table) + " " + std::string(behind)};
}

}  // namespace referee::store
